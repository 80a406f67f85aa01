"""The parts of a table's page around the game: notices, the preview of shared links, and the end of a game.

A preview shows nothing that only some may know: a title, a line and a picture. The page shows at once how a result
compares with one's other games. Luck and skill are computed in the background, and fetched once the page is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from fivedice.message import Chance, Message, message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import headline
from fivedice.table.view.view_shapes import TableView
from fivedice.text import format_signed, name_of, percent
from fivedice.web.http.identity import Person
from fivedice.web.http.static_files import static_address
from fivedice.web.services.app_services import AppServices

if TYPE_CHECKING:
    from fivedice.reports.game_report import PlayerReport
    from fivedice.reports.perfect import Perfect
    from fivedice.web.jobs.table_coach import CautionView, HintView, TableOdds
    from fivedice.web.services.visitors import CoachChoices


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


def table_preview(services: AppServices, state: TableState) -> Preview:
    """Return the preview for spectators; once a game is over, with its result."""
    game, names = name_of(state.book), tuple(state.who(seat) for seat in range(len(state.seats)))
    if state.phase is Phase.FINISHED:
        title = str(message("home.result", result=headline(state, None), game=game))
        return Preview(title, str(message("home.finished-about", scores=_scores(state))), *_picture(services, state))
    title = str(message("home.watch", names=names, game=game)) if names else game
    return Preview(title, str(message("home.watch-about")), static_address(PICTURE))


def _scores(state: TableState) -> tuple[object, ...]:
    totals = enumerate(state.match.totals)
    return tuple(message("home.total-of", name=state.who(seat), total=total) for seat, total in totals)


def _picture(services: AppServices, state: TableState) -> tuple[str, bool]:
    """Return the picture of the game if it is quick to make, else the usual one: link previews must not wait."""
    if _can_draw() and services.solutions.ready(state.book) is not None:
        return f"/t/{state.id}/report.png", False
    return static_address(PICTURE), True


@cache
def _can_draw() -> bool:
    return find_spec("typst") is not None


WORTH_A_LOOK = 1.0  # points lost by a decision from which the report shows it
BARS = 24
TAIL = 0.002  # share of perfect games beyond the bars, on either side
TALLEST = 40  # the height of the tallest bar
MINE_AT_LEAST = 5  # the least height of the bar of this game, so that it is visible

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
    return ResultRank(message(_RANKED.get(rank, "web.end-other"), games=games, best=best))


@dataclass(frozen=True, slots=True)
class SkillLine:
    """A player's luck and skill."""

    seat: int
    luck: str
    skill: str
    moments: int  # decisions to look at again


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the chart: the share of perfect games that end here, and whether this game does."""

    x: int
    height: float
    mine: bool


@dataclass(frozen=True, slots=True)
class EndFacts:
    """The facts that are known so far; `waits` while more are being computed."""

    waits: bool
    lines: tuple[SkillLine, ...] = ()
    better: Message | None = None
    bars: tuple[Bar, ...] = ()


def facts_of(services: AppServices, state: TableState, seat: int | None) -> EndFacts:
    """Return the viewer's own luck and skill, or everyone's. Rules that take long are only solved on request."""
    game = state.game
    if game is None or (limits.takes_long(state.book) and services.solutions.ready(state.book) is None):
        return EndFacts(waits=False)
    found = services.reports.report(game, win=False)
    if found.report is None:
        return EndFacts(waits=found.readiness.state in {"running", "waiting"})
    players = found.report.players if seat is None else (found.report.players[seat],)
    lines = tuple(map(_line, players))
    if len(players) > 1 or found.perfect is None:
        return EndFacts(found.perfect is None, lines)
    total = players[0].total
    better = message("report.better", chance=Chance(found.perfect.better_than(total)))
    return EndFacts(waits=False, lines=lines, better=better, bars=tuple(_bars(found.perfect, total)))


def _line(player: PlayerReport) -> SkillLine:
    skill = "\N{EN DASH}" if player.accuracy is None else percent(player.accuracy / 100)  # unknown, as on paper
    moments = sum(each.decision.loss >= WORTH_A_LOOK for each in player.moments)
    return SkillLine(player.seat, format_signed(round(player.luck)), skill, moments)


def _bars(perfect: Perfect, total: int) -> Iterator[Bar]:
    """Yield the totals of perfect games in equal steps; the first and the last bar include everything beyond."""
    low, high = perfect.odds.quantile(TAIL), perfect.odds.quantile(1 - TAIL)
    step = max(1, -(-(high - low + 1) // BARS))
    shares = [0.0] * BARS
    for each, chance in perfect.odds.pmf.items():
        shares[_bar(each, low, step)] += chance
    mine, most = _bar(total, low, step), max(shares)
    for number, share in enumerate(shares):
        least = MINE_AT_LEAST if number == mine else 1
        yield Bar(number * 10, round(max(least, TALLEST * share / most), 1), number == mine)


def _bar(total: int, low: int, step: int) -> int:
    return min(BARS - 1, max(0, (total - low) // step))
