"""Names that a file needs and no person should have to think of, keys and codes, made from what is written."""

from __future__ import annotations

import re
from collections.abc import Collection
from unicodedata import normalize

from fivedice.rules import SHIPPED, TALLY_CODE

_LONGEST_NAME = (
    200  # that is looked at; the loader refuses shorter ones, and sorting accents takes the square of their number
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def book_key(name: str) -> str:
    """A key that looks like the name; those of the shipped books stay theirs."""
    slug = _slug(name, "-", 30)
    key = slug if slug[:1].isalpha() else f"our-{slug or 'rules'}"
    return f"{key}-house" if key in SHIPPED else key


def line_key(name: str, taken: Collection[str], otherwise: str) -> str:
    """A key for a new box or bonus that no other has; `otherwise` begins that of a name without a letter."""
    slug = _slug(name, "_", 24)
    key = slug if slug[:1].isalpha() else f"{otherwise}_{slug or 'new'}"
    number = 2
    while key in taken:
        key, number = f"{key.rstrip('0123456789').rstrip('_')}_{number}", number + 1
    return key


def _slug(name: str, between: str, longest: int) -> str:
    """The letters of a name without their accents, and nothing but one sign between the words."""
    name = name[:_LONGEST_NAME]
    plain = normalize("NFKD", re.sub("['\u2019]", "", name)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", between, plain).strip(between)[:longest].strip(between)


def box_code(name: str, taken: Collection[str]) -> str:
    """Two letters for notation: the first of the name and another one of it, or the first pair that is free."""
    letters = [letter for letter in name.lower() if letter in _LETTERS] or ["x"]
    wanted = [letters[0] + other for other in (*letters[1:], *_LETTERS)]
    every = [one + other for one in _LETTERS for other in _LETTERS]
    free: list[str] = [code for code in wanted + every if code not in taken and code != TALLY_CODE]
    return free[0]
