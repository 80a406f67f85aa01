"""The model of a sheet as PDF. Whatever people wrote goes to the typesetter as data and is never part of its source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from fivedice.game import Game
from fivedice.paper.leaves import sheet_model
from fivedice.paper.paper_model import Paper, SheetModel
from fivedice.paper.typesetter import typeset
from fivedice.rules import RuleBook


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
