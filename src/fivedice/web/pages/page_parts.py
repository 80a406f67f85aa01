"""The parts of a table's page around the game: notices, the preview of shared links, and the end of a game.

A preview shows nothing that only some may know: a title, a line and a picture. The page shows at once how a result
compares with one's other games. Luck and skill are computed in the background, and fetched once the page is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import segno
from markupsafe import Markup

from fivedice.drawing.theme import WHITE
from fivedice.message import Message, Who, message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import headline
from fivedice.table.view.view_shapes import EndView, TableView
from fivedice.text import name_of
from fivedice.web.http.identity import Person
from fivedice.web.http.page_files import static_address
from fivedice.web.services.app_services import AppServices

if TYPE_CHECKING:
    from fivedice.reports.game_report import Report
    from fivedice.reports.report_lines import MomentLine
    from fivedice.reports.share_picture import BestTurn
    from fivedice.web.jobs.table_coach import CautionView, HintView, TableOdds
    from fivedice.web.services.app_services import CoachChoices


@dataclass(frozen=True, slots=True)
class Extra:
    """Notices, questions and links."""

    notice: str | None = None
    confirm: str | None = None  # a box that would get an avoidable zero
    join: str | None = None  # the code with which a visitor can join
    handover: str | None = None  # a link that hands a seat over
    handed: int | None = None  # the seat of that link
    pencil: str | None = None  # a link that makes someone else the scorekeeper
    spare: str | None = None  # a link that moves the score pad to another phone if this one is lost
    see: int | None = None  # the player whose column is shown where there is no room for all
    explain: str | None = None  # a box whose rule is shown
    hint: HintView | None = None  # the coach's hint
    caution: CautionView | None = None  # the coach's warning before a move that costs much
    odds: TableOdds | None = None  # everyone's expected totals
    wants: CoachChoices | None = None  # choices made just now, before the browser sends them back
    saved: str | None = None  # the confirmation of those choices


NOTHING = Extra()


PICTURE = "home/preview.png"


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview that messengers show below a link."""

    title: str
    about: str
    image: str  # a path on this server
    sized: bool = True  # whether it is the usual picture, whose size is known


def invitation_preview(state: TableState) -> Preview:
    """Return the preview of an invitation: who invites, and to which game."""
    host = next((seat.given for seat in state.seats if seat.player == state.host and seat.given), None)
    game = name_of(state.book)
    title = message("home.invited", game=game) if host is None else message("home.invites", name=host, game=game)
    return Preview(str(title), str(message("home.invited-about")), static_address(PICTURE))


def table_preview(state: TableState) -> Preview:
    """Return the preview for spectators; once a game is over, with its result."""
    game, names = name_of(state.book), tuple(state.who(seat) for seat in range(len(state.seats)))
    if state.phase is Phase.FINISHED:
        title = str(message("home.result", result=headline(state, None), game=game))
        return Preview(title, str(message("home.finished-about", scores=_scores(state))), *_picture(state))
    title = str(message("home.watch", names=names, game=game)) if names else game
    return Preview(title, str(message("home.watch-about")), static_address(PICTURE))


def _scores(state: TableState) -> tuple[object, ...]:
    totals = enumerate(state.match.totals)
    return tuple(message("home.total-of", name=state.who(seat), total=total) for seat, total in totals)


def _picture(state: TableState) -> tuple[str, bool]:
    """Return the picture of the game if it can be drawn here, else the usual one."""
    return (f"/t/{state.id}/report.png", False) if _can_draw() else (static_address(PICTURE), True)


@cache
def _can_draw() -> bool:
    return find_spec("typst") is not None


