"""The stored counts and highest games, recomputed, and the figures that others have published."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from exhaustive.second_reading import BOXES, options
from golden import independent_counts as counting

pytestmark = pytest.mark.campaign  # nothing of the engine runs here, so there is nothing to cover

HERE = Path(__file__).parent
PLAYED = [book for book in BOXES if book not in ("maxi-yatzy", "yatzy-forced")]


def stored(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def test_counts_are_as_stored() -> None:
    assert counting.counts_document() == stored("counts.json")


def test_published_counts() -> None:
    counts = stored("counts.json")
    assert (counts["rolls"], counts["keeps"], counts["roll_keep_pairs"]) == (252, 462, 4368)
    assert counts["turn_start_states"]["yahtzee"] == 536_448
    assert counts["turn_start_states"]["yatzy"] == 1_430_528
    assert counting.upper_halves(5, 63) == 2_794


@pytest.mark.parametrize("book", PLAYED)
def test_counting_by_playing_agrees(book: str) -> None:
    assert counting.cards_by_playing(book) == counting.cards(book)


@pytest.mark.parametrize("book", PLAYED)
def test_only_five_alike_depends_on_the_rest_of_the_card(book: str) -> None:
    """The shortcut of `ordinary_moves`, on cards drawn at random."""
    draw = random.Random(63)
    empty = {roll: options(book, {}, roll) for roll in counting.ROLLS if roll[0] != roll[4]}
    for _ in range(60):
        card = {box: draw.choice((0, 50)) for box in BOXES[book] if draw.random() < 0.5}
        for roll, worth in empty.items():
            assert options(book, card, roll) == {box: worth[box] for box in worth if box not in card}


def test_highest_games_are_as_stored() -> None:
    assert counting.highest_document() == stored("highest.json")


@pytest.mark.parametrize(
    ("book", "total"), [("yahtzee", 1575), ("yahtzee-classic", 1575), ("yardzee", 1480), ("yatzy", 374)]
)
def test_highest_game_replayed(book: str, total: int) -> None:
    game = stored("highest.json")[book]
    turns = [(turn["roll"], turn["box"], turn["points"], turn["extra"]) for turn in game["turns"]]
    assert game["total"] == total
    assert counting.replayed_total(book, turns) == total
