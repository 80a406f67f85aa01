"""All colours, and the sizes that recur, for pages, reports, pictures, paper and the terminal.

Pages get them as custom properties, `--ink` for `PAGE["ink"]`; everything else imports them. A test checks that no
colour is written anywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fivedice.core.rules import RuleBook


class Shade(NamedTuple):
    """A value for the light and the dark theme; `dark` is empty if both are the same."""

    light: str
    dark: str = ""


# White in both themes: QR codes, paper, the dice of the score pad.
WHITE = "#ffffff"
# Dice with colours: their pips in the second, third and fourth colour; the first is that of other dice.
INKS = {"ink-1": "#b3261e", "ink-2": "#1d6f3c", "ink-3": "#1f4fa8"}
# The web pages, in the colours of a printed score pad: paper, ink, felt, ivory dice.
PAGE = {
    "page": Shade("#f3efe4", "#151a17"),
    "paper": Shade("#fffdf6", "#1e2521"),
    "ink": Shade("#23302a", "#e9ece4"),
    "faint": Shade("#5d675f", "#a7b2a9"),
    "line": Shade("#d9d2bf", "#38423c"),
    "felt": Shade("#2c5f49", "#1f4535"),
    "felt-deep": Shade("#24503d", "#18382b"),
    "on-felt": Shade("#f6f3e6", "#f1efe2"),
    "on-felt-faint": Shade("#cfe0d3", "#b9d0c1"),
    "accent": Shade("#24664a", "#8fd0ae"),
    "accent-ink": Shade("#ffffff", "#0e2018"),
    "turn": Shade("#f2b34a"),
    "turn-ink": Shade("#3a2600"),
    "turn-wash": Shade("#fdf1d8", "#3a3120"),
    "total": Shade("#f4f1e7", "#272e29"),
    "ivory": Shade("#fbf6e6", "#efe7cf"),
    "ivory-light": Shade("#fffdf5"),
    "ivory-edge": Shade("#dccfa9", "#b7aa80"),
    "on-ivory": Shade("#23302a"),
    "on-ivory-faint": Shade("#6a6148"),
    "pip": Shade("#2a2a2a"),
    **{name: Shade(ink) for name, ink in INKS.items()},
    "danger": Shade("#9c2f1f", "#ff9d8a"),
    "hover": Shade("rgb(128 128 128 / 12%)"),
    "veil": Shade("rgb(255 255 255 / 10%)"),  # on felt: buttons
    "veil-slot": Shade("rgb(255 255 255 / 28%)"),
    "veil-edge": Shade("rgb(255 255 255 / 35%)"),
    "shade": Shade("rgb(0 0 0 / 15%)"),  # on felt: text
    "under-die": Shade("rgb(0 0 0 / 30%)"),
    "die-low": Shade("rgb(120 90 30 / 28%)"),  # the shaded side
    "die-side": Shade("#5c3a0e"),  # laid thinly over the sides of a die in the air
    "die-high": Shade("rgb(255 255 255 / 80%)"),
    "under-chip": Shade("rgb(0 0 0 / 22%)"),
    "shadow-felt": Shade("rgb(0 0 0 / 18%)"),
    "shadow-high": Shade("0 -6px 30px rgb(0 0 0 / 28%)"),
    "accent-wash": Shade("#e3f0e8", "#24382e"),
    "turn-edge": Shade("#c98a1f"),
    "shadow": Shade(
        "0 1px 2px rgb(40 30 10 / 12%), 0 6px 20px rgb(40 30 10 / 8%)",
        "0 1px 2px rgb(0 0 0 / 40%), 0 6px 20px rgb(0 0 0 / 25%)",
    ),
    "chart-bar": Shade("#d9d2bf", "#46524b"),
    "chart-strong": Shade("#2c5f49", "#5f9c80"),
    "loss-0": Shade("#3f9b63"),  # points lost in a turn or a game: none or few, some, many, very many
    "loss-1": Shade("#e3c046"),
    "loss-2": Shade("#dd8a2e"),
    "loss-3": Shade("#b93a2b"),
    "white": Shade(WHITE),
    "black": Shade("#000000"),
}
# The score pad, readable in sunlight.
PAD = {
    "page": Shade("#ffffff", "#000000"),
    "paper": Shade("#ffffff", "#0b0e0c"),
    "ink": Shade("#000000", "#ffffff"),
    "faint": Shade("#3c433f", "#ccd4ce"),
    "line": Shade("#8d938f", "#66706a"),
    "accent": Shade("#0b5236", "#a5e6c5"),
    "turn-wash": Shade("#fff0cc", "#40320f"),
    "total": Shade("#eef1ee", "#1b211d"),
    "shadow": Shade("none", "none"),
}
# The colours of seats; their names are stored in databases.
SEATS = {
    "red": Shade("#a32a22", "#ff9d92"),
    "blue": Shade("#22579c", "#97c1ff"),
    "green": Shade("#256b3a", "#8fd6a3"),
    "amber": Shade("#8a5a00", "#f2c36b"),
    "violet": Shade("#6a3ba0", "#cdb0f5"),
    "teal": Shade("#0f6570", "#7fd3de"),
    "rose": Shade("#a12963", "#f7a6cb"),
    "slate": Shade("#4b5563", "#c2cad5"),
}
# Print: white paper and dark ink in both themes.
PRINT = {
    "ink": "#1f2a25",
    "faint": "#56615a",
    "line": "#9aa39c",
    "band": "#e9eee9",
    "total": "#f5f4ee",
    "accent": "#24664a",
    "ground": "#f6f4ec",  # the background of the picture to share
    "on-accent": "#ffffff",
    "grid": "#c9cfca",
    "area": "#dfe7e1",
    "bar": "#b9c9be",
    "bar-strong": "#6d8f7d",
}
# The terminal: the felt of the page in the dark theme, a pale one in the light theme.
TERMINAL = {
    "felt": Shade(PAGE["accent-wash"].light, PAGE["felt"].dark),
    "on-felt": Shade(PAGE["ink"].light, PAGE["on-felt"].dark),
    "caption": Shade("#4f5a52", PAGE["on-felt-faint"].light),
    "pip": Shade(PAGE["pip"].light),
    **{name: PAGE[name] for name in INKS},
    "ivory": Shade(PAGE["ivory"].light),
    "held-pip": Shade("#7a3b00"),
    "held-ivory": Shade("#ffe1b0"),
    "slot": Shade("#6b8f7d", "#4d7a66"),
    "gold": Shade("#7a4d0b", "#ffc966"),
    "gold-light": Shade("#ffc966"),
    "gold-deep": Shade("#e3a33f"),
    "gold-edge": Shade("#9a6714"),
    "on-gold": Shade("#20160a"),
    "reason": Shade("#6b4a00", "#ffd98c"),
    "cursor": Shade("#633d06"),
    "on-cursor": Shade("#fff6e0"),
    "points": Shade("#1c6b37", "#8fe3a8"),
}
SIZES = {
    "radius": "14px",
    "radius-button": "10px",
    "radius-field": "8px",
    "touch": "44px",  # the smallest size for a finger
    "text-tiny": ".8rem",
    "text-small": ".85rem",
    "text-note": ".95rem",
    "text-lead": "1.15rem",
    "text-title": "1.2rem",
    "text-head": "1.75rem",
    "text-large": "1.5rem",
    "space-small": ".3rem",
    "space": ".6rem",
    "space-wide": "1.1rem",
    "space-part": "1.25rem",
}
SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, monospace'
SERIF = 'Georgia, "Libertinus Serif", "Times New Roman", serif'
FONTS = {"sans": SANS, "mono": MONO, "serif": SERIF}


def pip_inks(book: RuleBook) -> str:
    """Return a digit for each face: 0 for pips in the usual colour, else the number of its ink. Empty without colours.

    Below the pips stands a stroke for each number of the ink, for people who cannot tell colours apart. If some faces
    have no colour, the others begin with ink 1.

    >>> from fivedice.drawing.theme import pip_inks
    >>> pip_inks(fd.book("kismet"))
    '012210'
    """
    if not book.colours:
        return ""
    first = int(sum(map(len, book.colours)) < book.faces)
    inks = {face: ink % (len(INKS) + 1) for ink, group in enumerate(book.colours, first) for face in group}
    return "".join(str(inks.get(face, 0)) for face in range(1, book.faces + 1))


def terminal_colors(*, dark: bool) -> dict[str, str]:
    """Return the colours of the terminal by their names."""
    return {name: (dark and shade.dark) or shade.light for name, shade in TERMINAL.items()}


def css() -> str:
    """Return everything as CSS custom properties for both themes, and a class for the colour of each seat."""
    shades = PAGE | {f"seat-{name}": shade for name, shade in SEATS.items()}
    fixed = SIZES | FONTS | {f"sheet-{name}": value for name, value in PRINT.items()}
    by_day = {name: shade.light for name, shade in shades.items()} | fixed
    night = _format_block(":root", _dark_values(shades)) + _format_block(".at-pad", _dark_values(PAD))
    parts = [
        _format_block(":root", by_day),
        _format_block(".at-pad", {name: shade.light for name, shade in PAD.items()}),
        f"@media (prefers-color-scheme: dark) {{\n{night}}}\n",
        *(f".c-{name} {{ color: var(--seat-{name}); }}\n" for name in SEATS),
    ]
    return "".join(parts)


def _dark_values(shades: Mapping[str, Shade]) -> dict[str, str]:
    return {name: shade.dark for name, shade in shades.items() if shade.dark}


def _format_block(selector: str, values: Mapping[str, str]) -> str:
    lines = "".join(f"  --{name}: {value};\n" for name, value in values.items())
    return f"{selector} {{\n{lines}}}\n"
