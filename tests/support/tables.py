"""Play games at tables through the service, and age or migrate their database."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any, TypeVar

from alembic import command
from sqlalchemy import Engine, select

from fivedice.store.retention import Retention
from fivedice.store.upgrade import migrations
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.autoplay import house_command
from fivedice.table.actions.rights import HOUSE
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import Phase
from table.table_harness import HAL

T = TypeVar("T")


def begun(tables: Tables, *players: str, book: str = "yatzy") -> str:
    """A game that has begun; who starts is drawn."""
    table = tables.open(HAL, book)
    for player in players:
        tables.execute(table, cmd.SitDown(player, player[:20].capitalize()))
    tables.execute(table, cmd.StartGame(HAL))
    return table


def on_turn(tables: Tables, table: str) -> str:
    state = tables.state(table)
    assert state.on_turn is not None
    return state.seats[state.on_turn].player or HOUSE


def play(tables: Tables, table: str) -> None:
    """One turn, without any finesse; after the end of a game was taken back the dice lie there already."""
    player = on_turn(tables, table)
    if not tables.state(table).slots:
        tables.execute(table, cmd.RollDice(player), version=tables.state(table).version)
    state = tables.state(table)
    box = next(iter(state.running.position.ruling().legal))
    tables.execute(table, cmd.FillBox(player, box), version=state.version)


def finish(tables: Tables, table: str) -> None:
    while tables.state(table).phase is Phase.PLAYING:
        play(tables, table)


def at_once(*actions: Callable[[], T]) -> list[T | Refusal]:
    """Run these in as many threads, all waiting for the same moment."""
    barrier = Barrier(len(actions))

    def run(action: Callable[[], T]) -> T | Refusal:
        barrier.wait()
        try:
            return action()
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def rows(engine: Engine, table: Any) -> list[tuple[Any, ...]]:
    with engine.begin() as connection:
        return [tuple(row) for row in connection.execute(select(table))]


def play_house(tables: Tables, table: str) -> None:
    """Ann writes whatever comes, and the bots play as they do on a server."""
    while (seat := (state := tables.state(table)).on_turn) is not None:
        if state.house_plays(seat):
            command = house_command(state, seat)
        elif state.running.position.chance_moves_next:
            command = cmd.RollDice("ann")
        else:
            command = cmd.FillBox("ann", next(iter(state.running.position.ruling().legal)))
        tables.execute(table, command, version=state.version)


def later(days: float) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def sweep(tables: Tables, keep: Retention, days: float) -> int:
    """Look on that day and on the next: what is put away was due at both looks."""
    tables.store.attic.sweep(Retention(0, 0), later(-1))  # no look of another test's day stands
    assert tables.store.attic.sweep(keep, later(days)) == 0, "one look is not enough"
    assert tables.store.attic.sweep(keep, later(days + 0.9)) == 0, "nor are two on one day"
    return tables.store.attic.sweep(keep, later(days + 1))


def downgrade(engine: Engine, revision: str = "base") -> None:
    config = migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
