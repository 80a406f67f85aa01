"""The one way to a table: load, check, decide, append, and only then tell the others."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock

from fivedice.dice import seeded
from fivedice.rules import SHIPPED
from fivedice.table import commands as ask, events as log
from fivedice.table.decide import Context, decide
from fivedice.table.refusals import BadRequest, NotAllowed, StaleVersion, UnknownTable, WrongPhase
from fivedice.table.state import Phase, TableState, fold
from fivedice.table.store import Header, Store, VersionConflict

KEPT_IN_MEMORY = 2000
TRIES = 5

_GAME_COMMANDS = (ask.RollDice, ask.FillBox, ask.TakeBack)


@dataclass(frozen=True, slots=True)
class Done:
    """A command that took effect, now or (a repeated one) earlier."""

    version: int
    repeated: bool
    events: tuple[log.Event, ...] = ()


class Tables:
    """All tables of a server. Safe to call from many threads; several processes may share one database."""

    def __init__(self, store: Store, ring: Callable[[str, int], None] | None = None) -> None:
        self.store = store
        self.ring = ring or _nobody_listens  # tells the screens of a new version, after the commit
        self._known: OrderedDict[str, tuple[Header, TableState]] = OrderedDict()
        self._locks: dict[str, Lock] = {}
        self._guard = Lock()

    def open(self, host: str, book: str, *, coach: bool = True, first: int | None = None, of: str | None = None) -> str:
        """Set up a table and return its id, which nobody can guess."""
        if book not in SHIPPED:
            raise BadRequest(f"There is no book {book!r}; choose one of {', '.join(SHIPPED)}.")
        header = Header(secrets.token_urlsafe(12), secrets.token_urlsafe(12), secrets.token_hex(32), 1)
        state = TableState(header.id)
        opened = log.Opened(book, host, coach, first, of)
        fold(state, opened)
        self.store.create(header, state, [opened])
        return header.id

    def state(self, table: str) -> TableState:
        """The table as it stands now."""
        with self._lock(table):
            return self._fresh(table)[1]

    def join_code(self, table: str) -> str:
        with self._lock(table):
            return self._fresh(table)[0].join_code

    def execute(
        self,
        table: str,
        command: ask.Command,
        *,
        version: int | None = None,
        key: str | None = None,
        present: frozenset[str] = frozenset(),
    ) -> Done:
        """Carry a command out, once however often it is sent, or refuse it and change nothing."""
        with self._lock(table):
            for _ in range(TRIES):
                try:
                    done = self._execute(table, command, version, key, present)
                except VersionConflict:
                    continue  # another process was quicker: look again, and perhaps refuse
                break
            else:
                raise StaleVersion("The table is very busy; please try again.")
        if not done.repeated and done.events:
            self.ring(table, done.version)
        return done

    def rematch(self, table: str, player: str) -> str:
        """Open the next game for the same people, started by the next seat; asked twice, it is the same table."""
        state = self.state(table)
        if state.rematch is not None:
            return state.rematch
        if state.phase is not Phase.FINISHED or state.game is None:
            raise WrongPhase("The game is not finished yet.")
        if player not in {seat.player for seat in state.seats}:
            raise NotAllowed("Only players of this table can ask for a rematch.")
        following = self.open(player, state.book.key, coach=state.coach, first=state.game.next_first, of=table)
        for seat in state.seats:
            self._seat_again(following, seat.name, seat.color, seat.token, seat.player, seat.bot)
        self.append_events(table, (log.Rematched(following),), key="rematch")
        return self.state(table).rematch or following

    def append_events(self, table: str, events: tuple[log.Event, ...], key: str | None = None) -> None:
        """Append events that need no decision; one with a known key is dropped."""
        with self._lock(table):
            header, state = self._fresh(table)
            if key is not None and self.store.version_of_key(table, key) is not None:
                return
            after = self._append(header, state, events, key)
        self.ring(table, after.version)

    def _seat_again(self, table: str, name: str, color: str, token: str, player: str | None, bot: str | None) -> None:
        self.append_events(table, (log.Sat(name, color, token, player, bot),))

    def _execute(
        self, table: str, command: ask.Command, version: int | None, key: str | None, present: frozenset[str]
    ) -> Done:
        header, state = self._fresh(table)
        earlier = self.store.version_of_key(table, key) if key is not None else None
        if earlier is not None:
            return Done(state.version, repeated=True)
        if isinstance(command, _GAME_COMMANDS):
            _check_version(state, version)
        events = decide(state, command, Context(seeded(header.secret), present))
        after = self._append(header, state, events, key)
        return Done(after.version, repeated=False, events=events)

    def _append(self, header: Header, state: TableState, events: tuple[log.Event, ...], key: str | None) -> TableState:
        """Write first, believe afterwards: what others see changes only when the commit is through."""
        if not events:
            return state
        after = _folded(state, events)
        self.store.append(after, state.version, events, key)
        self._remember(header, after)
        return after

    def _fresh(self, table: str) -> tuple[Header, TableState]:
        """The table with every event that any process has written."""
        header = self.store.header(table)
        if header is None:
            raise UnknownTable(f"There is no table {table!r}. Check the link, or start a new one.")
        _, state = self._known.get(table, (header, TableState(table)))
        if state.version < header.version:
            state = _folded(state, self.store.events_after(table, state.version))
        self._remember(header, state)
        return header, state

    def _remember(self, header: Header, state: TableState) -> None:
        with self._guard:
            self._known[header.id] = (header, state)
            self._known.move_to_end(header.id)
            while len(self._known) > KEPT_IN_MEMORY:
                forgotten, _ = self._known.popitem(last=False)
                self._locks.pop(forgotten, None)

    def _lock(self, table: str) -> Lock:
        with self._guard:
            return self._locks.setdefault(table, Lock())


def _nobody_listens(_table: str, _version: int) -> None:
    """For programs that have no screens to tell."""


def _folded(state: TableState, events: Iterable[log.Event]) -> TableState:
    """A new state: those that are already looked at never change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def _check_version(state: TableState, version: int | None) -> None:
    if version is None:
        raise BadRequest("The command needs the version of the table that it was made for.")
    if version < state.game_version or version > state.version:
        raise StaleVersion("The table has moved on since you looked. Here is how it stands now.", version=state.version)


def player_id(key: str) -> str:
    """What the server keeps of the key in a browser: enough to know it again, too little to use it."""
    return sha256(key.encode()).hexdigest()


def new_key() -> str:
    """A key for a browser or a seat: 256 random bits."""
    return secrets.token_urlsafe(32)
