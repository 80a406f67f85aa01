"""Games to print, and the text of what was printed."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pypdf import PageObject, PdfReader

import fivedice as fd


def play_sheet(book: str | fd.RuleBook, names: Sequence[str], *, seed: int, turns: int | None = None) -> fd.Game:
    """A game of players who take the most points at once."""
    game = fd.Game.new(book, list(names), dice=fd.dice.seeded(seed))
    while not game.is_over and turns != 0:
        game.roll()
        legal = game.position.ruling().legal
        game.mark(max(legal, key=lambda box: legal[box].points))
        turns = None if turns is None else turns - 1
    return game


@dataclass(frozen=True)
class Piece:
    """Some text that was printed in one go: where it begins, in points, and on how large a page."""

    text: str
    x: float
    y: float
    size: float
    width: float
    height: float
    drop: float = 0  # from its line of writing to the next rule below


class Printed:
    """A PDF read back: the words of each page in reading order, and where they stand."""

    def __init__(self, pdf: bytes) -> None:
        self.pieces: list[Piece] = []
        self.pages = [self._read(page) for page in PdfReader(io.BytesIO(pdf)).pages]

    @property
    def text(self) -> str:
        return " ".join(self.pages)

    def _read(self, page: PageObject) -> str:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        rules: list[float] = []
        begun = [0.0, 0.0]
        pieces: list[Piece] = []

        def draw(operator: bytes, point: Any, cm: Any, _: Any) -> None:
            """Note the height of every long level line, the edges of fields among them."""
            if operator in (b"m", b"l"):
                if operator == b"l" and point[1] == begun[1] and abs(point[0] - begun[0]) > 50:
                    rules.append(cm[5] + cm[3] * float(point[1]))
                begun[:] = map(float, point)

        def visit(text: str, cm: Any, tm: Any, _: Any, size: float) -> None:
            if text.strip():
                pieces.append(Piece(text.strip(), cm[4] + tm[4], cm[5] + tm[5], size, width, height))

        found = page.extract_text(visitor_text=visit, visitor_operand_before=draw)
        drops = (min((piece.y - rule for rule in rules if rule <= piece.y), default=height) for piece in pieces)
        self.pieces += [replace(piece, drop=drop) for piece, drop in zip(pieces, drops, strict=True)]
        return " ".join(found.split())


def text_of(pdf: bytes) -> str:
    return Printed(pdf).text


def assert_on_paper(printed: Printed, smallest: float) -> None:
    for piece in printed.pieces:
        assert piece.x > MARGIN, piece
        assert piece.x + 0.2 * piece.size * len(piece.text) < piece.width - MARGIN, piece  # hardly any are narrower
        assert MARGIN < piece.y < piece.height - MARGIN, piece
        assert piece.size >= smallest, piece


MARGIN = 28  # points; a printer cannot reach the very edge
