"""The engine's own counts and highest games against the stored numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

import fivedice as fd
from fivedice.core.dice import keeps, keeps_of, rolls
from for_each import for_each
from long import few

HERE = Path(__file__).parent
COUNTS: dict[str, Any] = json.loads((HERE / "counts.json").read_text(encoding="utf-8"))
HIGHEST: dict[str, Any] = json.loads((HERE / "highest.json").read_text(encoding="utf-8"))

Steps = set[tuple[int, int, bool]]  # box, what it adds to the upper total, does the box for all alike hold points


def test_counts_of_rolls_and_highest_totals() -> None:
    assert len(rolls(5)) == COUNTS["rolls"] == 252
    assert len(keeps(5)) == COUNTS["keeps"] == 462
    assert sum(len(keeps_of(roll)) for roll in rolls(5)) == COUNTS["roll_keep_pairs"] == 4368
    totals = {key: game["total"] for key, game in HIGHEST.items()}
    assert totals == {
        "yahtzee": 1575,
        "yahtzee-classic": 1575,
        "yardzee": 1480,
        "yatzy": 374,
        "kniffel": 675,
        "kismet": 553,
        "yacht": 297,
        "crag": 244,
        "maxi-yatzy": 649,
    }


def ordinary_steps(book: fd.RuleBook) -> Steps:
    """Rolls that are not all alike go anywhere at their plain points."""
    unlike = [book.worth(roll).plain for roll in rolls(book.dice) if roll.alike is None]
    return {
        (place, points[place] if book.upper >> place & 1 else 0, False)
        for points in unlike
        for place in range(len(book.boxes))
    }


def alike_steps(card: fd.Scorecard) -> Steps:
    book = card.book
    pays = book.alike is not None and book.alike.extra > 0
    found = set()
    for face in range(1, 7):
        for key, entry in card.options(fd.Roll((face,) * book.dice)).items():
            place = book.index[key]
            scores = pays and place == book.alike_box and entry.points > 0
            found.add((place, entry.points if book.upper >> place & 1 else 0, scores))
    return found


def card_of(book: fd.RuleBook, filled: int, scored: bool) -> fd.Scorecard:
    marks = [0 if filled >> place & 1 else None for place in range(len(book.boxes))]
    if scored and book.alike_box is not None:
        marks[book.alike_box] = 50
    return fd.Scorecard(book, tuple(marks))


def capped(totals: int, cap: int) -> int:
    """Upper totals as the bits of a number; those beyond the bonus are all the same."""
    return totals & ((1 << cap) - 1) | (1 << cap if totals >> cap else 0)


def reachable_cards(book: fd.RuleBook) -> int:
    """Walk every card by legal moves; masks only grow, so each is complete when its number comes up."""
    cap = 0 if book.bonus is None else book.bonus.highest.threshold
    ordinary = ordinary_steps(book)
    reached = {(0, False): 1}
    for filled in range(book.full + 1):
        for scored in (False, True):
            here = reached.get((filled, scored), 0)
            if here:
                steps = {step for step in ordinary if not filled >> step[0] & 1}
                for place, up, scores in steps | alike_steps(card_of(book, filled, scored)):
                    after = filled | 1 << place, scored or scores
                    reached[after] = reached.get(after, 0) | capped(here << up, cap)
    return sum(totals.bit_count() for totals in reached.values())


@pytest.mark.campaign
@pytest.mark.parametrize("key", few(["yahtzee", "yardzee", "yatzy", "kniffel", "yacht", "crag"], 1))
def test_turn_start_states(key: str) -> None:
    assert reachable_cards(fd.book(key)) == COUNTS["turn_start_states"][key]


@for_each("key", HIGHEST)
def test_highest_game_played_through_the_engine(key: str) -> None:
    turns = HIGHEST[key]["turns"]
    game = fd.Game.new(key, ["Lucky"], dice=fd.dice.scripted([turn["roll"] for turn in turns]))
    for turn in turns:
        game.roll()
        assert game.position.ruling().check(turn["box"]) == fd.Entry(turn["points"], turn["extra"])
        game.mark(turn["box"])
    assert game.outcome == fd.Outcome((HIGHEST[key]["total"],), (0,))
