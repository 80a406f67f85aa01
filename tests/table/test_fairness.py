"""Counting how dice fell."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from fivedice.table import commands as cmd
from fivedice.table.events import Rolled
from fivedice.table.proof import dice_statistics
from fivedice.table.proof.dice_statistics import Comparison, DiceCounts, Tally, compare
from fivedice.table.refusals import BadRequest
from fivedice.table.service import Tables
from for_each import for_each
from table.parlour import ANN
from table.test_service import finish


def test_only_dice_that_left_the_cup_are_counted() -> None:
    tally = Tally()
    tally.add_game([Rolled(0, (1, 2, 3, 4, 5)), Rolled(0, (1, 6, 3, 6, 5), held=(0, 2, 4))])
    assert tally.games == 1
    assert tally.dice == 7
    assert tally.faces == Counter({(1,): 1, (2,): 1, (3,): 1, (4,): 1, (5,): 1, (6,): 2})
    assert tally.pairs == Counter({(1, 2): 1, (3, 4): 1, (6, 6): 1})
    assert tally.patterns == Counter({(1, 2, 3, 4, 5): 1})


def test_six_dice_have_no_pattern_of_five() -> None:
    tally = Tally()
    tally.add_game([Rolled(0, (1, 1, 1, 1, 1, 2)), Rolled(0, (1, 1, 1, 1, 1, 3), held=(0,))])
    assert tally.dice == 11
    assert not tally.patterns


def test_expectations_add_up_to_what_was_seen() -> None:
    tally = Tally()
    tally.add_game([Rolled(0, (2, 2, 3, 4, 5))] * 8)
    for comparison, freedom in ((tally.of_faces(), 5), (tally.of_pairs(), 35), (tally.of_patterns(), 251)):
        assert comparison.freedom == freedom
        assert sum(line.expected for line in comparison.lines) == pytest.approx(
            sum(line.seen for line in comparison.lines)
        )
    assert tally.of_patterns().deviation > 10  # always the same roll is not how dice fall


def test_chi_square_by_hand() -> None:
    """60 dice, 10 of each expected: (4 + 4) / 10."""
    seen = Counter({(1,): 12, (2,): 8, (3,): 10, (4,): 10, (5,): 10, (6,): 10})
    assert compare(seen, {(face,): 1 / 6 for face in range(1, 7)}).chi_square == pytest.approx(0.8)


def test_without_dice_nothing_is_claimed() -> None:
    assert Tally().of_faces().chi_square == 0.0
    assert Tally().of_faces().deviation == 0.0


@for_each(
    ("chi_square", "freedom", "deviation"),
    [(4.3515, 5, 0.0), (11.0705, 5, 1.645), (1.1455, 5, -1.645), (57.342, 35, 2.326), (0.0, 5, 0.0), (3.0, 0, 0.0)],
)
def test_the_deviation_is_that_of_the_tables_of_chi_square(chi_square: float, freedom: int, deviation: float) -> None:
    assert Comparison((), chi_square, freedom).deviation == pytest.approx(deviation, abs=0.02)


def given_up(tables: Tables, when: datetime, *, real_dice: bool = False) -> None:
    """A game that came to its end then."""
    with pytest.MonkeyPatch.context() as other:
        other.setattr("fivedice.table.store.table_store._now", lambda: when.isoformat(timespec="milliseconds"))
        table = tables.open(ANN, "yatzy", real_dice=real_dice, then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])
        tables.execute(table, cmd.GiveUp(ANN))


def test_a_long_past_is_counted_over_several_looks(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_statistics, "AT_ONCE", 2)
    for _ in range(3):
        given_up(tables, datetime.now(UTC))
    counts = DiceCounts(tables.store)
    looks = [counts.look() for _ in range(2)]
    assert [(tally.games, complete) for tally, complete in looks] == [(2, False), (3, True)]


def test_of_many_tables_the_latest_are_remembered(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only they can still be found again."""
    monkeypatch.setattr(dice_statistics, "MOST_COUNTED", 2)
    for hours in (2, 1, 0):
        given_up(tables, datetime.now(UTC) - timedelta(hours=hours))
    counts = DiceCounts(tables.store)
    assert [counts.look()[0].games for _ in range(2)] == [3, 3]


def test_each_game_is_counted_once_whatever_happens_at_its_table_later(tables: Tables) -> None:
    counts = DiceCounts(tables.store)
    table = tables.open(ANN, "yatzy", seed="7", then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])
    finish(tables, table)
    once = counts.look()[0]
    assert (once.games, once.dice) == (1, 75)
    tables.execute(table, cmd.TakeBack(ANN), version=tables.state(table).version)
    finish(tables, table)
    assert counts.look()[0] == once
    tables.rematch(table, ANN)
    assert counts.look()[0] == once
    assert DiceCounts(tables.store).look()[0] == once


def test_a_table_that_came_to_its_end_a_little_earlier_by_another_clock_is_counted_too(tables: Tables) -> None:
    counts = DiceCounts(tables.store)
    for number, seconds in enumerate((0, 5), start=1):
        given_up(tables, datetime.now(UTC) - timedelta(seconds=seconds))
        assert counts.look()[0].games == number


def test_dice_with_other_faces_are_left_out(tables: Tables) -> None:
    """Anybody can bring rules with two faces, and would make the dice of everybody look loaded."""
    rules = "extends = 'yatzy'\nfaces = 8\nname = 'Octo'\n"
    finish(tables, tables.open(ANN, "octo", rules=rules, then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)]))
    tally, complete = DiceCounts(tables.store).look()
    assert (tally.games, tally.dice, complete) == (0, 0, True)


def test_real_dice_are_left_out(tables: Tables) -> None:
    given_up(tables, datetime.now(UTC), real_dice=True)
    assert DiceCounts(tables.store).look() == (Tally(), True)


def test_a_game_by_rules_that_cannot_be_read_any_more_is_left_out(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object, **__: object) -> None:
        raise BadRequest("table.promise-used")

    given_up(tables, datetime.now(UTC))
    monkeypatch.setattr(dice_statistics, "book_of", unreadable)
    assert DiceCounts(tables.store).look() == (Tally(), True)


def test_a_tally_that_was_told_does_not_change(tables: Tables) -> None:
    counts = DiceCounts(tables.store)
    before = counts.look()[0]
    before.add_game([Rolled(0, (1, 2, 3, 4, 5))])
    assert counts.look() == (Tally(), True)
