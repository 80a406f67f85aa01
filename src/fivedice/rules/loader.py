"""From TOML to a `RuleBook`. Nothing in a file is ever executed; sizes and numbers are bounded."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeAlias

from fivedice.dice import MAX_DICE, MAX_FACE
from fivedice.errors import BookError, quote
from fivedice.rules import parts
from fivedice.rules.checks import first_problem
from fivedice.rules.lines import MOST_PARTS, line_of_long_key
from fivedice.rules.merge import overlay
from fivedice.rules.model import RuleBook, Start
from fivedice.rules.reader import Source, Table

MAX_FILE = 64 * 1024

RawBook: TypeAlias = dict[str, Any]

_is_book_key = re.compile(r"[a-z][a-z0-9-]{0,39}").fullmatch


def parse_book(text: str, *, file: str, base: Callable[[str], RawBook]) -> RuleBook:
    """Read a rule book; `base` fetches the raw tables of a shipped book for `extends`."""
    raw = parse_toml(text, file)
    source = Source(file, text)
    if "extends" in raw:
        raw = _extended(Table(source, (), raw), raw, base)
    book = _book(Table(source, (), raw))
    problem = first_problem(book)
    if problem is not None:
        raise source.error(*problem)
    return book


def parse_toml(text: str, file: str) -> RawBook:
    if len(text) > MAX_FILE:
        raise BookError(f"the file has {len(text)} characters; a rule book has at most {MAX_FILE}", file=file)
    long_key = line_of_long_key(text)
    if long_key is not None:
        shown = quote(text.split("\n")[long_key - 1].strip())
        raise BookError(f"{shown} has a key of more than {MOST_PARTS} parts", file=file, line=long_key)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _toml_error(error, text, file) from None


def _toml_error(error: Exception, text: str, file: str) -> BookError:
    reason, _, place = str(error).partition(" (at ")
    number = re.match(r"line (\d+), column (\d+)", place)
    last = len(text.removesuffix("\n").split("\n")) if text else 0  # as TOML counts: other breaks end no line there
    line = int(number[1]) if number else last or None
    return BookError(f"this is not TOML: {reason}", file=file, line=line, column=int(number[2]) if number else None)


def _extended(child: Table, raw: RawBook, base: Callable[[str], RawBook]) -> RawBook:
    name = child.text("extends")
    try:
        parent = base(name)
    except LookupError as error:
        raise child.error("extends", str(error)) from None
    return overlay(parent, _own(parent) | raw)


def _own(parent: RawBook) -> RawBook:
    """What a book says of itself unless its file does: the words of the base would be untrue."""
    named = {"key": f"{parent['key']}-house", "name": f"{parent['name']} (house rules)", "variant": True}
    return named | {"summary": f"{parent['name']} with house rules.", "source": ""}


def _book(table: Table) -> RuleBook:
    table.number("format", 1, 1, 1)
    book = RuleBook(
        key=table.word("key", _is_book_key, "lower-case letters, digits and hyphens, such as 'our-yatzy'"),
        name=table.text("name"),
        summary=table.prose("summary", ""),
        source=table.prose("source", ""),
        variant=table.flag("variant", default=True),
        dice=table.number("dice", 1, MAX_DICE, 5),
        faces=table.number("faces", 2, MAX_FACE, 6),
        rolls=table.number("rolls", 1, parts.MAX_ROLLS, 3),
        fixed_order=table.flag("fixed_order", default=False),
        start=table.choice("start", Start, Start.DRAW),
        boxes=parts.boxes(table),
        bonus=parts.optional(table, "bonus", parts.bonus),
        alike=parts.optional(table, "alike", parts.alike),
        sheet=parts.sheet(table.table("sheet", {})),
        notes=parts.notes(table),
        extends=table.text("extends") if table.has("extends") else None,
    )
    table.finish()
    return book
