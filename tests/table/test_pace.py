"""The pace of bots: set when a table is opened, kept by its rematches."""

import json

import pytest

from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.refusals import BadRequest, KeyUsed
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState, fold_events
from fivedice.table.view.table_view import position_for, view
from table.table_harness import ANN


def test_table_and_rematch_keep_their_pace(tables: Tables, store: Store) -> None:
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


def test_default_unknown_and_invalid_paces(tables: Tables, store: Store) -> None:
    table = tables.open(ANN, "yatzy")
    (opened,) = store.events_after(table, 0)
    kind, data = ev.to_data(opened)
    assert "pace" not in data
    old = ev.from_data(kind, json.loads(json.dumps(data)))
    assert fold_events(TableState("x"), (old,)).pace == tables.state(table).pace == "calm"
    table = tables.open(ANN, "yatzy", pace="brisk")
    (opened,) = store.events_after(table, 0)
    kind, data = ev.to_data(opened)
    assert fold_events(TableState("x"), (ev.from_data(kind, data | {"pace": "with-coffee"}),)).pace == "calm"
    with pytest.raises(BadRequest, match=r"no pace 'hasty'\. Choose one of at-once, brisk and calm"):
        tables.open(ANN, "yatzy", pace="hasty")
    table = tables.open(ANN, "yatzy", key="k", pace="brisk")
    assert tables.open(ANN, "yatzy", key="k", pace="brisk") == table
    with pytest.raises(KeyUsed):
        tables.open(ANN, "yatzy", key="k")
