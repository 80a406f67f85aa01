"""The data kept about a player is shown completely, and a new key voids the old one."""

import json

import pytest
from sqlalchemy import Engine, select

from fivedice.store import schema
from fivedice.store.backups.integrity import check_everything
from fivedice.store.database import migrate
from fivedice.store.migrations import downgrade
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import NotAllowed, NotYourTurn
from fivedice.table.service import Tables
from support.tables import NO_DATA

ANN, BOB, NEW = player_id("a" * 30), player_id("b" * 30), player_id("c" * 30)


@pytest.fixture
def table(tables: Tables) -> str:
    tables.store.choices.remember(ANN, {"name": "Ann"})
    tables.store.shelf.save('extends = "yatzy"\nname = "Ours"\n', ANN)
    then = [cmd.SitDown(ANN, "Ann"), cmd.SitDown(BOB, "Bob"), cmd.StartGame(ANN)]
    return tables.open(ANN, "yatzy", then=then)


def test_own_data_is_complete_and_shows_no_one_else(tables: Tables, table: str) -> None:
    found = tables.store.own_data.of(ANN)
    assert found["choices"]["name"] == "Ann"
    assert [book["name"] for book in found["house_rules"]] == ["Ours"]
    assert [(game["id"], game["name"], game["results"]) for game in found["games"]] == [(table, "Ann", [])]
    secret = tables.store.header(table)
    assert secret is not None
    assert not {BOB, secret.secret} & set(json.dumps(found).split('"'))
    assert tables.store.own_data.of(NEW) == NO_DATA


def test_new_key_takes_everything_and_voids_the_old(
    tables: Tables, neighbour: Tables, table: str, engine: Engine
) -> None:
    assert neighbour.state(table).seats_of(ANN) == (0,), "another process knows the table"
    assert tables.store.own_data.change_key(ANN, NEW) == 1
    for one in (tables, neighbour):
        state = one.state(table)
        assert (state.seats_of(ANN), state.seats_of(NEW), state.host) == ((), (0,), NEW)
        with pytest.raises((NotAllowed, NotYourTurn)):
            one.execute(table, cmd.Leave(ANN, 0))
        one.execute(table, cmd.ComeBack(NEW, 0))
    assert tables.store.own_data.of(ANN) == NO_DATA
    assert len(tables.store.own_data.of(NEW)["games"]) == 1
    with engine.connect() as connection:
        kept = json.dumps(
            [
                list(row)
                for name in ("events", "seats", "shelves", "players")
                for row in connection.execute(select(schema.metadata.tables[name]))
            ],
            default=str,
        )
        assert ANN not in kept
        assert check_everything(connection).tables == 1


def test_host_without_a_seat_can_change_the_key(tables: Tables) -> None:
    table = tables.open(ANN, "yatzy", then=[cmd.SitDown(BOB, "Bob")])
    assert tables.store.own_data.change_key(ANN, NEW) == 1
    assert tables.state(table).host == NEW
    with pytest.raises(NotAllowed):
        tables.execute(table, cmd.StartGame(ANN))
    tables.execute(table, cmd.StartGame(NEW))


def test_migration_finds_participants_of_older_versions(tables: Tables, engine: Engine, table: str) -> None:
    """A database of an earlier version: the migration reads the logs."""
    elsewhere = tables.open(ANN, "yatzy", then=[cmd.SitDown(BOB, "Bob")])
    downgrade(engine, "0006")
    migrate(engine)
    found = tables.store.own_data.of(ANN)
    assert ([game["id"] for game in found["games"]], [game["id"] for game in found["also_in"]]) == (
        [table],
        [elsewhere],
    )
    with engine.connect() as connection:
        parts = connection.execute(select(schema.parts.c.player, schema.parts.c.table_id)).all()
        assert sorted(map(tuple, parts)) == sorted((who, at) for who in (ANN, BOB) for at in (table, elsewhere))
