"""The report of a game: of a table, or of a record that somebody brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar.response import Response

from fivedice.errors import FivediceError
from fivedice.game import Game
from fivedice.notation import read_games
from fivedice.table.state import TableState
from fivedice.web.http.answers import Page, file, page
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import PRESS, NotFound, NotReady, Req, get, post
from fivedice.web.reports.report_jobs import KINDS, Name, Reported
from fivedice.web.runtime.work_process import work
from fivedice.web.services import AppServices

if TYPE_CHECKING:
    from fivedice.analysis.report_lines import ReportLines

LONGEST = 60_000  # characters of records; a game has about two thousand
MOST_GAMES = 50


@get("/t/{table:str}/report", lane=PRESS)
def table_report(services: AppServices, table: str, game: int | None = None) -> Page:
    """Whoever can see a table may read the report of its games, once they are over."""
    state, number = _game_of(services, table, game)
    found = services.reports.report(state.games_over[number])
    return _page(found, games=len(state.games_over), number=number + 1, table=table, name=f"/t/{table}/report")


@get([f"/t/{{table:str}}/report.{kind}" for kind in KINDS], lane=PRESS)
def table_file(request: Req, services: AppServices, table: str, game: int | None = None) -> Response[Any]:
    """The same for programs, for friends and for paper."""
    kind = request.url.path.rpartition(".")[2]
    state, number = _game_of(services, table, game)
    found = services.reports.report(state.games_over[number])
    return _file(services, kind, found, (table, state.version, number))


@get("/report")
def bring() -> Page:
    return page("reports/report_bring.html", text="", problem=None, longest=LONGEST)


@post("/report", lane=PRESS, status_code=200)
def brought(services: AppServices, form: Form) -> Page | Response[Any]:
    """A record that somebody pasted or uploaded. Nothing of it is kept."""
    text, wanted = _sent(form), _number(form.last("game"))
    try:
        games = work(_read, text, wanted)
    except FivediceError as error:
        return page("reports/report_bring.html", 422, text=text, problem=str(error), longest=LONGEST)
    number = wanted or 1
    found = services.reports.report(games[number - 1])
    if form.last("as") in KINDS:
        return _file(services, form.last("as"), found, None)
    return _page(found, games=len(games), number=number, table=None, text=text, name="/report")


def _page(found: Reported, **context: Any) -> Page:
    return page("reports/report.html", found=found, seen=_lines(found), **context)


def _lines(found: Reported) -> ReportLines | None:
    if found.report is None:
        return None
    from fivedice.analysis.report_lines import report_lines

    return report_lines(found.report, found.perfect)


def _game_of(services: AppServices, table: str, game: int | None) -> tuple[TableState, int]:
    """The table and the place of the game on its sheet; the address counts from 1."""
    state = services.tables.state(table)
    over = len(state.games_over)
    if not over:
        raise NotFound("web.no-report")
    if game is not None and not 1 <= game <= over:
        raise NotFound("web.no-such-game", game=game, count=over)
    return state, (over if game is None else game) - 1


def _file(services: AppServices, kind: str, found: Reported, name: Name | None) -> Response[Any]:
    if found.report is None:
        raise NotReady(found.readiness.about)
    content = services.reports.file(kind, found.report, found.perfect, name)
    return file(content, KINDS[kind], f"report.{kind}", how="inline")


def _sent(form: Form) -> str:
    """A file where one was chosen, else what is in the box. A browser sends line breaks as CR LF."""
    text = form.last("record") if form.file is None else form.file.decode("utf-8-sig")
    return text.replace("\r\n", "\n")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def _read(text: str, wanted: int | None) -> list[Game]:
    if len(text) > LONGEST:
        raise FivediceError("web.record-too-long", count=len(text), most=LONGEST)
    games = read_games(text)
    if not games:
        raise FivediceError("web.record-missing")
    if len(games) > MOST_GAMES:
        raise FivediceError("web.too-many-games", count=len(games), most=MOST_GAMES)
    if wanted is not None and not 1 <= wanted <= len(games):
        raise FivediceError("web.choose-a-game", count=len(games), game=wanted)
    return games
