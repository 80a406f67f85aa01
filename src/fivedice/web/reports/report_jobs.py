"""Reports for the pages: made beside the moves, never waited for, and never stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from fivedice.game import Game
from fivedice.rules import RuleBook
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.table.bounded import BoundedMap
from fivedice.web.runtime.job_queue import ASKED
from fivedice.web.runtime.solutions import Readiness, Solutions
from fivedice.web.runtime.work_process import work
from fivedice.words import current

if TYPE_CHECKING:
    from fivedice.analysis.game_report import Report
    from fivedice.analysis.perfect import Perfect
    from fivedice.solver import Solution

Name: TypeAlias = tuple[str, int, int]  # of a report: the table, its version, and the game
Key: TypeAlias = tuple[Name, str, str, tuple[str, ...]]  # with the names: one of them may be deleted
_KEPT = 64
KINDS = {"json": "application/json", "svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


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
        self._asked: set[str] = set()  # of books whose solutions are at hand, while that is being done
        self._made: BoundedMap[Key, bytes] = BoundedMap(_KEPT)
        self._setting = Lock()

    def report(self, game: Game) -> Reported:
        """At once; where the book is not worked out yet, how far it is."""
        readiness, solution = self._solutions.want(game.book), self._solutions.ready(game.book)
        if solution is None:
            return Reported(game, readiness)
        return Reported(game, readiness, _reported(game, solution), self.perfect(game.book))

    def perfect(self, book: RuleBook) -> Perfect | None:
        """How perfect games of the book end, if that is known; else it is worked out beside the pages."""
        from fivedice.analysis.perfect import known

        solution = self._solutions.ready(book)
        if solution is None:
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
            known = work(_made, kind, report, perfect)
            if key is not None:
                self._keep(key, known)
        return known

    def _keep(self, key: Key, content: bytes) -> None:
        with self._setting:
            self._made[key] = content

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


def _made(kind: str, report: Report, perfect: Perfect | None) -> bytes:
    from fivedice.analysis.charts import share_picture as picture

    if kind == "svg":
        return picture.picture_svg(report).encode()
    if kind == "png":
        return picture.picture_png(report)
    return {"json": _json, "pdf": picture.report_pdf}[kind](report, perfect)


def _json(report: Report, perfect: Perfect | None) -> bytes:
    import json

    from fivedice.analysis.report_json import report_to_json

    return (json.dumps(report_to_json(report, perfect), ensure_ascii=False, indent=1) + "\n").encode()
