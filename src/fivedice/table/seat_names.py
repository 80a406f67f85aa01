"""Names, colours and tokens of seats."""

from __future__ import annotations

from unicodedata import category

from fivedice.dice.provable import LONGEST_TEXT
from fivedice.errors import MalformedError, quote
from fivedice.game.play import checked_names
from fivedice.table.refusals import BadRequest
from fivedice.tokens import SEATS

COLORS = tuple(SEATS)
TOKENS = ("●", "▲", "■", "◆", "★", "✚", "♥", "♣")


# Marks that turn the writing around, beyond the name itself and into the page.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(name: str) -> str:
    """A name as it may stand on a sheet, or a refusal that quotes it."""
    try:
        clean = checked_names([name])[0]
    except MalformedError as error:
        raise BadRequest(_refused(str(error))) from None
    if _TURNING & set(clean) or not any(category(letter)[0] in "LNPS" for letter in clean):
        raise BadRequest(_refused(f"{quote(name)} is no name: write visible characters, without marks that turn text"))
    return clean


def _refused(reason: str) -> str:
    return f"Please choose another name: {reason}."


def clean_text(text: str) -> str:
    """What a player adds to the dice: anything that can be written down on one line."""
    clean = text.strip()
    if len(clean) > LONGEST_TEXT or any(category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in clean):
        wanted = f"write at most {LONGEST_TEXT} characters on one line"
        raise BadRequest(f"{quote(clean)} cannot be added to the dice: {wanted}.")
    return clean


def pick(wanted: str | None, choices: tuple[str, ...], taken: set[str], number: int) -> str:
    """The wanted one if it exists and is free, else the first free one."""
    if wanted in choices and wanted not in taken:
        return str(wanted)
    free = [choice for choice in choices if choice not in taken]
    return free[0] if free else choices[number % len(choices)]
