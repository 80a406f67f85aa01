"""Names, colours and tokens of seats."""

from __future__ import annotations

from unicodedata import category

from fivedice.core.dice.sources import LONGEST_TEXT
from fivedice.core.game.playthrough import check_names
from fivedice.drawing.theme import SEATS
from fivedice.errors import MalformedError, quote
from fivedice.message import message
from fivedice.table.refusals import BadRequest

COLORS = tuple(SEATS)
TOKENS = ("●", "▲", "■", "◆", "★", "✚", "♥", "♣")
YOU = "You"  # never a name: older logs have it for people who gave none
FORMER = "former-"  # begins the id that replaces a person whose data was deleted; no key leads to one


def is_former(player: str | None) -> bool:
    """Return whether this id stands for someone whose data was deleted."""
    return player is not None and player.startswith(FORMER)


def shown_name(name: str | None, number: int, *, former: bool = False) -> str:
    """Return the name for records, results and programs, the same in every language; `number` counts from 1."""
    if former:
        return f"Former player {number}"  # no sentence: records are the same in every language
    return f"Player {number}" if name in (None, "", YOU) else str(name)


# Control characters that change the direction of writing, also of the text after the name.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(name: str | None) -> str | None:
    """Return a name that may stand on a sheet; None for None and "You". Raise BadRequest, quoting it, if it may not."""
    if name is None or name.strip() == YOU:
        return None
    try:
        clean = check_names([name])[0]
    except MalformedError as error:
        raise BadRequest("table.name-refused", reason=error.message) from None
    if _TURNING & set(clean) or not any(category(letter)[0] in "LNPS" for letter in clean):
        raise BadRequest("table.name-refused", reason=message("table.name-invisible", name=quote(name)))
    return clean


def clean_text(text: str) -> str:
    """Return the text that a player adds to the dice. Raise BadRequest if it is too long or has more than one line."""
    clean = text.strip()
    if len(clean) > LONGEST_TEXT or any(category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in clean):
        raise BadRequest("table.text-refused", longest=LONGEST_TEXT, text=quote(clean))
    return clean


def pick(wanted: str | None, choices: tuple[str, ...], taken: set[str], number: int) -> str:
    """Return the wanted choice if it exists and is free, else the first free one."""
    if wanted in choices and wanted not in taken:
        return str(wanted)
    free = [choice for choice in choices if choice not in taken]
    return free[0] if free else choices[number % len(choices)]
