"""Names are checked on the phone as the server checks them: none is kept there that would be refused for ever."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category

from playwright.sync_api import Page

from fivedice.table.refusals import BadRequest
from fivedice.table.seat_names import YOU, clean_name
from long import LONG

LAST = 0x110000 if LONG else 0x3100
WHOLE = ("", " ", "Ann", " Ann ", "x" * 60, "x" * 61, f" {'x' * 60}\u3000", "\ufeff" + "x" * 60, "🎲" * 60, "🎲" * 61)
CHECK = """async (names) => {
    const { isName } = await import("/static/pad/sheet.js");
    return names.filter(isName);
}"""


def _names() -> Iterator[str]:
    """Every character alone, and between others; what this Python does not know yet is left out."""
    yield from WHOLE
    for number in range(LAST):
        if category(chr(number)) not in ("Cn", "Cs"):
            yield chr(number)
            yield f"A{chr(number)}B"


def _is_taken(name: str) -> bool:
    try:
        return clean_name(name) is not None
    except BadRequest:
        return False


def test_the_phone_takes_the_names_that_the_server_takes(blank: Page) -> None:
    names = list(_names())
    assert YOU not in names  # which stands for no name
    assert blank.evaluate(CHECK, names) == [name for name in names if _is_taken(name)]
