"""Reports and statistics for the pages, computed in the background and never waited for.

For a person's statistics, the games that are known are shown at once, and the others follow. Results are stored, so
that they survive a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from fivedice.core.game import Game, Mark, Move, Position
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.store.access import VersionConflict
from fivedice.store.results import GameKey, Result, StoredFacts
from fivedice.store.table_store import Store
from fivedice.table.refusals import Refusal
from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState, fold_events
from fivedice.text import current
from fivedice.web.jobs.solutions import ASKED, NEXT, Readiness, Solutions
from fivedice.web.jobs.work_process import work

if TYPE_CHECKING:
    from fivedice.reports.game_report import Report
    from fivedice.reports.perfect import Perfect
    from fivedice.reports.statistics import BookStatistics, GameFacts
    from fivedice.reports.win_report import GameWins, MoveWins
    from fivedice.solver import Solution

Name: TypeAlias = tuple[str, int, int]  # of a report: the table, its version, and the game
FileKey: TypeAlias = tuple[Name, str, str, tuple[str, ...], bool]  # with the names, as one may be deleted
Played: TypeAlias = tuple[str, Position, tuple[Move, ...]]  # a game without its names
_KEPT = 64
_KEPT_WINS = 256  # games, ten kilobytes each
MOST_ASKED = 64  # games and books in the queue; the next request asks again
PICTURES = {"svg": "image/svg+xml; charset=utf-8", "png": "image/png"}  # no sentence
KINDS = {"json": "application/json", "pdf": "application/pdf"} | PICTURES


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, or the progress of its solution; with perfect games to compare it with once they are known."""

    game: Game
    readiness: Readiness
    report: Report | None = None
    perfect: Perfect | None = None
    wins_wait: bool = False  # odds of winning are being computed


class Reports:
    """All reports, created once per server process. Call its methods from worker threads: a report takes 0.1 s."""

    def __init__(self, solutions: Solutions) -> None:
        self._solutions = solutions
        self._asked: set[str | Played] = set()
        self._made: SizedLRUCache[FileKey, bytes] = SizedLRUCache(most=_KEPT)
        self._wins: SizedLRUCache[Played, GameWins] = SizedLRUCache(most=_KEPT_WINS)

    def report(self, game: Game, *, win: bool = True) -> Reported:
        """Return the report at once, or the progress if the rules are not solved yet.

        With `win`, odds of winning follow after a few seconds; they are only computed on request.
        """
        readiness, solution = self._solutions.want(game.book), self._solutions.ready(game.book)
        if solution is None:
            return Reported(game, readiness)
        wins, waits = self._known_wins(game, solution) if win else (self.wins(game), False)
        from fivedice.reports.game_report import report_with

        # in the worker process if it finds the solution on disk; a large one would fill its memory too
        found = None if takes_long(game.book) else work(report_from_disk, game, wins)
        return Reported(game, readiness, found or report_with(game, solution, wins), self.perfect(game.book), waits)

    def _known_wins(self, game: Game, solution: Solution) -> tuple[GameWins | None, bool]:
        """Return the known odds of winning, and whether they are being computed; if so, start that."""
        found = self.wins(game)
        if found is not None or not can_judge_wins(game, solution):
            return found, False
        name = _game_key(game)
        if name not in self._asked and len(self._asked) < MOST_ASKED and not self._solutions.jobs.full:
            self._asked.add(name)
            self._solutions.jobs.put(ASKED, partial(self._ask_wins, game, solution))
        return None, True

    def wins(self, game: Game) -> GameWins | None:
        """Return the odds of winning of a game, if they are known."""
        return self._wins.get(_game_key(game))

    def work_out_wins(self, game: Game, solution: Solution) -> GameWins:
        """Compute them turn by turn in the worker process, so that other requests can come in between."""
        from fivedice.reports.win_report import GameWins

        progress = self._solutions.jobs.watch(lambda _: None)
        solution.prepare(progress)
        ends = [number for number, step in enumerate(game.steps, 1) if isinstance(step.move, Mark)]
        start: tuple[float, ...] = ()
        moves: list[MoveWins] = []
        for end in dict.fromkeys((*ends, len(game.steps))):
            before, part = _judge_part(game, solution, len(moves), end)
            start = start or before
            moves += part
            progress(len(moves), max(1, len(game.steps)))
        found = self._wins[_game_key(game)] = GameWins(start, tuple(moves))
        return found

    def _ask_wins(self, game: Game, solution: Solution) -> None:
        try:
            self.work_out_wins(game, solution)
        finally:
            self._asked.discard(_game_key(game))

    def perfect(self, book: RuleBook) -> Perfect | None:
        """Return how perfect games of the book end, if that is known; else compute it in the background."""
        from fivedice.reports.perfect import known
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
        """Return a report as a file; files of a table are cached."""
        from fivedice.reports.share_picture import report_file

        names = tuple(player.name for player in report.players)
        key = None if name is None or perfect is None else (name, kind, current(), names, report.wins is not None)
        return self._find_or_make(key, partial(work, report_file, kind, report, perfect))

    def picture(self, kind: str, game: Game, name: Name | None = None) -> bytes:
        """Return the picture of a game, which needs no solution; pictures of a table are cached."""
        from fivedice.reports.share_picture import picture_file

        key = None if name is None else (name, kind, current(), tuple(game.players), False)
        return self._find_or_make(key, partial(work, picture_file, kind, game))

    def _find_or_make(self, key: FileKey | None, make: Callable[[], bytes]) -> bytes:
        known = None if key is None else self._made.get(key)
        if known is None:
            known = make()
            if key is not None:
                self._made[key] = known
        return known

    def _work_out(self, solution: Solution) -> None:
        from fivedice.reports.perfect import perfect

        try:
            perfect(solution, self._solutions.jobs.watch(lambda _: None))
        finally:
            self._asked.discard(solution.book.fingerprint)


