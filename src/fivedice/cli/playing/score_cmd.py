"""`fivedice score`: the points of a roll in every box, and why a box is closed."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from fivedice.cli.choices import BookName
from fivedice.cli.output import console, print_json, read_sheet, table, tell
from fivedice.core.dice import Roll
from fivedice.core.game import Ruling
from fivedice.core.rules import Box, book as find_book
from fivedice.text import name_of, word


def score(book: BookName, dice: str, /, *, card: str = "-", json: bool = False) -> None:
    """Show what a roll is worth in every legal box, and why the other boxes are closed.

    Examples: `fivedice score yahtzee 44446`,
    `fivedice score yahtzee 44444 --card 4s:12,yz:50` (a joker),
    `fivedice score my-house.toml 33322 --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    dice
        The dice, one digit per die, such as 24466.
    card
        What is on the score sheet already, as code:points or key:points, such as `4s:12,yz:50,yb:100`.
    json
        Print JSON: `{"book", "dice", "legal": {box: points}, "bonus", "closed": {box: reason}}`.
    """
    rules = find_book(book)
    ruling = read_sheet(card, rules).ruling(Roll.parse(dice))
    if json:
        print_json(_as_json(ruling))
    else:
        _print(ruling)


def _as_json(ruling: Ruling) -> dict[str, Any]:
    return {
        "book": ruling.card.book.key,
        "dice": str(ruling.roll),
        "legal": {key: entry.points for key, entry in ruling.legal.items()},
        "bonus": ruling.bonus if ruling.legal else 0,
        "closed": ruling.closed,
    }


def _print(ruling: Ruling) -> None:
    out, book, legal = console(), ruling.card.book, ruling.legal
    title = word("cli.book-roll", rules=book, roll=ruling.roll)
    shown = table(word("cli.column.box"), word("cli.column.points"), "", title=escape(title), numbers=[1])
    for box in book.boxes:
        if box.key in legal:
            entry = legal[box.key]
            shown.add_row(escape(name_of(box)), str(entry.points), word("cli.joker") if entry.joker else "")
    out.print(shown)
    groups: dict[str, list[Box]] = {}  # each reason is printed once
    for key, reason in ruling.closed.items():
        groups.setdefault(reason, []).append(ruling.card.book.box(key))
    for reason, boxes in groups.items():
        tell("cli.closed", boxes=tuple(boxes), reason=reason)
    if legal and ruling.bonus:
        tell("cli.extra", name=book.labels["extra"], points=ruling.bonus)
