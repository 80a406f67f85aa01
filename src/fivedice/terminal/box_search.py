"""Find a box by what people type: its number on the sheet, its code, or the start of its name."""

from __future__ import annotations

from collections.abc import Callable

from fivedice.core.rules import Box, RuleBook
from fivedice.text import name_of


def find_box(book: RuleBook, typed: str) -> str | None:
    """Return the key of the first box that the text fits; None if it fits no box."""
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
