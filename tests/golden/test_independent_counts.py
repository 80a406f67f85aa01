"""The stored counts and highest games, recomputed, and the figures that others have published."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from exhaustive.second_reading import BOXES, options
from for_each import for_each
from golden import independent_counts as counting
from long import few, long_only

pytestmark = pytest.mark.campaign  # nothing of the engine runs here, so there is nothing to cover

HERE = Path(__file__).parent
PLAYED = [book for book in BOXES if book not in ("maxi-yatzy", "maxi-yatzy-plain", "yatzy-forced")]


def read_stored(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def test_stored_published_and_walked_counts() -> None:
    assert counting.counts_document() == read_stored("counts.json")
    counts = read_stored("counts.json")
    assert (counts["rolls"], counts["keeps"], counts["roll_keep_pairs"]) == (252, 462, 4368)
    assert counts["turn_start_states"]["yahtzee"] == 536_448
    assert counts["turn_start_states"]["yatzy"] == 1_430_528
    assert counting.upper_halves(5, 63) == 2_794
    # The possible saved rolls after a number of turns, by using every number of rolls in each.
    saved = {0}
    for turns in range(20):
        assert saved == set(range(2 * turns + 1))
        saved = {have + 3 - used for have in saved for used in range(1, have + 4)}


@for_each("book", few(PLAYED, 1))
def test_counting_by_playing_agrees(book: str) -> None:
    assert counting.cards_by_playing(book) == counting.cards(book)


@for_each("book", PLAYED)
def test_only_equal_dice_depend_on_the_rest_of_the_card(book: str) -> None:
    """The shortcut of `ordinary_moves`, on cards drawn at random."""
    draw = random.Random(63)
    empty = {roll: options(book, {}, roll) for roll in counting.rolls_of(book) if roll[0] != roll[-1]}
    for _ in range(60):
        card = {box: draw.choice((0, 50)) for box in BOXES[book] if draw.random() < 0.5}
        for roll, worth in empty.items():
            assert options(book, card, roll) == {box: worth[box] for box in worth if box not in card}


@long_only
def test_highest_games_are_as_stored() -> None:
    books = few(counting.MAIN_BOOKS, 3)
    known = read_stored("highest.json")
    assert counting.highest_document(books) == {book: known[book] for book in books}
    assert set(known) == set(counting.MAIN_BOOKS)


# The later ones added up by hand: kniffel 50 + 105 + 35 + 6 * 50 + 185, kismet 105 + 75 + 373, yacht 105 + 192,
# crag 63 + 181, maxi-yatzy 126 + 100 + 423.
@for_each(
    ("book", "total"),
    [
        ("yahtzee", 1575),
        ("yahtzee-classic", 1575),
        ("yardzee", 1480),
        ("yatzy", 374),
        ("kniffel", 675),
        ("kismet", 553),
        ("yacht", 297),
        ("crag", 244),
        ("maxi-yatzy", 649),
    ],
)
def test_highest_game_replayed(book: str, total: int) -> None:
    game = read_stored("highest.json")[book]
    turns = [(turn["roll"], turn["box"], turn["points"], turn["extra"]) for turn in game["turns"]]
    assert game["total"] == total
    assert counting.replayed_total(book, turns) == total
