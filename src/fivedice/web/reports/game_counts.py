"""The games of a person, judged beside the pages: what is known is shown at once, the rest follows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from fivedice.table.bounded import BoundedMap
from fivedice.table.state import TableState, folded
from fivedice.table.store.results import Result
from fivedice.table.store.table_store import Store
from fivedice.web.reports.report_jobs import Reports
from fivedice.web.runtime.job_queue import NEXT
from fivedice.web.runtime.solutions import Solutions

if TYPE_CHECKING:
    from fivedice.analysis.game_facts import GameFacts
    from fivedice.analysis.statistics import BookStatistics
    from fivedice.game import Game

MOST_GAMES = 1000  # of one person that are counted, the newest
PATIENCE = 0.3  # seconds that a page may take to judge games; the others are judged beside the pages
MOST_WAITING = 256  # people whose games are looked at beside the pages
_KEPT = 20_000  # games, a kilobyte each

Key: TypeAlias = tuple[str, int, int, int]  # table, version, game, seat


@dataclass(frozen=True, slots=True)
class Counted:
    """All games of a person that are known so far."""

    facts: tuple[GameFacts, ...]
    results: tuple[Result, ...]  # all there are

    @property
    def is_complete(self) -> bool:
        return len(self.facts) == len(self.results) and all(each.judged is not None for each in self.facts)


class GameCounts:
    """One a process. What is found is derived from the log of tables that are over, and can always be found again."""

    def __init__(self, store: Store, solutions: Solutions, reports: Reports) -> None:
        self._store = store
        self._solutions = solutions
        self._reports = reports
        self._known: BoundedMap[Key, GameFacts] = BoundedMap(_KEPT)
        self._guard = Lock()
        self._busy: set[str] = set()

    def look(self, player: str) -> Counted:
        """What is known of a person's games within a moment; the rest is looked at beside the pages."""
        results = self._store.results.of(player, MOST_GAMES)
        end = monotonic() + PATIENCE
        facts = self._facts(results, end)
        if len(facts) < len(results) or any(each.judged is None for each in facts):
            self._go_on(player)
        return Counted(tuple(facts), tuple(results))

    def books(self, facts: tuple[GameFacts, ...]) -> list[BookStatistics]:
        from fivedice.analysis.statistics import BookStatistics, by_book

        groups = by_book(facts)
        return [BookStatistics(each[-1].book, each, self._reports.perfect(each[-1].book)) for each in groups]

    def games(self, player: str) -> list[Game]:
        """The games themselves, oldest first, each once."""
        tables = dict.fromkeys(result.table for result in reversed(self._store.results.of(player, MOST_GAMES)))
        return [played.game for table in tables for played in self._state(table).finished_games]

    def _facts(self, results: list[Result], end: float) -> list[GameFacts]:
        """Table by table, newest first, until the time is over."""
        found: list[GameFacts] = []
        states: dict[str, TableState] = {}
        for result in results:
            facts = self._known.get(_key(result))
            if (facts is None or facts.judged is None) and monotonic() < end:
                if result.table not in states:
                    states = {result.table: self._state(result.table)}
                facts = self._judge(result, states[result.table])
            if facts is not None:
                found.append(facts)
        return found

    def _judge(self, result: Result, state: TableState) -> GameFacts | None:
        from fivedice.analysis.game_facts import facts_of

        if state.version != result.version or result.game >= len(state.finished_games):
            return None  # it has moved on since we looked; the next look finds it
        self._solutions.want(state.book)
        facts = facts_of(
            state.finished_games[result.game].game,
            result.seat,
            self._solutions.ready(state.book),
            when=result.updated,
            where=result.table,
            number=result.game + 1,
        )
        with self._guard:
            self._known[_key(result)] = facts
        return facts

    def _state(self, table: str) -> TableState:
        """A table as its log tells it, beside those that are being played."""
        return folded(TableState(table), self._store.events_after(table, 0))

    def _go_on(self, player: str) -> None:
        with self._guard:
            if player in self._busy or len(self._busy) >= MOST_WAITING:
                return  # the next look asks again
            self._busy.add(player)
        self._solutions.jobs.put(NEXT, partial(self._rest, player))

    def _rest(self, player: str) -> None:
        """A few at a time, so that a solution that somebody waits for comes in between."""
        try:
            results = self._store.results.of(player, MOST_GAMES)
            before = sum(_key(each) in self._known for each in results)
            self._facts(results, monotonic() + PATIENCE)
            after = sum(_key(each) in self._known for each in results)
        finally:
            self._busy.discard(player)
        if before < after < len(results) and not self._solutions.jobs.closing:
            self._go_on(player)


def _key(result: Result) -> Key:
    return result.table, result.version, result.game, result.seat
