"""Execute commands at tables: load, check, decide, append, and only then notify others. All changes go this way.

Tables are cached in memory, and updated from the log before each command.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from threading import Lock
from typing import NoReturn, TypeVar

from fivedice.core.rules import SHIPPED
from fivedice.errors import quote
from fivedice.store.access import VersionConflict
from fivedice.store.deals import Attempt, Deal
from fivedice.store.table_store import CommandKey, Header, Store, TableDraft
from fivedice.table.action import Context, check_room, check_version
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import HOUSE, player_id
from fivedice.table.actions.seating import CALM, check_pace
from fivedice.table.fairness.commitments import dice_of, following, is_hidden, reveal
from fivedice.table.house_rules_text import book_of, house_id, tidy
from fivedice.table.refusals import KeyUsed, NotAllowed, PromiseServed, Refusal, StaleVersion, UnknownTable
from fivedice.table.service.table_creation import check_games, new_table, next_table, run_commands
from fivedice.table.state import TableState, fold_events

KEPT_IN_MEMORY = 2000
LOCKS = 256  # shared by all tables: one lock per requested id would use unlimited memory
TRIES = 5

_T = TypeVar("_T")
K = TypeVar("K")
V = TypeVar("V")
_is_id = re.compile(r"[A-Za-z0-9_-]{1,32}").fullmatch


class BoundedMap(OrderedDict[K, V]):
    """A dict for keys from outside that holds at most `most` of them, and drops the key that was set longest ago.

    It is not thread-safe: guard it with a lock.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class TableCache:
    """Cache the tables that were used lately. Other processes may write to the same tables at any time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: BoundedMap[str, tuple[Header, TableState]] = BoundedMap(KEPT_IN_MEMORY)
        self._locks = tuple(Lock() for _ in range(LOCKS))
        self._guard = Lock()

    def lock(self, table: str) -> Lock:
        """Return the lock to hold while the table is loaded and written."""
        return self._locks[hash(table) % LOCKS]

    def look(self, table: str) -> tuple[Header, TableState]:
        """Return the header and the current state of a table. Raise UnknownTable if there is none."""
        with self.lock(table):
            return self.load(table)

    def load(self, table: str, key: str | None = None) -> tuple[Header, TableState]:
        """Return the table with the events that all processes have written. The caller must hold its lock.

        The state has exactly the version of the header, which was read together with the use of the key. A later event
        might be the same command, which is now sent a second time. Raise UnknownTable if there is no such table.
        """
        header = self._store.header(table, key) if _is_id(table) else None
        if header is None:
            raise UnknownTable("table.unknown", table=quote(table))
        if header.put_away:
            raise UnknownTable("table.put-away")
        known, state = self._known.get(table, (header, TableState(table)))
        if known.edition != header.edition:
            state = TableState(table)  # restored meanwhile: all events may differ
        if state.version < header.version:
            later = self._store.events_after(table, state.version)
            state = fold_events(state, later[: header.version - state.version])
        self.remember(header, state)
        return header, state

    def remember(self, header: Header, state: TableState) -> None:
        """Cache the state of a table, once it is on disk."""
        with self._guard:
            self._known[header.id] = (header, state)


def busy() -> NoReturn:
    raise StaleVersion("table.busy")


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a command that took effect: now, or earlier if it is repeated."""

    state: TableState  # after the command
    repeated: bool
    events: tuple[ev.Event, ...] = ()
    following: TableState | None = None  # the next game, if the command started it

    @property
    def version(self) -> int:
        return self.state.version


class TableMetrics:
    """Count what happens at the tables of a server. This base class counts nothing."""

    def count_table(self) -> None:
        """Count a table that was opened."""

    def count_move(self, command: str, *, by_house: bool) -> None:
        """Count a command that took effect."""

    def count_refusal(self, code: str) -> None:
        """Count a command that was refused."""


