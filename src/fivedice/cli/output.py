"""Parts that the subcommands share: types that a shell can complete, messages, JSON, tables, files, and score sheets.

A type that a shell can complete allows other values too, such as a file name.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from cyclopts import Parameter
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fivedice.core.game import Game, LineKind, Scorecard, SheetLine, sheet_lines
from fivedice.core.notation import read_card
from fivedice.core.rules import SHIPPED, RuleBook
from fivedice.drawing.paper.paper_model import Paper
from fivedice.errors import FivediceError, MalformedError, quote
from fivedice.players.bots import LEVELS
from fivedice.text import name_of, word


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # `command_list.run` ends quietly when the reader closes the pipe


def console() -> Console:
    """Return a console that is styled on a terminal and plain in a pipe."""
    return _Console(highlight=False)


def tell(kind: str, /, *, style: str | None = None, soft_wrap: bool = False, **args: object) -> None:
    """Print a sentence. Markup in names and other values is not interpreted."""
    console().print(word(kind, **args), style=style, markup=False, soft_wrap=soft_wrap)


def table(*columns: str, title: str | None = None, numbers: Iterable[int] = ()) -> Table:
    """Return a plain table. The columns in `numbers` are aligned to the right."""
    built = Table(*columns, title=title, title_justify="left", title_style="bold", box=SIMPLE, pad_edge=False)
    for column in built.columns:
        column.overflow = "fold"
    for place in numbers:
        built.columns[place].justify = "right"
    return built


def read_text(file: str) -> str:
    """Return the text of a file, or of standard input for '-'. Raise MalformedError if it cannot be read."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MalformedError("cli.unreadable", file=quote(file), reason=error.strerror) from None
    except UnicodeDecodeError:
        raise MalformedError("cli.not-text", file=quote(file)) from None


def write_file(out: Path, content: bytes) -> None:
    """Write a file and replace an existing one. Raise FivediceError if it cannot be written."""
    try:
        out.write_bytes(content)
    except (OSError, ValueError) as error:  # ValueError: a file cannot have this name
        raise FivediceError(
            "cli.unwritable", file=quote(str(out)), reason=getattr(error, "strerror", None) or str(error)
        ) from None


def read_sheet(text: str, book: RuleBook) -> Scorecard:
    """Read a score sheet as people write it: keys are allowed for codes, and '=' for ':'."""
    codes = {box.key: box.code for box in book.boxes}
    entries = [entry.strip().replace("=", ":").split(":") for entry in text.split(",")]
    plain = [":".join([codes.get(entry[0], entry[0]), *entry[1:]]) for entry in entries]
    return read_card(",".join(plain), book)


def sheet_table(game: Game) -> Table:
    """Return the score sheets of all players, in the layout of the rules."""
    built = table(escape(name_of(game.book)))
    for player in game.players:
        built.add_column(escape(player), justify="right", overflow="fold")
    columns = [sheet_lines(card) for card in game.position.cards]
    for line in zip(*columns, strict=True):
        built.add_row(escape(name_of(line[0])), *map(_cell, line), style=_STYLES.get(line[0].kind))
    if game.book.save_rolls and not game.is_over:
        built.add_row(word("cli.saved-rolls"), *(str(card.saved) for card in game.position.cards))
    return built


_STYLES = {LineKind.HEADING: "dim", LineKind.TOTAL: "bold", LineKind.GRAND: "bold reverse"}


def _cell(line: SheetLine) -> str:
    if line.kind is LineKind.HEADING:
        return ""
    return "·" if line.value is None else str(line.value)


if TYPE_CHECKING:
    BookName: TypeAlias = str
    LevelName: TypeAlias = str
    PaperName: TypeAlias = str
else:
    _quiet = Parameter(show_choices=False)  # the help text of each command explains them
    BookName = Annotated[Literal[tuple(SHIPPED)] | str, _quiet]
    LevelName = Annotated[Literal[tuple(LEVELS)] | str, _quiet]
    PaperName = Annotated[Literal[tuple(map(str, Paper))] | str, _quiet]
