"""`fivedice scorecard`: a score sheet to print, empty or filled, as PDF."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fivedice.cli.choices import BookName, PaperName
from fivedice.cli.output import read_text, tell, write_file
from fivedice.core.game import Game
from fivedice.core.notation import read_games
from fivedice.core.rules import RuleBook, book as find_book
from fivedice.drawing.paper import scorecard_pdf
from fivedice.errors import FivediceError, MalformedError, quote


def scorecard(
    book: BookName | None = None,
    /,
    *,
    out: Annotated[str, Parameter(allow_leading_hyphen=True)],
    games: int | None = None,
    players: int | None = None,
    large: bool = False,
    paper: PaperName = "a4",
    record: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
) -> None:
    """Make a score sheet to print, as PDF: empty, or filled with recorded games.

    Examples: `fivedice scorecard yardzee --out pad.pdf`, `fivedice scorecard yatzy --players 4 --large --out pad.pdf`,
    `fivedice scorecard my-house.toml --out pad.pdf`, `fivedice scorecard --record game.txt --out game.pdf`.

    Parameters
    ----------
    book
        A shipped book or the path of a .toml file; with --record it is needed for house rules alone.
    out
        The PDF to write, over an older one if there is one; '-' is standard output.
    games
        So many games side by side; as the book has it without this. With --record, columns for games to come.
    players
        So many players side by side; with --games, so many sheets, one a player.
    large
        Large print: 18 points and more, the sections on a page each.
    paper
        The paper: a4 or letter.
    record
        Records in Fivedice notation or as JSON, one or more, to fill the sheet.
    """
    if record is None:
        if book is None:
            raise FivediceError("cli.which-sheet")
        pdf = scorecard_pdf(find_book(book), games=games, players=players, large=large, paper=paper)
    else:
        played = _read(record, None if book is None else find_book(book))
        pdf = scorecard_pdf(played[0].book, games=games, players=players, played=played, large=large, paper=paper)
    _write(pdf, out)


def _read(files: list[str], book: RuleBook | None) -> list[Game]:
    played = [game for file in files for game in read_games(read_text(file), book)]
    if not played:
        raise MalformedError("cli.no-record", files=tuple(map(quote, files)))
    return played


def _write(pdf: bytes, out: str) -> None:
    if out == "-":
        sys.stdout.buffer.write(pdf)
        return
    write_file(Path(out), pdf)
    tell("cli.written", file=out, soft_wrap=True)
