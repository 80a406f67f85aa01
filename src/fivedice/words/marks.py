"""Marks by which the sentences to translate are found."""

from __future__ import annotations

from typing import NamedTuple


class Plural(NamedTuple):
    """A sentence for one and a sentence for many."""

    one: str
    many: str


def N_(text: str) -> str:  # noqa: N802 - the name that gettext knows
    """A sentence that is said elsewhere."""
    return text


def P_(one: str, many: str) -> Plural:  # noqa: N802
    """A sentence in its two forms, chosen by `count`."""
    return Plural(one, many)
