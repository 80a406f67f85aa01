"""Keys and codes that a file needs, made from names so that people do not have to think of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from unicodedata import normalize

from fivedice.core.rules import SHIPPED, TALLY_CODE

_LONGEST_NAME = 200  # characters that are read: normalizing accents takes quadratic time
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def book_key(name: str) -> str:
    """Return a key that looks like the name, but not one of a shipped book."""
    slug = _slug(name, "-", 30)
    key = slug if slug[:1].isalpha() else f"our-{slug or 'rules'}"
    return f"{key}-house" if key in SHIPPED else key


def line_key(name: str, taken: Collection[str], otherwise: str) -> str:
    """Return a new key for a box or bonus; `otherwise` begins the key of a name without letters."""
    slug = _slug(name, "_", 24)
    key = slug if slug[:1].isalpha() else f"{otherwise}_{slug or 'new'}"
    number = 2
    while key in taken:
        key, number = f"{key.rstrip('0123456789').rstrip('_')}_{number}", number + 1
    return key


def _slug(name: str, between: str, longest: int) -> str:
    """Return the letters of a name without accents, with one separator between the words."""
    name = name[:_LONGEST_NAME]
    plain = normalize("NFKD", re.sub("['\u2019]", "", name)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", between, plain).strip(between)[:longest].strip(between)


def box_code(name: str, taken: Collection[str]) -> str:
    """Return two letters for notation: the first of the name and another of it, or the first free pair."""
    letters = [letter for letter in name.lower() if letter in _LETTERS] or ["x"]
    wanted = [letters[0] + other for other in (*letters[1:], *_LETTERS)]
    every = [one + other for one in _LETTERS for other in _LETTERS]
    free: list[str] = [code for code in wanted + every if code not in taken and code != TALLY_CODE]
    return free[0]
