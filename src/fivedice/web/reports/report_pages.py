"""The report of a game: of a table, or of a record that somebody brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request, get, post
from litestar.datastructures import State, UploadFile
from litestar.exceptions import ClientException, NotFoundException, ServiceUnavailableException
from litestar.response import Response, Template

from fivedice.errors import FivediceError, PaperError
from fivedice.game import Game
from fivedice.notation import read_games
from fivedice.table.state import TableState
from fivedice.web.home.pages import page
from fivedice.web.http.identity import person_of
from fivedice.web.reports.report_jobs import KINDS, Name, Reported
from fivedice.web.runtime.services import desk_of, in_thread

if TYPE_CHECKING:
    from fivedice.analysis.report_lines import ReportLines

Req = Request[Any, Any, State]

LONGEST = 60_000  # characters of records; a game has about two thousand
MOST_GAMES = 50


@get("/t/{table:str}/report")
async def table_report(request: Req, table: str, game: int | None = None) -> Template:
    """Whoever can see a table may read the report of its games, once they are over."""
    state, number = await _game_of(request, table, game)
    found = await in_thread(desk_of(request).reports.report, state.games_over[number])
    context = {"games": len(state.games_over), "number": number + 1, "table": table, "name": f"/t/{table}/report"}
    return await _page(request, found, **context)


@get([f"/t/{{table:str}}/report.{kind}" for kind in KINDS])
async def table_file(request: Req, table: str, game: int | None = None) -> Response[bytes]:
    """The same for programs, for friends and for paper."""
    state, number = await _game_of(request, table, game)
    found = await in_thread(desk_of(request).reports.report, state.games_over[number])
    kind = request.url.path.rpartition(".")[2]
    return await _file(request, kind, found, (table, state.version, number))


@get("/report")
async def bring(request: Req) -> Template:
    return page(request, person_of(request), "reports/report_bring.html", text="", problem=None, longest=LONGEST)


@post("/report", status_code=200)
async def brought(request: Req) -> Template | Response[bytes]:
    """A record that somebody pasted or uploaded. Nothing of it is kept."""
    form = await request.form()
    text, wanted, kind = await _sent(form), _number(form.get("game")), str(form.get("as", ""))
    try:
        games = await in_thread(_read, text, wanted)
    except FivediceError as error:
        context = {"text": text, "problem": _sentence(error), "longest": LONGEST}
        return page(request, person_of(request), "reports/report_bring.html", 422, **context)
    number = wanted or 1
    found = await in_thread(desk_of(request).reports.report, games[number - 1])
    if kind in KINDS:
        return await _file(request, kind, found, None)
    return await _page(request, found, games=len(games), number=number, table=None, text=text, name="/report")


async def _page(request: Req, found: Reported, **context: Any) -> Template:
    seen = await in_thread(_lines, found)
    return page(request, person_of(request), "reports/report.html", found=found, seen=seen, **context)


def _lines(found: Reported) -> ReportLines | None:
    if found.report is None:
        return None
    from fivedice.analysis.report_lines import report_lines

    return report_lines(found.report, found.perfect)


async def _game_of(request: Req, table: str, game: int | None) -> tuple[TableState, int]:
    """The table and the place of the game on its sheet; the address counts from 1."""
    state = await in_thread(desk_of(request).tables.state, table)
    over = len(state.games_over)
    if not over:
        raise NotFoundException("The game is not finished yet, so there is no report of it.")
    if game is not None and not 1 <= game <= over:
        raise NotFoundException(f"There is no game {game} on this sheet; it has {over}.")
    return state, (over if game is None else game) - 1


async def _file(request: Req, kind: str, found: Reported, name: Name | None) -> Response[bytes]:
    if found.report is None:
        raise ServiceUnavailableException(f"{found.readiness.sentence} Try again in a moment.")
    try:
        content = await in_thread(desk_of(request).reports.file, kind, found.report, found.perfect, name)
    except PaperError as error:
        raise ClientException(str(error)) from None
    headers = {"content-disposition": f'inline; filename="report.{kind}"', "cache-control": "no-store"}
    return Response(content, media_type=KINDS[kind], headers=headers)


async def _sent(form: Any) -> str:
    """A file where one was chosen, else what is in the box. A browser sends line breaks as CR LF."""
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return (await file.read()).decode("utf-8-sig").replace("\r\n", "\n")
    text = form.get("record", "")
    return text.replace("\r\n", "\n") if isinstance(text, str) else ""


def _number(text: object) -> int | None:
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 4 else None


def _read(text: str, wanted: int | None) -> list[Game]:
    if len(text) > LONGEST:
        raise FivediceError(f"there are {len(text)} characters; at most {LONGEST} are read here")
    games = read_games(text)
    if not games:
        raise FivediceError("there is no record: paste it from its first bracket to the line with the totals")
    if len(games) > MOST_GAMES:
        raise FivediceError(f"there are {len(games)} games; at most {MOST_GAMES} are read at once")
    if wanted is not None and not 1 <= wanted <= len(games):
        raise FivediceError(f"there are games 1 to {len(games)}, not {wanted}")
    return games


def _sentence(error: FivediceError) -> str:
    text = str(error)
    return text if text.endswith(".") else f"{text[:1].upper()}{text[1:]}."


handlers = [table_report, table_file, bring, brought]
