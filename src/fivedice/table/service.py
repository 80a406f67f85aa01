"""The one way to a table: load, check, decide, append, and only then tell the others."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import NoReturn, TypeVar

from fivedice.dice import outside
from fivedice.errors import quote
from fivedice.rules import SHIPPED, RuleBook, shipped
from fivedice.table import commands as ask, events as log
from fivedice.table.decide import Context, decide
from fivedice.table.fold import folded
from fivedice.table.ledger import Header, NewTable
from fivedice.table.own_rules import read_rules, tidy
from fivedice.table.proving import dice_of, promise_of, telling
from fivedice.table.refusals import BadRequest, NotAllowed, StaleVersion, UnknownTable, WrongPhase
from fivedice.table.rights import MOST_GAMES, need, need_own_seat, need_pencil, need_unfinished
from fivedice.table.state import Phase, TableState
from fivedice.table.store import Store
from fivedice.table.writer import VersionConflict

KEPT_IN_MEMORY = 2000
LOCKS = 256  # shared by all tables: a lock for each id that is asked for would never end
TRIES = 5

# Commands that mean something else once the dice, the sheet or the numbers of the seats have changed.
_VERSIONED = (
    ask.RollDice,
    ask.EnterDice,
    ask.Withdraw,
    ask.FillBox,
    ask.Correct,
    ask.TakeBack,
    ask.SkipTurn,
    ask.StandUp,
)

_T = TypeVar("_T")
_is_id = re.compile(r"[A-Za-z0-9_-]{1,32}").fullmatch


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
        self._locks = tuple(Lock() for _ in range(LOCKS))
        self._guard = Lock()

    def open(
        self,
        host: str,
        book: str,
        *,
        coach: bool = True,
        rules: str | None = None,
        real_dice: bool = False,
        games: int = 1,
        match_total: bool = True,
        seed: str | None = None,
        word: str | None = None,
        then: Iterable[ask.Command] = (),
    ) -> str:
        """Set up a table and return its id, which nobody can guess.

        `book` is the key of a shipped book or the address of a house book; `rules` is the text of one. A `seed` makes
        the dice foreseeable, for scripts and tests; a `word` keeps the promise that was made with it, and sent twice it
        is one table. With real dice a sheet can have several games side by side. What is to happen there at once
        happens with it: if one of these commands is refused, there is no table.
        """
        _check_games(games, real_dice=real_dice)
        if (twin := self._just_opened(host, word)) is not None:
            return twin
        rules = self._house_rules(book) if rules is None else tidy(rules)
        found = _book(book, rules)
        opened = log.Opened(
            found.key,
            host,
            coach,
            rules=rules,
            real_dice=real_dice,
            games=games,
            match_total=match_total,
            fingerprint=found.fingerprint,
        )
        promised = None if seed is not None else self.store.promises.secret(word)
        new = _new_table(opened, secret=seed or promised, foreseeable=seed is not None)
        new = new if promised is None else replace(new, word=word)
        for command in then:
            dice = dice_of(new.state, new.header.secret)
            new = _further(new, decide(new.state, command, Context(dice)))
        try:
            self.store.create(new)
        except VersionConflict:  # both halves of a double click at the very same time
            return self._just_opened(host, word) or _busy()
        self.ring(new.header.id, new.header.version)
        return new.header.id

    def _just_opened(self, host: str, word: str | None) -> str | None:
        """The table that the first half of a double click has opened, if nobody has rolled there yet."""
        table = None if word is None else self.store.promises.table(word)
        state = None if table is None else self.state(table)
        return table if state is not None and state.host == host and not (state.rolls or state.turn) else None

    def _house_rules(self, book: str) -> str | None:
        return None if book in SHIPPED else self.store.shelf.text(book)

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
        present: frozenset[str] | None = None,
    ) -> Done:
        """Carry a command out, once however often it is sent, or refuse it and change nothing.

        A key belongs to the person who sends it. Without `present` only those who left count as absent.
        """
        done = self._persist(table, lambda: self._execute(table, command, version, key, present))
        if not done.repeated and done.events:
            self.ring(table, done.version)
        return done

    def rematch(self, table: str, player: str) -> str:
        """Open the next game for the same people, started by the next seat; asked twice, it is the same table."""
        following, version = self._persist(table, lambda: self._rematch(table, player))
        if version is not None:
            self.ring(table, version)
        return following

    def offer_seat(self, table: str, player: str, seat: int) -> str:
        """A code that hands the seat of this person to whoever brings it first; earlier ones are void."""
        state = self.state(table)
        need(state, Phase.PLAYING)
        need_own_seat(state, player, seat)
        code = new_key()
        self.store.handovers.offer_seat(player_id(code), table, seat)
        return code

    def take_over(self, table: str, player: str, code: str) -> Done:
        """Play the seat that the code hands over, from now on."""
        need(self.state(table), Phase.PLAYING)
        seat = self.store.handovers.claim_seat(player_id(code), table)
        if seat is None:
            raise NotAllowed("That link hands no seat over: it has been used, or a newer one was made.")
        return self.execute(table, ask.TakeOver(player, seat))

    def offer_pencil(self, table: str, player: str) -> str:
        """A code that makes whoever brings it first the keeper of the score; earlier ones are void."""
        state = self.state(table)
        need_pencil(state, player)
        need_unfinished(state)
        code = new_key()
        self.store.handovers.offer_pencil(player_id(code), table)
        return code

    def take_pencil(self, table: str, player: str, code: str) -> Done:
        """Keep the score from now on."""
        decide(self.state(table), ask.TakePencil(player), Context(outside()))  # a refusal must not use up the code
        if not self.store.handovers.claim_pencil(player_id(code), table):
            raise NotAllowed("That link hands no pencil on: it has been used, or a newer one was made.")
        return self.execute(table, ask.TakePencil(player))

    def _persist(self, table: str, attempt: Callable[[], _T]) -> _T:
        """Try again while other processes are quicker, and perhaps be refused by what they did."""
        with self._lock(table):
            for _ in range(TRIES):
                try:
                    return attempt()
                except VersionConflict:
                    continue
        return _busy()

    def _execute(
        self, table: str, command: ask.Command, version: int | None, key: str | None, present: frozenset[str] | None
    ) -> Done:
        header, state = self._fresh(table)
        stored = None if key is None else player_id(f"{command.player}/{key}")
        if stored is not None and self.store.version_of_key(table, stored) is not None:
            return Done(self._fresh(table)[1].version, repeated=True)  # it may have come in since we looked
        _check_version(state, command, version)
        events = decide(state, command, Context(dice_of(state, header.secret), present))
        after = self._append(header, state, events, stored)
        return Done(after.version, repeated=False, events=events)

    def _rematch(self, table: str, player: str) -> tuple[str, int | None]:
        """The following table and, where it is new, the version at which this one says so."""
        header, state = self._fresh(table)
        if not state.seats_of(player):
            raise NotAllowed("Only players of this table can ask for a rematch.")
        if state.rematch is not None:
            return state.rematch, None
        if state.phase is not Phase.FINISHED or state.game is None:
            raise WrongPhase("The game is not finished yet.")
        first = state.game.next_first
        opened = log.Opened(
            state.book.key,
            player,
            state.coach,
            first,
            table,
            state.rules,
            state.real_dice,
            state.games,
            state.match_total,
            state.book.fingerprint,
        )
        seats = (log.Sat(seat.name, seat.color, seat.token, seat.player, seat.bot, seat.text) for seat in state.seats)
        new = _new_table(opened, *seats)
        after = self._append(header, state, (log.Rematched(new.header.id),), None, new)
        return new.header.id, after.version

    def _append(
        self,
        header: Header,
        state: TableState,
        events: tuple[log.Event, ...],
        key: str | None,
        following: NewTable | None = None,
    ) -> TableState:
        """Write first, believe afterwards: what others see changes only when the commit is through."""
        if not events:
            return state
        after = folded(state, events)
        told = telling(after, header.secret)
        events, after = events + told, folded(after, told)
        self.store.append(state, after, events, key, following, header.edition)
        self._remember(header, after)
        return after

    def _fresh(self, table: str) -> tuple[Header, TableState]:
        """The table with every event that any process has written."""
        header = self.store.header(table) if _is_id(table) else None
        if header is None:
            raise UnknownTable(f"There is no table {quote(table)}. Check the link, or start a new one.")
        known, state = self._known.get(table, (header, TableState(table)))
        if known.edition != header.edition:
            state = TableState(table)  # restored meanwhile: it may have gone another way from the start
        if state.version < header.version:
            state = folded(state, self.store.events_after(table, state.version))
        self._remember(header, state)
        return header, state

    def _remember(self, header: Header, state: TableState) -> None:
        with self._guard:
            self._known[header.id] = (header, state)
            self._known.move_to_end(header.id)
            while len(self._known) > KEPT_IN_MEMORY:
                self._known.popitem(last=False)

    def _lock(self, table: str) -> Lock:
        return self._locks[hash(table) % LOCKS]


def _check_games(games: int, *, real_dice: bool) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise BadRequest(f"A sheet has 1 to {MOST_GAMES} games, not {quote(games)}.")
    if games > 1 and not real_dice:
        raise BadRequest("Several games side by side are for real dice: open a score pad, or ask for a rematch.")


def _book(key: str, rules: str | None) -> RuleBook:
    if rules is None and key not in SHIPPED:
        raise BadRequest(f"There is no book {quote(key)}; choose one of {', '.join(SHIPPED)}.")
    return shipped(key) if rules is None else read_rules(rules)


def _new_table(
    opened: log.Opened, *further: log.Event, secret: str | None = None, foreseeable: bool = False
) -> NewTable:
    """An id of 128 random bits, an invitation of 144, and 256 bits for the dice."""
    dice = secrets.token_hex(32) if secret is None else secret
    promise = promise_of(dice, real_dice=opened.real_dice, foreseeable=foreseeable)
    events = (replace(opened, promise=promise), *further)
    header = Header(secrets.token_urlsafe(16), secrets.token_urlsafe(18), dice, len(events))
    return NewTable(header, folded(TableState(header.id), events), events)


def _further(new: NewTable, events: tuple[log.Event, ...]) -> NewTable:
    """The same new table, some events later."""
    state = folded(new.state, events)
    return replace(new, header=replace(new.header, version=state.version), state=state, events=new.events + events)


def _busy() -> NoReturn:
    raise StaleVersion("The table is very busy; please try again.")


def _nobody_listens(_table: str, _version: int) -> None:
    """For programs that have no screens to tell."""


def _check_version(state: TableState, command: ask.Command, version: int | None) -> None:
    """A command may have been made before people came and went, but not before what it is about."""
    if not isinstance(command, (*_VERSIONED, ask.AnswerUndo)):
        return
    if version is None:
        raise BadRequest("The command needs the version of the table that it was made for.")
    oldest = state.undo_version if isinstance(command, ask.AnswerUndo) else state.game_version
    if not oldest <= version <= state.version:
        raise StaleVersion("The table has moved on since you looked. Here is how it stands now.", version=state.version)


def player_id(key: str) -> str:
    """What the server keeps of the key in a browser: enough to know it again, too little to use it."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def new_key() -> str:
    """A key for a browser or a seat: 256 random bits."""
    return secrets.token_urlsafe(32)
