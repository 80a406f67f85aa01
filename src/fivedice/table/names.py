"""Names, colours and tokens of seats."""

from __future__ import annotations

from fivedice.errors import MalformedError
from fivedice.game.play import checked_names
from fivedice.table.refusals import BadRequest

# Named by what people see; the pages choose the shades for light and dark.
COLORS = ("red", "blue", "green", "amber", "violet", "teal", "rose", "slate")
TOKENS = ("●", "▲", "■", "◆", "★", "✚", "♥", "♣")


def clean_name(name: str) -> str:
    """A name as it may stand on a sheet, or a refusal that quotes it."""
    try:
        return checked_names([name])[0]
    except MalformedError as error:
        raise BadRequest(str(error)) from None


def pick(wanted: str | None, choices: tuple[str, ...], taken: set[str], number: int) -> str:
    """The wanted one if it exists and is free, else the first free one."""
    if wanted in choices and wanted not in taken:
        return str(wanted)
    free = [choice for choice in choices if choice not in taken]
    return free[0] if free else choices[number % len(choices)]
