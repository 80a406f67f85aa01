"""Score sheets to print: a print view and a PDF, empty for any rules or filled in for a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from litestar.response import Response

from fivedice.core.rules import SHIPPED, RuleBook
from fivedice.drawing.paper import Leaf, Paper, Row, SheetModel, render_pdf, sheet_model
from fivedice.errors import PaperError, quote
from fivedice.table.state import TableState
from fivedice.text.formatting import format_day
from fivedice.web.http.answers import Page, file, page
from fivedice.web.http.handling import RENDER, Req, get
from fivedice.web.jobs.work_process import work
from fivedice.web.services.app_services import AppServices


@dataclass(frozen=True, slots=True)
class Wanted:
    """The choices in the address, unchecked."""

    games: str = ""
    players: str = ""
    large: bool = False
    paper: str = Paper.A4

    @classmethod
    def of(cls, request: Req) -> Wanted:
        asked = request.query_params
        games, players, paper = (asked.get(name, "").strip() for name in ("games", "players", "paper"))
        return cls(games, players, asked.get("large", "") not in ("", "no"), paper or Paper.A4)

    def model(self, book: RuleBook) -> SheetModel:
        return sheet_model(
            book,
            games=_number(self.games),
            players=_number(self.players),
            large=self.large,
            paper=self.paper,
        )

    def filled_model(self, state: TableState) -> SheetModel:
        """Return the sheet of a table as it stands; before the first game, an empty one."""
        games = state.games if state.games > 1 else None
        played = [state.all_games[number] for number in state.counted]
        return sheet_model(
            state.book,
            games=games,
            played=played,
            large=self.large,
            paper=self.paper,
            match_total=state.match_total,
            date=format_day(state.opened) if played and state.opened else "",
        )

    @property
    def query(self) -> str:
        chosen = {
            "games": self.games,
            "players": self.players,
            "large": "yes" if self.large else "",
            "paper": self.paper,
        }
        if chosen["paper"] == Paper.A4:
            del chosen["paper"]
        text = urlencode({name: value for name, value in chosen.items() if value})
        return f"?{text}" if text else ""


def _number(text: str) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise PaperError("paper.not-a-number", given=quote(text))
    return int(text)


@get("/print/{sheet:str}", lane=RENDER)
def empty_sheet(request: Req, services: AppServices, sheet: str) -> Page | Response[Any]:
    """Return `/print/yatzy` as a page to print, or `/print/yatzy.pdf` as a file; house rules by their address."""
    key, wanted = sheet.removesuffix(".pdf"), Wanted.of(request)
    book = services.book(key)
    model = wanted.model(book)
    if sheet.endswith(".pdf"):
        return _pdf(model, f"{book.key}.pdf")
    back = f"/rules/{key}" if key in SHIPPED else f"/house/{key}"
    return _view(model, wanted, f"/print/{key}", f"/print/{key}.pdf", back)


@get("/t/{table:str}/print", lane=RENDER)
def table_sheet(request: Req, services: AppServices, table: str) -> Page:
    """Return the print view of a table, to anyone who can see it."""
    wanted = Wanted.of(request)
    model = wanted.filled_model(services.tables.state(table))
    return _view(model, wanted, f"/t/{table}/print", f"/t/{table}/sheet.pdf", f"/t/{table}")


@get("/t/{table:str}/sheet.pdf", lane=RENDER)
def table_pdf(request: Req, services: AppServices, table: str) -> Response[Any]:
    model = Wanted.of(request).filled_model(services.tables.state(table))
    return _pdf(model, "sheet.pdf")


def _pdf(model: SheetModel, name: str) -> Response[Any]:
    return file(work(render_pdf, model), "application/pdf", name, how="inline")


def _view(model: SheetModel, wanted: Wanted, here: str, pdf: str, back: str) -> Page:
    sheets = [_Sheet(leaf, rows, _row_height(model, rows)) for leaf in model.leaves for rows in _pages(model, leaf)]
    return page(
        "printing/print.html",
        model=model,
        wanted=wanted,
        sheets=sheets,
        here=here,
        pdf=pdf + wanted.query,
        back=back,
        empty=here.startswith("/print/"),
    )


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One page of the print view."""

    leaf: Leaf
    rows: tuple[Row, ...]
    height: int  # of a row, in millimetres

    @property
    def has_minimum(self) -> bool:
        return any(row.minimum for row in self.rows)


def _pages(model: SheetModel, leaf: Leaf) -> list[tuple[Row, ...]]:
    """Return the rows of each page; in large print each section has its own."""
    if model.large:
        return [block.rows for block in leaf.blocks]
    return [tuple(row for block in leaf.blocks for row in block.rows)]


def _row_height(model: SheetModel, rows: tuple[Row, ...]) -> int:
    """Return the height of a row: what the paper allows, within limits. Letter paper is the lower one."""
    room = 136 if model.landscape else 212
    least, most = (8, 11) if model.large else (5, 10)
    return max(least, min(most, room // len(rows)))
