"""Tables brought to a chosen situation: scripted events in the log that the server reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fivedice.core.dice import Roll
from fivedice.core.game import RollOff
from fivedice.core.rules import shipped
from fivedice.store.database import open_database
from fivedice.store.table_store import Header, Store, TableDraft
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE, player_id
from fivedice.table.seat_names import COLORS, TOKENS
from fivedice.table.service import Tables
from fivedice.table.state import TableState, fold_events

WORTHLESS = (1, 2, 3, 4, 6, 6)
CODE = "invitation-code"


def key_of(name: str) -> str:
    """The key in the browser of a person of the tests."""
    return f"{name}-{'k' * 24}"


@dataclass(frozen=True)
class Seat:
    """A seat at a staged table; without `owner` it is at its own device."""

    name: str
    owner: str = ""
    bot: str | None = None

    @property
    def player(self) -> str | None:
        return None if self.bot else player_id(key_of(self.owner or self.name))


class NoDice:
    """Scripted tables never throw."""

    decides_start = False

    def throw(self, *_: object) -> tuple[int, ...]:
        raise AssertionError("a staged table rolls what it is told")


class Scene:
    """A table in the making; `put` writes it into the database."""

    def __init__(self, name: str, book: str, seats: Sequence[Seat | str], host: str = "") -> None:
        self.seats = [Seat(seat) if isinstance(seat, str) else seat for seat in seats]
        owner = host or self.seats[0].owner or self.seats[0].name
        self.state = TableState(name)
        self.log: list[ev.Event] = []
        self.add(ev.Opened(book, player_id(key_of(owner)), fingerprint=shipped(book).fingerprint))
        for number, seat in enumerate(self.seats):
            self.add(ev.Sat(seat.name, COLORS[number % 8], TOKENS[number % 8], seat.player, seat.bot))

    def add(self, *events: ev.Event) -> Scene:
        self.state = fold_events(self.state, events)
        self.log += events
        return self

    def start(self, first: int = 0, roll_off: Sequence[str] = ()) -> Scene:
        if roll_off:
            first = RollOff(self.state.book, len(self.seats), tuple(map(Roll.parse, roll_off))).winner or 0
        return self.add(ev.Started(first, tuple(roll_off)))

    def roll(self, dice: str, held: Sequence[int] = ()) -> Scene:
        assert self.state.on_turn is not None
        return self.add(ev.Rolled(self.state.on_turn, tuple(map(int, dice)), tuple(held)))

    def score(self, box: str) -> Scene:
        assert self.state.on_turn is not None
        player = HOUSE if self.state.house_plays(self.state.on_turn) else self.seats[self.state.on_turn].player
        return self.add(*cmd.FillBox(player or HOUSE, box).decide(self.state, Context(NoDice())))

    def turn(self, dice: str, box: str) -> Scene:
        return self.roll(dice).score(box)

    def play_until(self, turns_left: int, spare: Sequence[str] = ()) -> Scene:
        """Score boxes with worthless dice until that many are open; spared boxes stay open."""
        while self.open_boxes > turns_left:
            if not self.state.slots:
                self.roll("".join(map(str, WORTHLESS[: self.state.book.dice])))
            legal = sorted(self.state.running.position.ruling().legal, key=lambda box: box in spare)
            self.score(legal[0])
        return self

    @property
    def open_boxes(self) -> int:
        return sum(mark is None for card in self.state.running.position.cards for mark in card.marks)


class Stage:
    """The database of a server, seen from behind."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(open_database(f"sqlite:///{folder / 'tables.db'}"))
        self.tables = Tables(self.store)
        self._count = 0

    def close(self) -> None:
        self.store.close()

    def scene(self, book: str, *seats: Seat | str, host: str = "") -> Scene:
        self._count += 1
        return Scene(f"scene-{self._count}", book, seats, host)

    def put(self, scene: Scene) -> str:
        """Write the table and return its path."""
        header = Header(scene.state.id, CODE, "5" * 64, len(scene.log))
        self.store.create(TableDraft(header, scene.state, tuple(scene.log)))
        return f"/t/{scene.state.id}"
