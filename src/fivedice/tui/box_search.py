"""A box by what people type: its number on the sheet, its code, or the beginning of its name."""

from __future__ import annotations

from collections.abc import Callable

from fivedice.rules import Box, RuleBook
from fivedice.words import name_of


def box_typed(book: RuleBook, typed: str) -> str | None:
    """The key of the first box that these letters or digits mean; None for no box."""
    wanted = typed.casefold().strip()
    if wanted.isdecimal() and wanted.isascii() and 0 < int(wanted) <= len(book.boxes):
        return book.boxes[int(wanted) - 1].key
    ways: tuple[Callable[[Box], bool], ...] = (
        lambda box: box.code.casefold() == wanted,
        lambda box: box.code.casefold().startswith(wanted),
        lambda box: name_of(box).casefold().startswith(wanted),
        lambda box: any(part.startswith(wanted) for part in name_of(box).casefold().split()),
    )
    return next((box.key for way in ways for box in book.boxes if wanted and way(box)), None)
