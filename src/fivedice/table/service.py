"""The one way to a table: load, check, decide, append, and only then tell the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from fivedice.rules import SHIPPED
from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide.decision import Context, check_version, decide
from fivedice.table.fold import folded
from fivedice.table.house_rules_text import tidy
from fivedice.table.keys import player_id
from fivedice.table.new_table import book_of, check_games, going_on, new_table, next_table
from fivedice.table.proof.promises import following
from fivedice.table.proof.proving import dice_of
from fivedice.table.refusals import NotAllowed, PromiseServed
from fivedice.table.state import TableState
from fivedice.table.store.ledger import NewTable
from fivedice.table.store.table_store import Store
from fivedice.table.store.writer import VersionConflict
from fivedice.table.table_cache import TableCache, busy


@dataclass(frozen=True, slots=True)
class Done:
    """A command that took effect, now or (a repeated one) earlier."""

    state: TableState  # as it stands after it
    repeated: bool
    events: tuple[ev.Event, ...] = ()
    following: TableState | None = None  # the next game, if it has just begun

    @property
    def version(self) -> int:
        return self.state.version


class Tables:
    """All tables of a server. Safe to call from many threads; several processes may share one database."""

    def __init__(self, store: Store, listener: Callable[[TableState], None] | None = None) -> None:
        """`listener` is told how a table stands, after every commit: for programs that have screens."""
        self.store = store
        self._listener = listener or _nobody_listens
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
        seed: str | None = None,
        word: str | None = None,
        then: Iterable[cmd.Command] = (),
    ) -> str:
        """Set up a table and return its id, which nobody can guess.

        `book` is the key of a shipped book or the address of a house book; `rules` is the text of one. A `seed` makes
        the dice foreseeable, for scripts and tests; a `word` keeps the promise that was made with it, and sent twice it
        is one table. With real dice a sheet can have several games side by side. What is to happen there at once
        happens with it: if one of these commands is refused, there is no table.
        """
        check_games(games, real_dice=real_dice)
        rules = self._house_rules(book) if rules is None else tidy(rules)
        found = book_of(book, rules)
        opened = ev.Opened(
            found.key,
            host,
            coach,
            rules=rules,
            real_dice=real_dice,
            games=games,
            match_total=match_total,
            fingerprint=found.fingerprint,
        )
        try:
            return self._create(opened, then, seed, word)
        except (PromiseServed, VersionConflict) as late:  # perhaps the other half of a double click was quicker
            if (twin := self._just_opened(host, word)) is not None:
                return twin
            if isinstance(late, PromiseServed):
                raise
            return busy()

    def _create(self, opened: ev.Opened, then: Iterable[cmd.Command], seed: str | None, word: str | None) -> str:
        if seed is None and not opened.real_dice:
            opened = replace(opened, word=self.store.promises.claim(word))
        secret = seed if opened.word is None else self.store.promises.secret(opened.word)
        new = going_on(new_table(opened, secret=secret, foreseeable=seed is not None), then)
        self._cache.create(new)
        self._listener(new.state)
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
        return self._cache.look(table)[1]

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
    ) -> Done:
        """Carry a command out, once however often it is sent, or refuse it and change nothing.

        A key belongs to the person who sends it. Without `present` only those who left count as absent.
        """
        done = self._cache.persist(table, lambda: self._execute(table, command, version, key, present))
        if not done.repeated and done.events:
            self._listener(done.state)
        if done.following is not None:
            self._listener(done.following)
        return done

    def rematch(self, table: str, player: str) -> str:
        """Open the next game for the same people, started by the next seat; asked twice, it is the same table."""
        following, after = self._cache.persist(table, lambda: self._rematch(table, player))
        if after is not None:
            self._listener(after)
        return following

    def _execute(
        self, table: str, command: cmd.Command, version: int | None, key: str | None, present: frozenset[str] | None
    ) -> Done:
        stored = None if key is None else player_id(f"{command.player}/{key}")
        header, state = self._cache.fresh(table, stored)
        if header.key_known:
            return Done(state, repeated=True)
        check_version(state, command, version)
        events = decide(state, command, Context(dice_of(state, header.secret), present))
        new = self._next_game(folded(state, events), command, present) if isinstance(command, cmd.PlayAgain) else None
        if new is not None:
            events = (*events, ev.Rematched(new.header.id))
        after = self._cache.append(header, state, events, stored, new)
        return Done(after, repeated=False, events=events, following=None if new is None else new.state)

    def _next_game(self, after: TableState, said: cmd.PlayAgain, present: frozenset[str] | None) -> NewTable | None:
        """The next game, if this answer was the one that was missing: it begins in the same moment."""
        if not said.begins(after, present):
            return None
        host = after.host if after.host in after.again_yes else after.again_yes[0]
        word, secret = self._next_dice(after)
        new = next_table(after, host, word, secret, frozenset(after.again_yes))
        return going_on(new, (cmd.StartGame(host),))

    def _rematch(self, table: str, player: str) -> tuple[str, TableState | None]:
        """The following table and, where it is new, this one after saying so."""
        header, state = self._cache.fresh(table)
        if not state.seats_of(player):
            raise NotAllowed("table.rematch-players-only")
        if state.rematch is not None:
            return state.rematch, None
        new = next_table(state, player, *self._next_dice(state))
        after = self._cache.append(header, state, (ev.Rematched(new.header.id),), None, new)
        return new.header.id, after

    def _next_dice(self, state: TableState) -> tuple[str, str] | tuple[None, None]:
        """The word and the secret of a rematch: those that the promise of this table has settled already."""
        if state.real_dice:
            return None, None
        word = following(state.word) or self.store.promises.claim(None)
        return word, self.store.promises.secret(word)


def _nobody_listens(_: TableState) -> None:
    """For programs that have no screens to tell."""