def qr_code(link: str) -> Markup:
    """Return a QR code as inline SVG, so that it needs no request; with few and large dots."""
    drawing = segno.make(link, error="l").svg_inline(
        scale=4, border=2, light=WHITE, omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(drawing)  # noqa: S704 - our own drawing; the link is only its dots


WORTH_A_LOOK = 1.0  # points lost by a decision from which it is shown
MOST_LUCKY = 4  # sentences about luck, for a viewer without one seat

_RANKED = {2: "web.end-second", 3: "web.end-third"}


@dataclass(frozen=True, slots=True)
class ResultRank:
    """The rank of a result among one's own with these rules."""

    about: Message
    is_new_best: bool = False


def place_of(services: AppServices, person: Person, seen: TableView) -> ResultRank | None:
    """Return the rank of this result; None for spectators, for several seats, and where a stand-in helped."""
    if seen.phase != Phase.FINISHED or seen.end is None or seen.end.seat is None or seen.real_dice:
        return None
    seat, found = seen.end.seat, services.tables.store.results.totals(person.id, seen.house or seen.book)
    mine = next((total for table, number, total in found if (table, number) == (seen.id, seat)), None)
    others = [total for table, number, total in found if (table, number) != (seen.id, seat)]
    return None if mine is None else _place(mine, others)


def _place(mine: int, others: list[int]) -> ResultRank:
    if not others:
        return ResultRank(message("web.end-first"))
    best, games = max(others), len(others) + 1
    if mine > best:
        return ResultRank(message("web.end-best", more=mine - best), is_new_best=True)
    if mine == best:
        return ResultRank(message("web.end-best-again"))
    rank = 1 + sum(total > mine for total in others)
    kind = _RANKED.get(rank, "web.end-other") if rank < games else "web.end-other"  # the lowest needs no rank
    return ResultRank(message(kind, games=games, best=best))


def best_turn_of(state: TableState, end: EndView | None) -> BestTurn | None:
    """Return the viewer's best turn, or the winner's; None before the end."""
    if state.game is None or end is None or state.phase is not Phase.FINISHED:
        return None
    from fivedice.reports.share_picture import best_turn

    return best_turn(state.game, end.standing[0] if end.seat is None else end.seat)


@dataclass(frozen=True, slots=True)
class EndFacts:
    """The facts that are known so far; `waits` while they are being computed."""

    waits: bool
    luck: tuple[Message, ...] = ()  # with a sentence about the viewer's choices
    miss: MomentLine | None = None  # the viewer's costliest decision, if it lost anything to speak of
    judged: bool = False  # whether the viewer's decisions were judged


def facts_of(services: AppServices, state: TableState, seat: int | None) -> EndFacts:
    """Return the viewer's luck and costliest decision, or everyone's luck.

    Rules that take long are only solved on request.
    """
    game = state.game
    if game is None or (limits.takes_long(state.book) and services.solutions.ready(state.book) is None):
        return EndFacts(waits=False)
    report = (found := services.reports.report(game, win=False)).report
    if report is None:
        return EndFacts(waits=found.readiness.state in {"running", "waiting"})
    from fivedice.reports.report_lines import choices_message, luck_message, moment_line

    if seat is None:
        players = report.players[:MOST_LUCKY]
        return EndFacts(waits=False, luck=tuple(luck_message(each, state.who(each.seat)) for each in players))
    luck = _luck_of_viewer(report, state, seat)
    miss = next((each for each in report.costliest(1, seat) if each.decision.loss >= WORTH_A_LOOK), None)
    judged = report.players[seat].decisions > 0
    shown = None if miss is None else moment_line(miss, report)
    sentences = (luck, choices_message(report.players[seat])) if judged else (luck,)
    return EndFacts(waits=False, luck=sentences, miss=shown, judged=judged)


def _luck_of_viewer(report: Report, state: TableState, seat: int) -> Message:
    """Return the viewer's luck; for a loser, how much luckier the winner was, if that decided the game."""
    from fivedice.reports.report_lines import luck_message
    from fivedice.reports.shown_parts import whole_luck

    mine, first = report.players[seat], report.players[report.winners[0]]
    more = whole_luck(first) - whole_luck(mine)
    if 0 < first.total - mine.total <= more:
        return message("report.luckier", winner=state.who(first.seat), count=more)
    return luck_message(mine, Who(seat + 1, you=True))
