"""Counts of how dice fell."""

from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from fivedice.store import fair_dice, schema
from fivedice.store.backups.backup_file import backup, restore
from fivedice.store.database import migrate, open_database
from fivedice.store.migrations import downgrade
from fivedice.store.retention import Retention
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.events import Opened, Rolled
from fivedice.table.fairness.dice_statistics import Comparison, Tally, compare
from fivedice.table.refusals import BadRequest
from fivedice.table.service import Tables
from for_each import for_each
from support.tables import finish, later, play, sweep
from table.table_harness import ANN, BOB


def test_counting_dice_and_chi_square() -> None:
    tally = Tally()
    tally.add_game([((1, 2, 3, 4, 5), ()), ((1, 6, 3, 6, 5), (0, 2, 4))])
    assert tally.games == 1
    assert tally.dice == 7
    assert tally.faces == Counter({(1,): 1, (2,): 1, (3,): 1, (4,): 1, (5,): 1, (6,): 2})
    assert tally.pairs == Counter({(1, 2): 1, (3, 4): 1, (6, 6): 1})
    assert tally.patterns == Counter({(1, 2, 3, 4, 5): 1})
    tally = Tally()
    tally.add_game([((1, 1, 1, 1, 1, 2), ()), ((1, 1, 1, 1, 1, 3), (0,))])
    assert tally.dice == 11
    assert not tally.patterns
    tally = Tally()
    tally.add_game([((2, 2, 3, 4, 5), ())] * 8)
    for comparison, freedom in ((tally.of_faces(), 5), (tally.of_pairs(), 35), (tally.of_patterns(), 251)):
        assert comparison.freedom == freedom
        assert sum(line.expected for line in comparison.lines) == pytest.approx(
            sum(line.seen for line in comparison.lines)
        )
    assert tally.of_patterns().deviation > 10  # always the same roll is not how dice fall
    # 60 dice, 10 of each expected: (4 + 4) / 10.
    seen = Counter({(1,): 12, (2,): 8, (3,): 10, (4,): 10, (5,): 10, (6,): 10})
    assert compare(seen, {(face,): 1 / 6 for face in range(1, 7)}).chi_square == pytest.approx(0.8)
    assert Tally().of_faces().chi_square == 0.0
    assert Tally().of_faces().deviation == 0.0


@for_each(
    ("chi_square", "freedom", "deviation"),
    [(4.3515, 5, 0.0), (11.0705, 5, 1.645), (1.1455, 5, -1.645), (57.342, 35, 2.326), (0.0, 5, 0.0), (3.0, 0, 0.0)],
)
def test_deviation_matches_chi_square_tables(chi_square: float, freedom: int, deviation: float) -> None:
    assert Comparison((), chi_square, freedom).deviation == pytest.approx(deviation, abs=0.02)


def begin(tables: Tables, *people: str, **options: object) -> str:
    sitting = [cmd.SitDown(person, person.title()) for person in people]
    return tables.open(people[0], "yatzy", then=[*sitting, cmd.StartGame(people[0])], **options)  # type: ignore[arg-type]


def stored_counts(tables: Tables) -> Tally:
    """The stored tally, after a comparison with a recount of all logs that shares no code with it."""
    faces, pairs, patterns, games = Counter[int](), Counter[str](), Counter[str](), 0
    with tables.store._reading() as connection:
        over = select(schema.tables.c.id).where(schema.tables.c.phase.in_(("finished", "given up")))
        logs = [tables.store.events_after(table, 0) for table in connection.execute(over).scalars().all()]
    for opened, *events in logs:
        assert isinstance(opened, Opened)
        if opened.real_dice or "faces = 8" in (opened.rules or ""):
            continue
        games += 1
        for roll in [event for event in events if isinstance(event, Rolled)]:
            fallen = [roll.dice[slot] for slot in sorted({*range(len(roll.dice))} - set(roll.held))]
            faces.update(fallen)
            pairs.update(f"{fallen[n]}{fallen[n + 1]}" for n in range(0, len(fallen) - 1, 2))
            if len(fallen) == 5:
                patterns["".join(map(str, sorted(fallen)))] += 1
    found = tables.store.dice_counts.look()
    answer = {
        "games": games,
        "faces": {str(face): n for face, n in faces.items()},
        "pairs": pairs,
        "patterns": patterns,
    }
    assert found.to_data() == answer
    return found


