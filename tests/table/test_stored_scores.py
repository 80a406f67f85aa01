"""Stored scores must follow the rules: contradicting logs are refused."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fivedice.store.backups.backup_file import BackupError, backup, restore
from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.events import from_data, to_data
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import TableState, fold_events
from for_each import for_each
from table.table_harness import ANN, Parlour, pad, play_out, start_table, summary, write


def second_yahtzee() -> Parlour:
    parlour = start_table(ANN)
    parlour.turn(ANN, "44444", "five_of_a_kind")
    parlour.turn(ANN, "44444", "fours")
    parlour.turn(ANN, "44444", "large_straight")
    return parlour


def replay_with(parlour: Parlour, number: int, **changed: Any) -> TableState:
    """Return the table of a log with one line changed."""
    lines = [to_data(event) for event in parlour.log]
    kind, data = lines[number]
    lines[number] = (kind, {name: value for name, value in (data | changed).items() if value is not None})
    return fold_events(TableState("T"), [from_data(*line) for line in lines])


def scores(parlour: Parlour) -> list[int]:
    return [number for number, event in enumerate(parlour.log) if isinstance(event, ev.Scored)]


@for_each(
    ("changed", "stored"),
    [
        ({"points": 999}, 1099),
        ({"points": 999, "bonus": None}, 999),
        ({"points": 0}, 100),
        ({"bonus": 0}, 40),
        ({"bonus": 200}, 240),
        ({"joker": False}, 140),
    ],
)
def test_stored_score_against_the_rules_is_refused(changed: dict[str, Any], stored: int) -> None:
    parlour = second_yahtzee()
    last = scores(parlour)[-1]
    with pytest.raises(Refusal, match=f"Game T is damaged: event {last + 1} ") as refusal:
        replay_with(parlour, last, **changed)
    assert refusal.value.code == "damaged"
    box = parlour.state.book.box("large_straight")
    answer = {"table": "T", "event": last + 1, "box": box, "stored": stored, "points": 140}
    assert refusal.value.message.args == answer


def test_older_and_corrected_scores_are_accepted() -> None:
    parlour = second_yahtzee()
    state = replay_with(parlour, scores(parlour)[-1], bonus=None, joker=None)
    assert summary(state)["record"] == summary(parlour.state)["record"]
    parlour = pad("Ann", games=2)
    write(parlour, "44444", "five_of_a_kind")
    write(parlour, "44444", "fours")
    parlour.do(cmd.TakeBack(ANN))
    parlour.score(ANN, "fours")
    parlour.do(cmd.Correct(ANN, (cmd.Change(0, 0, (1, 2, 3, 4, 6)),)))
    write(parlour, "66666", "sixes")
    parlour.do(cmd.Correct(ANN, (cmd.Change(0, 1, (1, 4, 4, 4, 4)),)))
    assert summary(parlour.replayed()) == summary(parlour.state)
    parlour = start_table(ANN)
    play_out(parlour)
    assert summary(parlour.replayed()) == summary(parlour.state)


def test_backup_check_finds_contradicting_scores(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    tables = Tables(Store(open_database(url)))
    table = tables.open(ANN, "yahtzee", then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])
    tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version)
    tables.execute(table, cmd.FillBox(ANN, "chance"), version=tables.state(table).version)
    backup(url, tmp_path / "sound")
    tables.store.close()
    with closing(sqlite3.connect(tmp_path / "tables.db")) as connection, connection:
        connection.execute("UPDATE events SET data = json_set(data, '$.points', 999) WHERE kind = 'Scored'")
    with pytest.raises(BackupError, match=f"Game {table} is damaged: event 5 stores 999 points in Chance"):
        backup(url, tmp_path / "b")
    with pytest.raises(BackupError, match="stores 999 points"):
        restore(url, tmp_path / "b", replace=True)
    with pytest.raises(Refusal, match="stores 999 points"):
        Tables(Store(open_database(url))).state(table)