class Tables:
    """All tables of a server. The methods are thread-safe, and several processes may share one database."""

    def __init__(
        self,
        store: Store,
        listener: Callable[[TableState], None] | None = None,
        metrics: TableMetrics | None = None,
        is_over: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Call `listener` with the new state of a table after every commit, and count in `metrics`.

        `is_over` returns whether the secret of a deal may be revealed.
        """
        self.store = store
        self._listener = listener or _ignore
        self._metrics = metrics or TableMetrics()
        self._is_over = is_over
        self._cache = TableCache(store)

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
        pace: str = CALM,
        seed: str | None = None,
        word: str | None = None,
        key: str | None = None,
        then: Iterable[cmd.Command] = (),
    ) -> str:
        """Open a table and return its id, which cannot be guessed.

        `book` is the key of shipped rules or the id of house rules; `rules` is the text of house rules. A `seed` makes
        the dice predictable, for scripts and tests. A `word` uses the commitment that was made with it. A `key` is any
        text that the host chooses. A request repeated with the same `word` or `key` returns the same table. With real
        dice a sheet can have several games side by side. `pace` is how fast bots move. The commands in `then` run at
        once: if one of them is refused, no table is opened.

        Raise KeyUsed if the key was used for another request, PromiseServed if the commitment was used at another
        table, and other refusals if the request is not possible.
        """
        with self.store.quota.open_table(), self._bring_rules(rules):
            check_games(games, real_dice=real_dice)
            kept = rules is None
            rules = self._house_rules(book) if rules is None else tidy(rules)
            found = book_of(book, rules, kept=kept)
            opened = ev.Opened(
                found.key,
                host,
                coach,
                rules=rules,
                real_dice=real_dice,
                games=games,
                match_total=match_total,
                fingerprint=found.fingerprint,
                pace=check_pace(pace),
            )
            table = self._open_once(opened, tuple(then), seed, word, key)
        self._metrics.count_table()
        return table

    def open_deal(self, player: str, deal: Deal, *, practice: bool, name: str = "") -> str:
        """Open a solo game with the dice of a deal and return its id; the same id if the person has begun before.

        The seat has no name and no text, so that everyone has the same dice. An attempt that counts has no hints.
        """
        with self.store.quota.open_table():
            rules = self._house_rules(deal.book)
            book = book_of(deal.book, rules, kept=True)
            opened = ev.Opened(
                book.key,
                player,
                practice,
                rules=rules,
                fingerprint=book.fingerprint,
                deal=deal.name,
                practice=practice,
                known=deal.known,
                turns=deal.turns,
            )
            new = new_table(opened, secret=deal.secret, foreseeable=bool(deal.turns))
            new = run_commands(new, (cmd.SitDown(player), cmd.StartGame(player)))
            if not practice:
                new = replace(new, attempt=Attempt(deal.name, player, new.header.id, name))
            try:
                self.store.create(new)
            except VersionConflict:  # another tab or device was faster
                known = self.store.deals.attempt(deal.name, player)
                return busy() if known is None else known.table_id
        self._cache.remember(new.header, new.state)
        self._metrics.count_table()
        return new.header.id

    def _bring_rules(self, rules: str | None) -> AbstractContextManager[None]:
        known = rules is None or self.store.shelf.text(house_id(rules)) is not None
        return nullcontext() if known else self.store.quota.bring_rules()

    def _open_once(
        self, opened: ev.Opened, then: tuple[cmd.Command, ...], seed: str | None, word: str | None, key: str | None
    ) -> str:
        """Create the table and return its id, or return the table that the same request has opened before."""
        opening = None if key is None else _opening(opened.host, key, opened, then)
        if (known := self._opened_with(opening)) is not None:
            return known
        try:
            return self._create(opened, then, seed, word, opening)
        except (PromiseServed, VersionConflict) as late:  # perhaps the other request of a double click was faster
            if (twin := self._opened_with(opening) or self._just_opened(opened.host, word)) is not None:
                return twin
            if isinstance(late, PromiseServed):
                raise
            return busy()

    def _create(
        self,
        opened: ev.Opened,
        then: Iterable[cmd.Command],
        seed: str | None,
        word: str | None,
        opening: tuple[str, str] | None,
    ) -> str:
        if seed is None and not opened.real_dice:
            opened = replace(opened, word=self.store.promises.claim(word))
        secret = seed if opened.word is None else self.store.promises.secret(opened.word)
        new = run_commands(new_table(opened, secret=secret, foreseeable=seed is not None), then)
        self.store.create(replace(new, opening=opening))
        self._cache.remember(new.header, new.state)
        self._listener(new.state)
        return new.header.id

    def _opened_with(self, opening: tuple[str, str] | None) -> str | None:
        """Return the table that the same request has opened, or None. Raise KeyUsed if another request had the key."""
        found = None if opening is None else self.store.opened_with(opening[0])
        if found is None or opening is None:
            return None
        if found[0] != opening[1]:
            raise KeyUsed("table.key-used")
        return found[1]

    def _just_opened(self, host: str, word: str | None) -> str | None:
        """Return the table that the first request of a double click has opened, or None if dice were rolled there."""
        table = None if word is None else self.store.promises.table(word)
        state = None if table is None else self.state(table)
        return table if state is not None and state.host == host and not (state.rolls or state.turn) else None

    def _house_rules(self, book: str) -> str | None:
        return None if book in SHIPPED else self.store.shelf.text(book)

    def state(self, table: str) -> TableState:
        """Return the current state of a table. Raise UnknownTable if there is none."""
        return self.look(table)[1]

    def look(self, table: str) -> tuple[int, TableState]:
        """Return the edition of a table, which changes with a restore, and its current state. Raise UnknownTable."""
        header, state = self._cache.look(table)
        if state.deal is not None and is_hidden(state) and self._is_over(state.deal):
            state = self._retry(table, partial(self._reveal_once, table))
        return header.edition, state

    def _reveal_once(self, table: str) -> TableState:
        """Reveal the secret of a deal that is over in the log of one of its games, and return the state after it."""
        header, state = self._cache.load(table)
        revealed = (ev.SecretRevealed(header.secret),) if is_hidden(state) else ()
        return self._append(header, state, revealed, None, None)[0]

    def join_code(self, table: str) -> str:
        return self._cache.look(table)[0].join_code

    def execute(
        self,
        table: str,
        command: cmd.Command,
        *,
        version: int | None = None,
        key: str | None = None,
        present: frozenset[str] | None = None,
        asked: object = None,
    ) -> Done:
        """Execute a command once, however often it is sent, and return the outcome, or raise a refusal.

        A key belongs to one person and one command: another command with it raises KeyUsed. Without `present`, only
        players who left count as absent. `asked` is the original request if the command was made from one: it is
        compared in place of the command when a key is sent again.
        """
        sent = None if key is None else _command_key(command, key, asked)
        try:
            done = self._retry(table, partial(self._execute_once, table, command, version, sent, present))
        except Refusal as refusal:
            self._metrics.count_refusal(refusal.code)
            raise
        if done.repeated:
            return done
        self._metrics.count_move(type(command).__name__, by_house=command.player == HOUSE)
        if done.events:
            self._listener(done.state)
        if done.following is not None:
            self._listener(done.following)
        return done

    def rematch(self, table: str, player: str) -> str:
        """Open the next game for the same people, started by the next seat, and return its id; the same id if repeated.

        Raise NotAllowed if the person does not play at the table.
        """
        following, after = self._retry(table, partial(self._rematch_once, table, player))
        if after is not None:
            self._listener(after)
        return following

    def forget(self, player: str) -> int:
        """Delete what is stored about a person, notify games in progress, and return the number of changed tables."""
        from fivedice.store.forgetting import Forgetting  # rarely needed

        changed = Forgetting(self.store).all_of(player)
        for table in self.store.going_on(changed):
            with suppress(UnknownTable):  # deleted since, with its last player
                self._listener(self.state(table))
        return len(changed)

    def _retry(self, table: str, attempt: Callable[[], _T]) -> _T:
        """Return the result of `attempt`, retried while others write first. Raise StaleVersion after TRIES times."""
        with self._cache.lock(table):
            for _ in range(TRIES):
                with suppress(VersionConflict):
                    return attempt()
        return busy()

    def _execute_once(
        self,
        table: str,
        command: cmd.Command,
        version: int | None,
        sent: CommandKey | None,
        present: frozenset[str] | None,
    ) -> Done:
        """Load the table, check, decide and append; return the outcome. Raise VersionConflict if another was first."""
        header, state = self._cache.load(table, None if sent is None else sent.key)
        if sent is not None and header.key_used_for is not None:
            if header.key_used_for not in ("", sent.command):
                raise KeyUsed("table.key-used-command", version=state.version)
            return Done(state, repeated=True)
        check_version(state, command, version)
        check_room(state, command)
        events = command.decide(state, Context(dice_of(state, header.secret), present))
        new = (
            self._next_game(fold_events(state, events), command, present)
            if isinstance(command, cmd.PlayAgain)
            else None
        )
        if new is not None:
            events = (*events, ev.Rematched(new.header.id))
        after, events = self._append(header, state, events, sent, new)
        return Done(after, repeated=False, events=events, following=None if new is None else new.state)

    def _append(
        self,
        header: Header,
        state: TableState,
        events: tuple[ev.Event, ...],
        sent: CommandKey | None,
        new: TableDraft | None,
    ) -> tuple[TableState, tuple[ev.Event, ...]]:
        """Write events, and the secret of a game that ends; return state and events. Raise VersionConflict if late."""
        if not events:
            return state, events
        after = fold_events(state, events)
        if revealed := reveal(after, header.secret):
            events, after = events + revealed, fold_events(after, revealed)
        self.store.append(state, after, events, sent, new, header.edition)
        self._cache.remember(header, after)
        return after, events

    def _next_game(self, after: TableState, said: cmd.PlayAgain, present: frozenset[str] | None) -> TableDraft | None:
        """Return the next game, already started, if this was the last answer to wait for; otherwise None."""
        if not said.begins(after, present):
            return None
        host = after.host if after.host in after.again_yes else after.again_yes[0]
        word, secret = self._next_dice(after)
        new = next_table(after, host, word, secret, frozenset(after.again_yes))
        return run_commands(new, (cmd.StartGame(host),))

    def _rematch_once(self, table: str, player: str) -> tuple[str, TableState | None]:
        """Return the id of the next table and, if it is new, the state of this one after the event that names it."""
        header, state = self._cache.load(table)
        if not state.seats_of(player):
            raise NotAllowed("table.rematch-players-only")
        if state.rematch is not None:
            return state.rematch, None
        new = next_table(state, player, *self._next_dice(state))
        after, _ = self._append(header, state, (ev.Rematched(new.header.id),), None, new)
        return new.header.id, after

    def _next_dice(self, state: TableState) -> tuple[str, str] | tuple[None, None]:
        """Return the word and the secret of a rematch, which the commitment of this table already determines."""
        if state.real_dice:
            return None, None
        word = following(state.word) or self.store.promises.claim(None)
        return word, self.store.promises.secret(word)


def _opening(host: str, key: str, opened: ev.Opened, then: tuple[cmd.Command, ...]) -> tuple[str, str]:
    """Return hashes of the key and of the request, as they are stored."""
    return player_id(f"{host}/{key}"), player_id(
        repr((opened, then) if opened.pace == CALM else (opened, then, opened.pace))
    )


def _command_key(command: cmd.Command, key: str, asked: object) -> CommandKey:
    """Return hashes of the key and of the command, without defaults: later versions may add fields."""
    given = ((each.name, getattr(command, each.name), each.default) for each in fields(command))
    content = type(command).__name__, [(name, value) for name, value, default in given if value != default]
    return CommandKey(player_id(f"{command.player}/{key}"), player_id(repr(content if asked is None else asked)))


def _ignore(_: TableState) -> None:
    """Do nothing: the default listener."""
