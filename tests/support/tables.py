"""Play games at tables through the service, and age or migrate their database."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from threading import Barrier
from typing import Any, TypeVar

from sqlalchemy import Engine, select

from fivedice.core.dice import Roll
from fivedice.core.game import judge
from fivedice.store import schema
from fivedice.store.retention import Retention
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.playing import house_command
from fivedice.table.actions.rights import HOUSE
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import Phase, TableState
from table.table_harness import ANN, HAL, Parlour, pad, summary

T = TypeVar("T")

NO_DATA: dict[str, object] = {"choices": {}} | {
    name: []
    for name in (
        "house_rules",
        "games",
        "also_in",
        "daily",
        "deals",
        "tens",
        "training",
        "circles",
        "days",
        "shared_games",
        "device_links",
        "notices",
    )
}  # what is kept about a person who is not there


def start_game(tables: Tables, *players: str, book: str = "yatzy") -> str:
    """Open and start a game; the first player is drawn."""
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
    """Play one turn; after an undone end the dice are already there."""
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
    """Run the actions in threads that start at the same moment."""
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
    """Play Ann's turns by the first legal box and the bots as a server does."""
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
    """Sweep on that day and the next: entries must be due at both."""
    tables.store.attic.sweep(Retention(0, 0), later(-1))  # no look of another test's day stands
    assert tables.store.attic.sweep(keep, later(days)) == 0, "one look is not enough"
    assert tables.store.attic.sweep(keep, later(days + 0.9)) == 0, "nor are two on one day"
    return tables.store.attic.sweep(keep, later(days + 1))


PEOPLE = ("ann", "bob", "cat", "dan")


def anything_on_a_pad(random: Random, parlour: Parlour) -> cmd.Command:
    """Return what a scorekeeper, or sometimes another player, might do; half of it is illegal."""
    state, dice = parlour.state, parlour.state.book.dice
    who = random.choice([*(9 * [state.host]), "zoe", HOUSE])
    boxes = [box.key for box in state.book.boxes]
    thrown = _often_alike(random, dice)
    if state.on_turn is not None and state.game is not None and random.random() < 0.6:
        legal = list(judge(state.game.position.card, Roll(thrown)).legal)
        return cmd.WriteTurn(who, state.game_number, state.turn, thrown, random.choice(legal))
    changes = tuple(
        cmd.Change(
            random.randint(0, state.game_number),
            random.randint(0, max(0, state.turn - 1)),
            _often_alike(random, dice) if random.random() < 0.7 else None,
            random.choice(boxes) if random.random() < 0.3 else None,
        )
        for _ in range(random.choice((1, 1, 2)))
    )
    hold = tuple(slot for slot in range(len(state.slots)) if random.random() < 0.5)
    return random.choice(
        [
            cmd.EnterDice(who, thrown[len(hold) :], hold, last=random.random() < 0.3),
            cmd.EnterDice(who, thrown),
            cmd.Withdraw(who),
            cmd.FillBox(who, random.choice(boxes)),
            cmd.Correct(who, changes),
            cmd.TakeBack(who),
            cmd.Erase(who, state.game_number, state.turn - 1),
            cmd.WriteTurn(who, state.game_number, state.turn, None, random.choice(boxes), points=random.randrange(30)),
            cmd.NextGame(who, state.game_number + 1),
            cmd.NextGame(who, state.game_number + 1),
            cmd.PassTurn(who, state.game_number, state.turn, state.on_turn or 0),
            cmd.JoinSheet(who, "Late") if len(state.seats) < 4 and random.random() < 0.3 else cmd.Withdraw(who),
            cmd.Retire(who, random.randrange(len(state.seats))) if random.random() < 0.3 else cmd.Withdraw(who),
            cmd.Rejoin(who, random.randrange(len(state.seats))),
            cmd.Rename(who, random.randrange(len(state.seats)), random.choice(("Ann", "Ada", "Bo"))),
            cmd.TakePencil(random.choice(PEOPLE)) if random.random() < 0.2 else cmd.Withdraw(who),
        ]
    )


def _often_alike(random: Random, count: int) -> tuple[int, ...]:
    return (random.randint(1, 6),) * count if random.random() < 0.3 else tuple(random.choices(range(1, 7), k=count))


def pad_walk(book: str, seats: int, seed: int, steps: int) -> tuple[Parlour, list[tuple[TableState, str]]]:
    """Return a sheet of three games after that many attempts, and states shown on the way."""
    random = Random(seed)
    parlour = pad(*("Ann", "Bob", "Cat")[:seats], book=book, games=3)
    shown = []
    for number in range(steps):
        if number % 16 == 0:
            shown.append((parlour.state, json.dumps(summary(parlour.state))))
        with suppress(Refusal):
            parlour.do(anything_on_a_pad(random, parlour))
    return parlour, shown


def everything(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    return {table.name: rows(engine, table) for table in schema.metadata.sorted_tables}


def open_sheet(tables: Tables, names: tuple[str, ...] = ("Ann", "Bob"), **options: object) -> str:
    then = (*(cmd.SitDown(ANN, name) for name in names), cmd.StartGame(ANN))
    return tables.open(ANN, "yahtzee", real_dice=True, then=then, **options)  # type: ignore[arg-type]
