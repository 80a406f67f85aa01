"""Score sheets for paper: one model of a sheet, laid out as a PDF here and as a web page elsewhere.

`scorecard_pdf("yardzee")` is an empty pad, `scorecard_pdf("yatzy", played=[game])` the sheet of a game. This module has
the only call of the typesetter. Texts from people are passed to it as data, and never become part of a source.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fivedice.core.game import Game
from fivedice.core.rules import RuleBook
from fivedice.drawing.paper.leaves import sheet_model
from fivedice.drawing.paper.paper_model import Block, Leaf, Paper, Row, SheetModel
from fivedice.drawing.theme import INKS, PRINT
from fivedice.errors import PaperError

if TYPE_CHECKING:
    import typst


__all__ = [
    "Block",
    "Leaf",
    "Paper",
    "Row",
    "SheetModel",
    "render_pdf",
    "render_pictures",
    "scorecard_pdf",
    "sheet_model",
]


# The typesetter's own fonts have the letters below this code, and these common signs.
_OWN_LETTERS = 0x0590
_OWN_SIGNS = range(0x1E00, 0x2070)


def typeset(
    package: str,
    name: str,
    data: Mapping[str, str],
    kind: Literal["pdf", "png"],
    ppi: float = 80,
    *,
    system_fonts: bool = False,
) -> Any:
    """Typeset the document `name` of a package with this data. Return bytes, or a list of them for several pictures.

    The same data gives the same bytes: the result has no time and, unless `system_fonts` are wanted, usually no fonts
    of this machine. Raise PaperError if the typesetter is not installed.
    """
    try:
        # The typesetter's own fonts lack some scripts: then it needs those of this machine.
        letters = set("".join(data.values()))
        wanted = system_fonts or any(ord(each) >= _OWN_LETTERS and ord(each) not in _OWN_SIGNS for each in letters)
        compile_document, fonts = _typesetter(system_fonts=wanted)
    except ImportError:
        raise PaperError(f"paper.no-{kind}") from None
    inputs = {**data, "colors": json.dumps(PRINT | INKS)}
    return compile_document(_source(package, name), format=kind, ppi=ppi, font_paths=fonts, sys_inputs=inputs)


@cache
def _source(package: str, name: str) -> bytes:
    return (files(package) / name).read_bytes()


@cache
def _typesetter(*, system_fonts: bool) -> tuple[Any, typst.Fonts]:
    from typst import Fonts, compile as compile_document

    return compile_document, Fonts(include_system_fonts=system_fonts)


def scorecard_pdf(
    book: str | Path | RuleBook,
    *,
    games: int | None = None,
    players: int | None = None,
    played: Sequence[Game] = (),
    large: bool = False,
    paper: Paper | str = Paper.A4,
    match_total: bool = True,
) -> bytes:
    """Return a sheet as PDF, empty or with the games that were `played`. The options are those of `sheet_model`.

    Raise PaperError if it does not fit on paper, or if the extra `reports` is not installed.

    >>> from fivedice.drawing.paper import scorecard_pdf
    >>> scorecard_pdf("yatzy", players=4)[:5]
    b'%PDF-'
    """
    model = sheet_model(
        book, games=games, players=players, played=played, large=large, paper=paper, match_total=match_total
    )
    return render_pdf(model)


def render_pdf(model: SheetModel) -> bytes:
    """Return a model as PDF. The same model gives the same bytes. Raise PaperError as `scorecard_pdf` does."""
    pdf: bytes = _compile(model, "pdf")
    return pdf


def render_pictures(model: SheetModel, ppi: float = 80) -> list[bytes]:
    """Return the pages as PNG, laid out as in the PDF. `ppi` is the resolution."""
    pictures: bytes | list[bytes] = _compile(model, "png", ppi)
    return [pictures] if isinstance(pictures, bytes) else pictures


def _compile(model: SheetModel, kind: Literal["pdf", "png"], ppi: float = 80) -> Any:
    data = {"model": json.dumps(asdict(model), ensure_ascii=False)}
    return typeset("fivedice.drawing.paper", "scorecard.typ", data, kind, ppi)
