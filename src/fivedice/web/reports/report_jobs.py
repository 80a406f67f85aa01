"""Reports and statistics for the pages: made beside the moves, never waited for, and never stored.

Of the games of a person what is known is shown at once, and the rest follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from fivedice.game import Game
from fivedice.rules import RuleBook
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState, folded
from fivedice.table.store.results import Result
from fivedice.table.store.table_store import Store
from fivedice.web.runtime.job_queue import ASKED, NEXT
from fivedice.web.runtime.solutions import Readiness, Solutions
from fivedice.web.runtime.work_process import work
from fivedice.words import current

if TYPE_CHECKING:
    from fivedice.analysis.game_report import Report
    from fivedice.analysis.perfect import Perfect
    from fivedice.analysis.statistics import BookStatistics, GameFacts
    from fivedice.solver import Solution

Name: TypeAlias = tuple[str, int, int]  # of a report: the table, its version, and the game
FileKey: TypeAlias = tuple[Name, str, str, tuple[str, ...]]  # with the names: one of them may be deleted
_KEPT = 64
KINDS = {
    "json": "application/json",
    "svg": "image/svg+xml; charset=utf-8",  # no sentence
    "png": "image/png",
    "pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, or how far the book is; perfect games to hold it against as soon as they are known."""

    game: Game
    readiness: Readiness
    report: Report | None = None
    perfect: Perfect | None = None


class Reports:
    """One a process. Every method is for worker threads: a report takes a tenth of a second."""

    def __init__(self, solutions: Solutions) -> None:
        self._solutions = solutions
        self._asked: set[str] = set()
        self._made: SizedLRUCache[FileKey, bytes] = SizedLRUCache(most=_KEPT)

    def report(self, game: Game) -> Reported:
        """At once; where the book is not worked out yet, how far it is."""
        readiness, solution = self._solutions.want(game.book), self._solutions.ready(game.book)
        if solution is None:
            return Reported(game, readiness)
        return Reported(game, readiness, _reported(game, solution), self.perfect(game.book))

    def perfect(self, book: RuleBook) -> Perfect | None:
        """How perfect games of the book end, if that is known; else it is worked out beside the pages."""
        from fivedice.analysis.perfect import known
        from fivedice.solver.runtime.solve_limits import has_odds

        solution = self._solutions.ready(book)
        if solution is None or not has_odds(book):
            return None
        found = known(solution)
        if found is None and book.fingerprint not in self._asked:
            self._asked.add(book.fingerprint)
            self._solutions.jobs.put(ASKED, partial(self._work_out, solution))
        return found

    def file(self, kind: str, report: Report, perfect: Perfect | None, name: Name | None = None) -> bytes:
        """A report as a file; what a table asks for again is made once."""
        key = None if name is None else (name, kind, current(), tuple(player.name for player in report.players))
        known = None if key is None or perfect is None else self._made.get(key)
        if known is None:
            from fivedice.analysis.charts.share_picture import report_file

            known = work(report_file, kind, report, perfect)
            if key is not None:
                self._made[key] = known
        return known

    def _work_out(self, solution: Solution) -> None:
        from fivedice.analysis.perfect import perfect

        try:
            perfect(solution, self._solutions.jobs.watch(lambda _: None))
        finally:
            self._asked.discard(solution.book.fingerprint)


def _reported(game: Game, solution: Solution) -> Report:
    """By the process beside the server, where it finds the solution on disk; large ones would fill its memory too."""
    from fivedice.analysis.game_report import report

    found = None if takes_long(game.book) else work(report_from_disk, game)
    return found or report(game, solution)


def report_from_disk(game: Game) -> Report | None:
    from fivedice.analysis.game_report import report
    from fivedice.solver.solution import known

    solution = known(game.book)
    return None if solution is None else report(game, solution)


MOST_GAMES = 1000  # of one person that are counted, the newest
PATIENCE = 0.3  # seconds that a page may take to judge games; the others are judged beside the pages
MOST_WAITING = 256  # people whose games are looked at beside the pages
_KEPT_GAMES = 20_000  # games, a kilobyte each

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
        self._known: BoundedMap[Key, GameFacts] = BoundedMap(_KEPT_GAMES)
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
        from fivedice.analysis.statistics import facts_of

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
