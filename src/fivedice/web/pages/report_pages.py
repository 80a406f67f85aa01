"""The report of a game, at a table or from a record; and a person's statistics, by rules.

Statistics read finished games only, and touch no running one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from litestar import MediaType
from litestar.response import Response

from fivedice.core.game import Game
from fivedice.core.game.playthrough import RULES
from fivedice.core.notation import write_game
from fivedice.core.notation.jsonform import iterate_games
from fivedice.drawing.theme import pip_inks
from fivedice.errors import FivediceError
from fivedice.table.state import Phase, TableState
from fivedice.text import points
from fivedice.web.http.answers import Page, file, page
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import RENDER, NotFound, NotReady, Req, get, post
from fivedice.web.http.identity import Person
from fivedice.web.jobs.report_jobs import KINDS, PICTURES, Counted, Name, Reported
from fivedice.web.jobs.work_process import work
from fivedice.web.pages.page_parts import table_preview
from fivedice.web.services.app_services import AppServices, Visitor

if TYPE_CHECKING:
    from fivedice.positions.strength import Strength
    from fivedice.reports.report_lines import ReportLines
    from fivedice.reports.statistics import BookStatistics, GameFacts
    from fivedice.reports.statistics_lines import BookLines

LONGEST = 60_000  # characters of records; a game has about two thousand
MOST_GAMES = 50
MOST_RULES = 3  # house rules in one upload: large ones take seconds each to read


@get("/t/{table:str}/report", lane=RENDER)
def table_report(services: AppServices, table: str, game: int | None = None) -> Page:
    """Return the report of a table's game, once it is over, to anyone who can see the table."""
    state, number = _game_of(services, table, game)
    found = services.reports.report(state.games_over[number])
    seats = tuple(seat.color for seat in state.seats)
    return _page(found, seats, games=len(state.games_over), number=number + 1, table=table, name=f"/t/{table}/report")


@get([f"/t/{{table:str}}/report.{kind}" for kind in KINDS], lane=RENDER)
def table_file(request: Req, services: AppServices, table: str, game: int | None = None) -> Response[Any]:
    """Return the report as a file: for programs, to share, or to print."""
    kind = request.url.path.rpartition(".")[2]
    state, number = _game_of(services, table, game)
    return _file(services, kind, state.games_over[number], (table, state.version, number))


@get("/t/{table:str}/picture")
def table_picture(visitor: Visitor, table: str, game: int | None = None) -> Page:
    """Return the page with the picture of a game, to share it or to go back."""
    state, number = _game_of(visitor.services, table, game)
    preview = table_preview(state)
    return page(
        "reports/picture.html",
        table=table,
        query=f"?game={number + 1}" if len(state.games_over) > 1 else "",
        preview=preview,
        link=visitor.link(f"/t/{table}"),
    )


@get("/report")
def bring() -> Page:
    return page("reports/report_bring.html", text="", problem=None, longest=LONGEST)


@post("/report", lane=RENDER, status_code=200)
def brought(services: AppServices, form: Form) -> Page | Response[Any]:
    """Return the report of a record that was pasted or uploaded. It is not stored."""
    text, wanted = _read_upload(form), _number(form.last("game"))
    try:
        games = work(_read, text, wanted)
    except FivediceError as error:
        return page("reports/report_bring.html", 422, text=text, problem=str(error), longest=LONGEST)
    number = wanted or 1
    if form.last("as") in KINDS:
        return _file(services, form.last("as"), games[number - 1], None)
    found = services.reports.report(games[number - 1])
    return _page(found, games=len(games), number=number, table=None, text=text, name="/report")


def _page(found: Reported, colours: tuple[str, ...] = (), **context: Any) -> Page:
    inks = "" if found.report is None else pip_inks(found.report.book)
    return page("reports/report.html", found=found, seen=_lines(found, colours), inks=inks, **context)


def _lines(found: Reported, colours: tuple[str, ...]) -> ReportLines | None:
    if found.report is None:
        return None
    from fivedice.reports.report_lines import report_lines

    return report_lines(found.report, found.perfect, colours=colours)


def _game_of(services: AppServices, table: str, game: int | None) -> tuple[TableState, int]:
    """Return the table and the place of the game on its sheet; the address counts from 1."""
    state = services.tables.state(table)
    over = len(state.games_over)
    if not over:
        raise NotFound("web.no-report")
    if game is not None and not 1 <= game <= over:
        raise NotFound("web.no-such-game", game=game, count=over)
    return state, (over if game is None else game) - 1


