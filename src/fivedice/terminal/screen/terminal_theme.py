"""The colours of the screen, light or dark."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

from fivedice.drawing.theme import PAGE, PRINT, terminal_colors

DARK = "textual-dark"
_INK = terminal_colors(dark=False)
LIGHT = Theme(
    name="fivedice-light",
    primary=PAGE["accent"].light,
    accent=PAGE["accent"].light,
    foreground=PRINT["ink"],
    background=PAGE["paper"].light,
    surface=PAGE["total"].light,
    panel=PAGE["page"].light,
    dark=False,
    variables={"footer-key-foreground": _INK["gold"], "footer-foreground": PRINT["ink"]},
)
_WHITE = {"7", "15"}  # among the 16 colours of a terminal


def is_light(theme: str, environment: Mapping[str, str]) -> bool:
    """Return whether `light`, `dark` or `auto` means light. `auto` asks the terminal, and means dark without an answer.

    Some terminals set COLORFGBG to the numbers of their colours: text;background.
    """
    if theme != "auto":
        return theme == "light"
    return environment.get("COLORFGBG", "").rpartition(";")[2] in _WHITE
