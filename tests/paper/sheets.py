"""Games to print, and the text of what was printed."""

from __future__ import annotations

import io
from collections.abc import Sequence

from pypdf import PdfReader

import fivedice as fd


def played(book: str | fd.RuleBook, names: Sequence[str], *, seed: int, turns: int | None = None) -> fd.Game:
    """A game of players who take the most points at once."""
    game = fd.Game.new(book, list(names), dice=fd.dice.seeded(seed))
    while not game.is_over and turns != 0:
        game.roll()
        legal = game.position.ruling().legal
        game.mark(max(legal, key=lambda box: legal[box].points))
        turns = None if turns is None else turns - 1
    return game


def pages_of(pdf: bytes) -> list[str]:
    """The words of each page, in reading order; how lines were broken does not matter."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def text_of(pdf: bytes) -> str:
    return " ".join(pages_of(pdf))
