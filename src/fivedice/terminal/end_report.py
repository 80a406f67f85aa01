"""The report of a finished game: luck, points lost, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fivedice.terminal.game_lines import Progress, name
from fivedice.terminal.session import Session
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.reports.report_lines import ReportLines

_COSTLIEST = 3  # decisions of each player


def end_report(session: Session, progress: Progress | None = None, *, asked: bool = True) -> list[str]:
    """Return the report line by line. Solves the rules first; if that takes minutes, only when `asked`."""
    from fivedice.reports.game_report import report
    from fivedice.reports.report_lines import report_lines
    from fivedice.solver import solve
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known

    book = session.state.book
    if not asked and takes_long(book) and known(book) is None:
        return []
    found = report_lines(report(session.game, solve(book, progress=progress)), None, most_costly=_COSTLIEST)
    return list(_lines(session, found))


def first_report(session: Session, progress: Progress | None = None) -> list[str]:
    """Return the report that is shown automatically at the end."""
    return end_report(session, progress, asked=False)


def _lines(session: Session, report: ReportLines) -> Iterator[str]:
    yield word("terminal.report")
    for seat, player in enumerate(report.players):
        yield word("terminal.report-player", name=name(session.state, seat), told=player.identity)
        yield player.summary
    costly = [each for player in report.players for each in player.costliest if each.lost]
    if report.note:
        yield report.note
    if not costly:
        yield word("report.nothing-lost")
        return
    yield f"{word('report.costliest')}:"
    kind = "terminal.report-moment" if len(report.players) == 1 else "terminal.report-moment-of"
    for each in costly:
        move = {"dice": each.roll, "did": each.did, "better": each.better, "lost": each.lost}
        yield word(kind, name=each.player, turn=each.turn, **move)