def _game_key(game: Game) -> Played:
    start = game.steps[0].before if game.steps else game.position
    return game.book.fingerprint, start, game.moves


def can_judge_wins(game: Game, solution: Solution) -> bool:
    """Return whether odds of winning can be computed."""
    if len(game.players) == 1:
        return False
    from fivedice.reports.win_report import can_judge

    return can_judge(game, solution)


def report_from_disk(game: Game, wins: GameWins | None) -> Report | None:
    from fivedice.reports.game_report import report_with
    from fivedice.solver.solution import known

    solution = known(game.book)
    return None if solution is None else report_with(game, solution, wins)


Part: TypeAlias = "tuple[tuple[float, ...], tuple[MoveWins, ...]]"  # the odds before some moves, and those moves


def _judge_part(game: Game, solution: Solution, begin: int, end: int) -> Part:
    from fivedice.reports.win_report import judge_moves

    found = None if takes_long(game.book) else work(part_from_disk, game, begin, end)
    return found or judge_moves(game, solution, begin, end)


def part_from_disk(game: Game, begin: int, end: int) -> Part | None:
    from fivedice.reports.win_report import judge_moves
    from fivedice.solver.solution import known

    solution = known(game.book)
    return None if solution is None else judge_moves(game, solution, begin, end)


MOST_GAMES = 1000  # of one person, the newest
PATIENCE = 0.3  # seconds that a page may take to judge games; the others follow in the background
MOST_WINS = 100  # newest games whose odds of winning are computed: a few seconds each
MOST_WAITING = 256  # people whose games are judged in the background
_KEPT_GAMES = 20_000  # games, a kilobyte each
STORED_AT_ONCE = 20  # games in one transaction

Key: TypeAlias = tuple[str, int, int, int]  # table, version, game, seat


@dataclass(frozen=True, slots=True)
class Counted:
    """All games of a person that are known so far."""

    facts: tuple[GameFacts, ...]
    results: tuple[Result, ...]  # all of their results
    wins_wait: int = 0  # games whose odds of winning are being computed

    @property
    def is_complete(self) -> bool:
        return len(self.facts) == len(self.results) and all(each.judged is not None for each in self.facts)


