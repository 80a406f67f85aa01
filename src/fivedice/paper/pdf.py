"""The model of a sheet as PDF, and the one way to the typesetter.

Whatever people wrote goes to it as data beside a document of ours, and is never part of its source.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fivedice.errors import PaperError
from fivedice.game import Game
from fivedice.paper.leaves import sheet_model
from fivedice.paper.paper_model import Paper, SheetModel
from fivedice.rules import RuleBook
from fivedice.tokens import PRINT

if TYPE_CHECKING:
    import typst


# The letters of the typesetter's own fonts reach this far; the signs in general use lie behind U+2000.
_OWN_LETTERS = 0x0590
_OWN_SIGNS = range(0x1E00, 0x2070)


def typeset(package: str, name: str, data: Mapping[str, str], kind: Literal["pdf", "png"], ppi: float = 80) -> Any:
    """Set the document `name` of a package with this data: bytes, or a list of them for several pictures.

    The same data gives the same bytes: no time of day and, as a rule, no font of this machine gets into it.
    """
    try:
        compile_document, fonts = _typesetter(system_fonts=not all(map(_own_fonts_suffice, data.values())))
    except ImportError:
        raise PaperError(f"paper.no-{kind}") from None
    inputs = {**data, "colors": json.dumps(PRINT)}
    return compile_document(_source(package, name), format=kind, ppi=ppi, font_paths=fonts, sys_inputs=inputs)


@cache
def _source(package: str, name: str) -> bytes:
    return (files(package) / name).read_bytes()


@cache
def _typesetter(*, system_fonts: bool) -> tuple[Any, typst.Fonts]:
    from typst import Fonts, compile as compile_document

    return compile_document, Fonts(include_system_fonts=system_fonts)


def _own_fonts_suffice(text: str) -> bool:
    """Names in other scripts than Latin, Greek and Cyrillic are set in what this machine has, or not at all."""
    return all(ord(letter) < _OWN_LETTERS or ord(letter) in _OWN_SIGNS for letter in text)


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
    """A sheet as PDF, empty or with the games that were `played`: see `sheet_model` for what stands side by side."""
    model = sheet_model(
        book, games=games, players=players, played=played, large=large, paper=paper, match_total=match_total
    )
    return render_pdf(model)


def render_pdf(model: SheetModel) -> bytes:
    """The same model gives the same bytes: no time of day and, as a rule, no font of this machine gets into it."""
    pdf: bytes = _compile(model, "pdf")
    return pdf


def render_pictures(model: SheetModel, ppi: float = 80) -> list[bytes]:
    """The pages as PNG, laid out exactly as in the PDF."""
    pictures: bytes | list[bytes] = _compile(model, "png", ppi)
    return [pictures] if isinstance(pictures, bytes) else pictures


def _compile(model: SheetModel, kind: Literal["pdf", "png"], ppi: float = 80) -> Any:
    data = {"model": json.dumps(asdict(model), ensure_ascii=False)}
    return typeset("fivedice.paper", "scorecard.typ", data, kind, ppi)