def _file(services: AppServices, kind: str, game: Game, name: Name | None) -> Response[Any]:
    if kind in PICTURES:
        return file(services.reports.picture(kind, game, name), KINDS[kind], f"fivedice.{kind}", how="inline")
    found = services.reports.report(game)
    if found.report is None:
        raise NotReady(found.readiness.about)
    content = services.reports.file(kind, found.report, found.perfect, name)
    return file(content, KINDS[kind], f"report.{kind}", how="inline")


def _read_upload(form: Form) -> str:
    """Return the file if one was chosen, else the text box. Browsers send line breaks as CR LF."""
    text = form.last("record") if form.file is None else form.file.decode("utf-8-sig")
    return text.replace("\r\n", "\n")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def _read(text: str, wanted: int | None) -> list[Game]:
    if len(text) > LONGEST:
        raise FivediceError("web.record-too-long", count=len(text), most=LONGEST)
    games: list[Game] = []
    for game in iterate_games(text):
        games.append(game)
        if len({each.tags.get(RULES, "") for each in games} - {""}) > MOST_RULES:
            raise FivediceError("web.too-many-rules", most=MOST_RULES)
    if not games:
        raise FivediceError("web.record-missing")
    if len(games) > MOST_GAMES:
        raise FivediceError("web.too-many-games", count=len(games), most=MOST_GAMES)
    if wanted is not None and not 1 <= wanted <= len(games):
        raise FivediceError("web.choose-a-game", count=len(games), game=wanted)
    return games


Books = Callable[["tuple[GameFacts, ...]"], "list[BookStatistics]"]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a book that the database alone gives."""

    name: str
    games: int
    mean: str
    best: int


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """The data of the whole page."""

    names: tuple[str, ...]
    summary: tuple[Summary, ...]
    books: tuple[BookLines, ...]
    strengths: tuple[Strength | None, ...]  # of the same books
    games: int
    known: int
    complete: bool
    wins_wait: int

    @property
    def waits(self) -> bool:
        """Return whether something is still being computed."""
        known = self.complete and not self.wins_wait and all(book.perfect_known for book in self.books)
        return bool(self.games) and not known

    @classmethod
    def of(cls, counted: Counted, name: str | None, books: Books, names: dict[str, str]) -> StatisticsView:
        from fivedice.positions.strength import strength_of
        from fivedice.reports.statistics import names_in
        from fivedice.reports.statistics_lines import book_lines

        facts = tuple(each for each in counted.facts if name is None or each.name == name)
        found = books(facts)
        return cls(
            tuple(names_in(counted.facts)),
            tuple(_summaries(counted, names)),
            tuple(map(book_lines, found)),
            tuple(map(strength_of, found)),
            len(counted.results),
            sum(each.judged is not None for each in counted.facts),
            counted.is_complete,
            counted.wins_wait,
        )


def _summaries(counted: Counted, names: dict[str, str]) -> Iterator[Summary]:
    totals: dict[str, list[int]] = {}
    for result in counted.results:
        totals.setdefault(result.book, []).append(result.total)
    for key, found in totals.items():
        yield Summary(names.get(key, key), len(found), points(fmean(found)), max(found))


@get("/statistics", lane=RENDER)
def statistics(services: AppServices, person: Person, name: str | None = None) -> Page:
    """Return the statistics of this browser's person, or of one of the names that share it."""
    name, store = name or None, services.tables.store  # an empty name means everyone
    counted = services.game_counts.look(person.id)
    names = store.shelf.book_names({result.book for result in counted.results})
    seen = StatisticsView.of(counted, name, services.game_counts.books, names)
    running = [entry for entry in store.own_tables.of(person.id) if entry.phase == Phase.PLAYING]
    return page("reports/statistics.html", seen=seen, running=running, chosen=name)


@get("/statistics.csv", lane=RENDER)
def as_csv(services: AppServices, person: Person) -> Response[Any]:
    """Return one line per game."""
    from fivedice.reports.statistics_lines import to_csv

    return file(to_csv(services.game_counts.look(person.id).facts), "text/csv", "fivedice.csv")


@get("/statistics.json", lane=RENDER)
def as_json(services: AppServices, person: Person) -> Response[Any]:
    """Return all figures of the page, and every game."""
    from fivedice.positions.strength import statistics_with_strength

    counted = services.game_counts.look(person.id)
    books = statistics_with_strength(services.game_counts.books(counted.facts))
    data = {
        "complete": counted.is_complete,
        "games": len(counted.results),
        "games_without_win_chances": counted.wins_wait,
        **books,
    }
    return file(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "application/json", "fivedice.json")


@get("/statistics.txt", lane=RENDER, media_type=MediaType.TEXT)
def as_records(services: AppServices, person: Person) -> Response[Any]:
    """Return the records of all games."""
    return file("\n".join(map(write_game, services.game_counts.games(person.id))), "text/plain", "fivedice.txt")