class GameCounts:
    """The facts about people's finished games, created once per server process.

    They are derived from the logs of finished tables, and can always be derived again.
    """

    def __init__(self, store: Store, solutions: Solutions, reports: Reports) -> None:
        self._store = store
        self._solutions = solutions
        self._reports = reports
        self._known: BoundedMap[Key, GameFacts] = BoundedMap(_KEPT_GAMES)
        self._guard = Lock()
        self._busy: set[str] = set()

    def look(self, player: str) -> Counted:
        """Return what is known of a person's games within a moment; compute the rest in the background."""
        results = self._store.results.of(player, MOST_GAMES)
        before = self._recall(player, results)
        facts = self._facts(results, monotonic() + PATIENCE)
        waiting = len(self._without_wins(results))
        judged = sum(each.judged is not None for each in facts)
        if judged < len(results) or judged > before or waiting:
            self._queue_rest(player)
        return Counted(tuple(facts), tuple(results), waiting)

    def _without_wins(self, results: list[Result]) -> list[Result]:
        """Return those of the newest games whose odds of winning can be computed but are not known."""
        return [result for result in results[:MOST_WINS] if self._waits_for_wins(self._known.get(_key(result)))]

    def _waits_for_wins(self, facts: GameFacts | None) -> bool:
        if facts is None or facts.players == 1 or facts.judged is None or facts.judged.win is not None:
            return False
        solution = self._solutions.ready(facts.book)
        return solution is not None and not facts.book.save_rolls and solution.is_preparable

    def books(self, facts: tuple[GameFacts, ...]) -> list[BookStatistics]:
        from fivedice.reports.statistics import BookStatistics, by_book

        groups = by_book(facts)
        return [BookStatistics(each[-1].book, each, self._reports.perfect(each[-1].book)) for each in groups]

    def games(self, player: str) -> list[Game]:
        """Return the games themselves, oldest first, each once."""
        tables = dict.fromkeys(result.table for result in reversed(self._store.results.of(player, MOST_GAMES)))
        return [played.game for table in tables for played in self._state(table).finished_games]

    def _recall(self, player: str, results: list[Result]) -> int:
        """Read the stored facts of games that are not in memory, and return how many games are judged now."""
        from fivedice.reports.statistics import facts_from_data

        missing = [result for result in results if not self._is_judged(result)]
        stored = self._store.results.facts_of(player) if missing else {}
        books = {result.book for result in missing if result.game_key in stored}
        known = {book: found for book in books if (found := self._book_at(book)) is not None}
        for result in missing:
            entry = stored.get(result.game_key)
            if entry is None or entry.version != result.version or result.book not in known:
                continue
            book, place = known[result.book], (result.updated, result.table, result.game + 1)
            self._remember(result, facts_from_data(entry.content, book, result.name, *place))
        return sum(map(self._is_judged, results))

    def _book_at(self, key: str) -> RuleBook | None:
        with suppress(FivediceError):  # rules that cannot be read any more
            return self._store.shelf.book(key)
        return None

    def _is_judged(self, result: Result) -> bool:
        facts = self._known.get(_key(result))
        return facts is not None and facts.judged is not None

    def _remember(self, result: Result, facts: GameFacts | None) -> None:
        if facts is not None:
            with self._guard:
                self._known[_key(result)] = facts

    def _persist(self, player: str, results: list[Result]) -> None:
        """Store facts that are not stored yet; a few at a time, since moves wait meanwhile."""
        from fivedice.reports.statistics import facts_to_data

        stored = self._store.results.facts_of(player)
        new: dict[GameKey, StoredFacts] = {}
        for result in results:
            facts, before = self._known.get(_key(result)), stored.get(result.game_key)
            if facts is None or facts.judged is None:
                continue
            if before is None or before.version != result.version or _wins_are_new(before, facts):
                new[result.game_key] = StoredFacts(result.version, facts_to_data(facts))
        with suppress(Refusal, VersionConflict):  # the disk is full, or another process was faster
            for first in range(0, len(new), STORED_AT_ONCE):
                self._store.results.store_facts(dict(list(new.items())[first : first + STORED_AT_ONCE]))

    def _facts(self, results: list[Result], end: float) -> list[GameFacts]:
        """Return the facts of games, newest first; games not known are judged until `end`."""
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
        from fivedice.reports.statistics import facts_of

        if state.version != result.version or result.game >= len(state.finished_games):
            return None  # it has changed since; the next request finds it
        self._solutions.want(state.book)
        game = state.finished_games[result.game].game
        facts = facts_of(
            game,
            result.seat,
            self._solutions.ready(state.book),
            self._reports.wins(game),
            when=result.updated,
            where=result.table,
            number=result.game + 1,
        )
        self._remember(result, facts)
        return facts

    def _state(self, table: str) -> TableState:
        """Return a table from its log, without adding it to the tables in play."""
        return fold_events(TableState(table), self._store.events_after(table, 0))

    def _queue_rest(self, player: str) -> None:
        with self._guard:
            if player in self._busy or len(self._busy) >= MOST_WAITING:
                return  # the next request asks again
            self._busy.add(player)
        self._solutions.jobs.put(NEXT, partial(self._judge_more, player))

    def _judge_more(self, player: str) -> None:
        """Judge a few more games, and then let other jobs come in between."""
        try:
            results = self._store.results.of(player, MOST_GAMES)
            before = sum(_key(each) in self._known for each in results)
            self._facts(results, monotonic() + PATIENCE)
            after = sum(_key(each) in self._known for each in results)
            waiting = self._without_wins(results)
            self._persist(player, results)
            if after == len(results) and waiting:
                self._add_wins(waiting[0])
                self._persist(player, waiting[:1])
        finally:
            self._busy.discard(player)
        if (before < after < len(results) or len(waiting) > 1) and not self._solutions.jobs.closing:
            self._queue_rest(player)

    def _add_wins(self, result: Result) -> None:
        """Compute the odds of winning of one game, and its facts again."""
        state = self._state(result.table)
        solution = self._solutions.ready(state.book)
        if solution is None or state.version != result.version or result.game >= len(state.finished_games):
            return  # the next request finds it
        game = state.finished_games[result.game].game
        if self._reports.wins(game) is None:
            self._reports.work_out_wins(game, solution)
        self._judge(result, state)


def _wins_are_new(before: StoredFacts, facts: GameFacts) -> bool:
    return before.content["judged"]["win"] is None and facts.judged is not None and facts.judged.win is not None


def _key(result: Result) -> Key:
    return result.table, result.version, result.game, result.seat
