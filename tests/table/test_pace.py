"""How fast bots move: said when a table is opened, kept with it and by its rematches."""

from __future__ import annotations

import json

import pytest

from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.refusals import BadRequest, KeyUsed
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState, fold_events
from fivedice.table.view.program_view import position_for
from fivedice.table.view.table_view import view
from table.table_harness import ANN


def test_a_table_keeps_its_pace_and_so_does_the_next_game(tables: Tables, store: Store) -> None:
    then = (cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN))
    table = tables.open(ANN, "yatzy", pace="brisk", then=then)
    for looked in (tables, Tables(store)):  # remembered, and read from the log
        assert looked.state(table).pace == "brisk"
    assert view(tables.state(table), None).pace == position_for(tables.state(table), None).pace == "brisk"
    for box in tables.state(table).book.boxes:
        tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version)
        tables.execute(table, cmd.FillBox(ANN, box.key), version=tables.state(table).version)
    assert tables.state(table).phase is Phase.FINISHED
    assert tables.state(tables.rematch(table, ANN)).pace == "brisk"


def test_without_a_word_a_table_is_calm_and_its_log_is_as_before(tables: Tables, store: Store) -> None:
    table = tables.open(ANN, "yatzy")
    (opened,) = store.events_after(table, 0)
    kind, data = ev.to_data(opened)
    assert "pace" not in data
    old = ev.from_data(kind, json.loads(json.dumps(data)))
    assert fold_events(TableState("x"), (old,)).pace == tables.state(table).pace == "calm"


def test_a_pace_of_a_later_version_is_calm(tables: Tables, store: Store) -> None:
    table = tables.open(ANN, "yatzy", pace="brisk")
    (opened,) = store.events_after(table, 0)
    kind, data = ev.to_data(opened)
    assert fold_events(TableState("x"), (ev.from_data(kind, data | {"pace": "with-coffee"}),)).pace == "calm"


def test_another_pace_is_refused_with_those_that_there_are(tables: Tables) -> None:
    with pytest.raises(BadRequest, match=r"no pace 'hasty'\. Choose one of at-once, brisk and calm"):
        tables.open(ANN, "yatzy", pace="hasty")


def test_the_same_key_with_another_pace_is_another_request(tables: Tables) -> None:
    table = tables.open(ANN, "yatzy", key="k", pace="brisk")
    assert tables.open(ANN, "yatzy", key="k", pace="brisk") == table
    with pytest.raises(KeyUsed):
        tables.open(ANN, "yatzy", key="k")