def test_game_is_counted_when_it_ends(tables: Tables) -> None:
    table = begin(tables, ANN)
    play(tables, table)
    assert stored_counts(tables) == Tally()
    finish(tables, table)
    assert (stored_counts(tables).games, stored_counts(tables).dice) == (1, 75)
    given_up = begin(tables, ANN)
    play(tables, given_up)
    tables.execute(given_up, cmd.GiveUp(ANN))
    assert stored_counts(tables).games == 2
    tables.rematch(table, ANN)
    assert stored_counts(tables).games == 2


def test_reopened_game_is_counted_once(tables: Tables) -> None:
    table = begin(tables, ANN, seed="7")  # without a secret the end can be taken back
    finish(tables, table)
    once = stored_counts(tables)
    tables.execute(table, cmd.TakeBack(ANN), version=tables.state(table).version)
    assert stored_counts(tables) == Tally()
    tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version)
    finish(tables, table)
    assert stored_counts(tables).dice > once.dice
    assert stored_counts(tables).games == 1


def test_archived_restored_and_deleted_games_are_counted_while_stored(tables: Tables) -> None:
    finish(tables, begin(tables, ANN))
    finish(tables, begin(tables, ANN, BOB))
    both = stored_counts(tables)
    assert sweep(tables, Retention(0, 100), 200) == 2
    assert stored_counts(tables) == Tally()
    tables.store.attic.sweep(Retention(0, 100), later(0))
    assert stored_counts(tables) == both
    running = begin(tables, ANN, BOB)
    play(tables, running)
    tables.forget(ANN)
    assert stored_counts(tables).games == 1, "the one that Bob played too"
    tables.forget(BOB)
    assert stored_counts(tables).games == 0


def test_migration_counts_games_of_earlier_versions(
    tables: Tables, engine: Engine, database: str, tmp_path: Path
) -> None:
    finish(tables, begin(tables, ANN))
    finish(tables, begin(tables, ANN, rules="extends = 'yatzy'\nname = 'Ours'\n"))
    finish(tables, begin(tables, ANN, rules="extends = 'yatzy'\nfaces = 8\nname = 'Octo'\n"))
    begin(tables, ANN)
    before = stored_counts(tables)
    assert before.games == 2
    downgrade(engine, "0009")
    file = tmp_path / "older.backup"
    backup(database, file)
    migrate(engine)
    assert stored_counts(Tables(Store(engine))) == before
    other = f"sqlite:///{tmp_path}/other.db"
    restore(other, file)
    restored = Tables(Store(open_database(other)))
    assert stored_counts(restored) == before
    restored.store.close()


def test_other_faces_and_real_dice_are_not_counted(tables: Tables) -> None:
    """House rules with two faces would make everyone's dice look loaded."""
    finish(tables, begin(tables, ANN, rules="extends = 'yatzy'\nfaces = 8\nname = 'Octo'\n"))
    assert stored_counts(tables) == Tally()
    tables.execute(begin(tables, ANN, real_dice=True), cmd.GiveUp(ANN))
    assert stored_counts(tables) == Tally()


def test_game_with_unreadable_rules_is_not_counted(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object, **__: object) -> None:
        raise BadRequest("table.promise-used")

    table = begin(tables, ANN)
    monkeypatch.setattr(fair_dice, "book_of", unreadable)
    tables.execute(table, cmd.GiveUp(ANN))
    assert tables.store.dice_counts.look() == Tally()
