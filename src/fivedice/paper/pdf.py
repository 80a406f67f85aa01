"""The model of a sheet as PDF. Whatever people wrote goes to the typesetter as data and is never part of its source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fivedice.errors import PaperError
from fivedice.game import Game
from fivedice.paper.leaves import sheet_model
from fivedice.paper.model import Paper, SheetModel
from fivedice.rules import RuleBook

if TYPE_CHECKING:
    import typst

# The letters of the typesetter's own fonts reach this far; the signs in general use lie behind U+2000.
_OWN_LETTERS = 0x0590
_OWN_SIGNS = range(0x1E00, 0x2070)


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
    compile_document, fonts = _typesetter(system_fonts=not _own_fonts_suffice(model))
    data = {"model": json.dumps(asdict(model))}
    return compile_document(_source(), format=kind, ppi=ppi, font_paths=fonts, sys_inputs=data)


@cache
def _source() -> bytes:
    return (files("fivedice.paper") / "scorecard.typ").read_bytes()


@cache
def _typesetter(*, system_fonts: bool) -> tuple[Any, typst.Fonts]:
    try:
        from typst import Fonts, compile as compile_document
    except ImportError:
        raise PaperError("PDFs need one more package: pip install 'fivedice[reports]'") from None
    return compile_document, Fonts(include_system_fonts=system_fonts)


def _own_fonts_suffice(model: SheetModel) -> bool:
    """Names in other scripts than Latin, Greek and Cyrillic are set in what this machine has, or not at all."""
    text = json.dumps(asdict(model), ensure_ascii=False)
    return all(ord(letter) < _OWN_LETTERS or ord(letter) in _OWN_SIGNS for letter in text)
