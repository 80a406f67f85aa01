"""`fivedice rules`: list the rules, print a book, compare two, or check your own; `fivedice bots`: the levels.

`fivedice score` shows the points of a roll in every box, and why a box is closed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclopts import App
from rich.markup import escape

from fivedice.cli.output import BookName, console, print_json, read_sheet, table, tell
from fivedice.core.dice import Roll
from fivedice.core.game import Ruling
from fivedice.core.rules import DEFAULT, SHIPPED, Box, RuleBook, book as find_book, read_book, write_book
from fivedice.core.rules.book_facts import (
    Renamed,
    RuleDifference,
    book_data,
    book_head,
    box_rule,
    differences,
    facts,
    find_renamed,
)
from fivedice.players import bots as levels
from fivedice.text import name_of, translate_text, word

app = App(name="rules", help_format="markdown")


@app.default
def show(book: BookName | None = None, /, *, json: bool = False, toml: bool = False) -> None:
    """List the rule books, or print one of them in full.

    Examples: `fivedice rules`, `fivedice rules yardzee`, `fivedice rules my-house.toml`, `fivedice rules yatzy --toml`,
    `fivedice rules diff yahtzee yardzee`, `fivedice rules check my-house.toml`.

    Parameters
    ----------
    book
        A shipped book or the path of a .toml file; without it the shipped books are listed.
    json
        Print JSON instead of text.
    toml
        Print the whole book as a rule-book file, to start a house book from.
    """
    if book is None:
        _list(json)
    elif toml:
        print(write_book(find_book(book)), end="")
    elif json:
        print_json(book_data(find_book(book)))
    else:
        _print_book(find_book(book))


@app.command
def diff(first: BookName, second: BookName, /, *, json: bool = False) -> None:
    """Say in words what differs between two books.

    Examples: `fivedice rules diff yahtzee yardzee`, `fivedice rules diff yahtzee my-house.toml`.

    Parameters
    ----------
    first
        A shipped book or the path of a .toml file.
    second
        Another one.
    json
        Print JSON: `{"first", "second", "differences": [{"topic", "first", "second"}], "renamed": [...]}`.
    """
    one, other = find_book(first), find_book(second)
    found, names = differences(one, other), find_renamed(one, other)
    if json:
        shown = {"first": one.key, "second": other.key, "differences": _rows(found), "renamed": _names(names)}
        print_json(shown)
    else:
        _print_diff(one, other, found, names)


@app.command
def check(file: Path, /, *, json: bool = False) -> None:
    """Check a rule-book file and show how it differs from the book it extends.

    Example: `fivedice rules check my-house.toml`. Exit code 2 and the line in question if it cannot be played.

    Parameters
    ----------
    file
        The .toml file.
    json
        Print JSON: `{"ok": true, "key", "name", "fingerprint"}`; errors go to standard error.
    """
    book = read_book(file)
    if json:
        print_json({"ok": True, "key": book.key, "name": book.name, "fingerprint": book.fingerprint})
    else:
        tell("cli.checked", file=str(file), rules=book, key=book.key, count=len(book.boxes), soft_wrap=True)
        if book.extends is not None:
            base = find_book(book.extends)
            _print_diff(base, book, differences(base, book), find_renamed(base, book))
        tell("cli.read-it", file=str(file), soft_wrap=True)


def _list(as_json: bool) -> None:
    books = [find_book(key) for key in SHIPPED]
    if as_json:
        print_json({"books": [book_head(book) for book in books]})
        return
    shown = table(*(word(f"cli.column.{name}") for name in ("rules", "boxes", "about")))
    for book in books:
        summary = translate_text(book.summary)
        about = word("cli.variant", summary=summary) if book.variant else summary
        shown.add_row(f"[bold]{book.key}[/]", str(len(book.boxes)), escape(about))
    console().print(shown)
    tell("cli.rules-next")


def _print_book(book: RuleBook) -> None:
    out = console()
    tell("cli.book-title", rules=book, key=book.key, style="bold")
    out.print(escape(translate_text(book.summary)))
    general = table("", "", title=word("cli.the-game"))
    general.show_header = False
    for fact in facts(book):
        general.add_row(escape(str(fact.topic)), escape(str(fact.value)))
    out.print(general)
    boxes = table(*(word(f"cli.column.{name}") for name in ("box", "code", "counts")), title=word("cli.the-boxes"))
    for box in book.boxes:
        boxes.add_row(escape(name_of(box)), box.code, escape(str(box_rule(box, book))))
    out.print(boxes)
    for note in book.notes:
        kind = "cli.note-ours" if note.ours else "cli.note"
        tell(kind, title=translate_text(note.title), text=translate_text(note.text))
    if book.source:
        tell("cli.source", source=translate_text(book.source), style="dim")


def _print_diff(one: RuleBook, other: RuleBook, found: tuple[RuleDifference, ...], names: tuple[Renamed, ...]) -> None:
    if not found:
        tell("cli.same-play", first=one, second=other)
    else:
        shown = table(word("cli.column.what"), escape(name_of(one)), escape(name_of(other)))
        for row in found:
            shown.add_row(escape(str(row.topic)), escape(str(row.ours)), escape(str(row.theirs)))
        console().print(shown)
    if names:
        pairs = ", ".join(f"{name_of(row.ours)} / {name_of(row.theirs)}" for row in names)
        tell("cli.other-names", names=pairs)


def _rows(found: tuple[RuleDifference, ...]) -> list[dict[str, str]]:
    return [{"topic": str(row.topic), "first": str(row.ours), "second": str(row.theirs)} for row in found]


def _names(found: tuple[Renamed, ...]) -> list[dict[str, str]]:
    return [{"topic": row.ours.key, "first": row.ours.name, "second": row.theirs.name} for row in found]


def bots(book: BookName = DEFAULT, /, *, json: bool = False) -> None:
    """List the levels of bots for a game, from the weakest to the strongest, with how they play and what they score.

    Examples: `fivedice bots`, `fivedice bots yatzy`, `fivedice bots maxi-yatzy --json`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`, or the path of a .toml file; yahtzee without it.
    json
        Print JSON: `{"book", "bots": [{"level", "about", "mean", "sd"}], "not_offered": {level: why},
        "installed": [name]}`.
    """
    rules = find_book(book)
    found = {level: levels.measured(level, rules.key) for level in levels.offered(rules)}
    missing = {level: levels.unavailable(level, rules) for level in levels.LEVELS if level not in found}
    if json:
        shown = [
            {"level": level, "about": levels.about(level), "mean": label and label[0], "sd": label and label[1]}
            for level, label in found.items()
        ]
        why = {key: str(reason) for key, reason in missing.items()}
        print_json({"book": rules.key, "bots": shown, "not_offered": why, "installed": list(levels.registered())})
        return
    rows = table(word("cli.column.level"), word("cli.column.plays"), word("cli.column.mean"), numbers=[2])
    for level, label in found.items():
        rows.add_row(level, levels.about(level), "" if label is None else f"{label[0]:.0f}")
    for name in levels.registered():
        rows.add_row(escape(name), word("bots.installed"), "")
    console().print(rows)
    for reason in missing.values():
        if reason is not None:
            console().print(escape(str(reason)))


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
        print_json(_ruling_to_json(ruling))
    else:
        _print_ruling(ruling)


def _ruling_to_json(ruling: Ruling) -> dict[str, Any]:
    return {
        "book": ruling.card.book.key,
        "dice": str(ruling.roll),
        "legal": {key: entry.points for key, entry in ruling.legal.items()},
        "bonus": ruling.bonus if ruling.legal else 0,
        "closed": ruling.closed,
    }


def _print_ruling(ruling: Ruling) -> None:
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
