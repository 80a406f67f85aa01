"""Names, colours and tokens of seats."""

from __future__ import annotations

from unicodedata import category

from fivedice.dice.provable import LONGEST_TEXT
from fivedice.errors import MalformedError, quote
from fivedice.game.playthrough import check_names
from fivedice.message import message
from fivedice.table.refusals import BadRequest
from fivedice.tokens import SEATS

COLORS = tuple(SEATS)
TOKENS = ("●", "▲", "■", "◆", "★", "✚", "♥", "♣")


YOU = "You"  # nobody's name: logs of old have it for people who gave none


FORMER = "former-"  # begins the id that stands for somebody whose data was deleted; no key leads to one


def is_former(player: str | None) -> bool:
    """Whether nobody is left behind this id."""
    return player is not None and player.startswith(FORMER)


def shown_name(name: str | None, number: int, *, former: bool = False) -> str:
    """What records, results and programs call a player, in every language; numbers count from 1."""
    if former:
        return f"Former player {number}"  # no sentence: records are the same in every language
    return f"Player {number}" if name in (None, "", YOU) else str(name)


# Marks that turn the writing around, beyond the name itself and into the page.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(name: str | None) -> str | None:
    """A name as it may stand on a sheet, or a refusal that quotes it. None is none, and so is "You"."""
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
    """What a player adds to the dice: anything that can be written down on one line."""
    clean = text.strip()
    if len(clean) > LONGEST_TEXT or any(category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in clean):
        raise BadRequest("table.text-refused", longest=LONGEST_TEXT, text=quote(clean))
    return clean


def pick(wanted: str | None, choices: tuple[str, ...], taken: set[str], number: int) -> str:
    """The wanted one if it exists and is free, else the first free one."""
    if wanted in choices and wanted not in taken:
        return str(wanted)
    free = [choice for choice in choices if choice not in taken]
    return free[0] if free else choices[number % len(choices)]
