"""Marks for texts that `make messages` collects. They do not change the texts."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Plural(NamedTuple):
    """A text with a form for one and a form for many, chosen by the argument `by`."""

    one: str
    many: str
    by: str


Text: TypeAlias = str | Plural
Table: TypeAlias = dict[str, Text]


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools look for
    """Mark a text for translation."""
    return text


def P_(one: str, many: str, by: str = "count") -> Plural:  # noqa: N802
    """Mark a text with two forms for translation."""
    return Plural(one, many, by)
