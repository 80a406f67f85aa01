"""Lines, text, dice and scales as SVG. Colours are attributes, so that a page may override them.

These parts know nothing about games. Charts, score sheets and pictures for notebooks are made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from math import ceil, floor
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from fivedice.drawing.theme import INKS, PAGE, PRINT, SEATS

INK, FAINT, GRID, BAND = (PRINT[name] for name in ("ink", "faint", "grid", "area"))
BAR, STRONG, GROUND = PRINT["bar"], PRINT["bar-strong"], PRINT["ground"]
# Players' lines have the colours of their seats, and differ by dashes too.
COLOURS = {name: shade.light for name, shade in SEATS.items()}
DASHES = ("", "7 4", "2 3", "10 3 2 3", "5 2", "1 4")
FONT = "Libertinus Serif, Georgia, serif"
IVORY, PIP, EDGE = PAGE["ivory"].light, PAGE["pip"].light, PAGE["ivory-edge"].light
_CORNERS, _SIDES = ((0, 0), (0, 2), (2, 0), (2, 2)), ((1, 0), (1, 2))
_PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: _CORNERS,
    5: (*_CORNERS, (1, 1)),
    6: (*_CORNERS, *_SIDES),
    7: (*_CORNERS, *_SIDES, (1, 1)),
    8: (*_CORNERS, *_SIDES, (0, 1), (2, 1)),
    9: (*_CORNERS, *_SIDES, (0, 1), (1, 1), (2, 1)),
}
_LETTER = 0.47  # the average width of a letter, relative to the font size


@dataclass(frozen=True, slots=True, repr=False)
class Chart:
    """A drawing with its text alternative: a title, a sentence, and the numbers as a table."""

    name: str  # unique on its page
    title: str
    about: str
    width: int
    height: int
    body: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def svg(self) -> str:
        """Return the drawing as SVG for a page or a file."""
        about, size = f"about-{self.name}", f"0 0 {self.width} {self.height}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="{size}" role="img" '
            f'aria-labelledby="chart-{self.name}" aria-describedby="{about}" font-family="{FONT}" font-size="12">'
            f'<title id="chart-{self.name}">{escape(self.title)}</title>'
            f'<desc id="{about}">{escape(self.about)}</desc>{self.body}</svg>'
        )

    def _repr_svg_(self) -> str:
        """Return the drawing for a notebook."""
        return self.svg

    def __repr__(self) -> str:
        return f"<Chart {self.title!r}>"

    def save(self, file: str | PathLike[str]) -> None:
        """Write the drawing to a file."""
        Path(file).write_text(self.svg, encoding="utf-8")

    def placed(self, x: int, y: int, width: int, height: int) -> str:
        """Return the drawing as a part of a larger one."""
        box = f'x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {self.width} {self.height}"'
        return f'<svg {box} font-size="12">{self.body}</svg>'


@dataclass(frozen=True, slots=True)
class Scale:
    """A map from numbers to positions along one side of a drawing."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return round(self.start + share * (self.end - self.start), 1)


def number(value: float) -> str:
    return f"{value:g}"


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid", colour: str = GRID, dash: str = "") -> str:
    places = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line class="{kind}" {places} stroke="{colour}"{_dash_attribute(dash)}/>'


def path(points: Sequence[tuple[float, float]], kind: str, colour: str, dash: str = "") -> str:
    places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return (
        f'<polyline class="{kind}" points="{places}" fill="none" stroke="{colour}" stroke-width="2"'
        f' stroke-linejoin="round"{_dash_attribute(dash)}/>'
    )


def area(points: Sequence[tuple[float, float]], kind: str = "area", colour: str = BAND) -> str:
    places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return f'<polygon class="{kind}" points="{places}" fill="{colour}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str, colour: str) -> str:
    size = f'x="{number(x)}" y="{number(y)}" width="{number(max(0, width))}" height="{number(max(0, height))}"'
    return f'<rect class="{kind}" {size} fill="{colour}"/>'


def draw_rounded(x: float, y: float, width: float, height: float, corner: float, colour: str) -> str:
    size = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {size} rx="{number(corner)}" fill="{colour}"/>'


def die(x: float, y: float, size: float, face: int, fill: str = IVORY, inks: str = "") -> str:
    """Return a die with its pips, on a grid of three by three; in the colours of `pip_inks`, with their strokes."""
    strokes = int(inks[face - 1 : face] or 0)
    colour = INKS[f"ink-{strokes}"] if strokes else PIP
    left, high = x + size * (0.54 - 0.08 * strokes), 0.08 * size
    marks = (rect(left + 2 * high * place, y + 0.87 * size, high, high, "mark", colour) for place in range(strokes))
    pips = (
        f'<circle cx="{number(x + size * (1 + column) / 4)}" cy="{number(y + size * (1 + row) / 4)}" '
        f'r="{number(round(0.09 * size, 1))}" fill="{colour}"/>'
        for row, column in _PIPS[face]
    )
    return draw_rounded(x, y, size, size, 0.2 * size, fill) + "".join([*pips, *marks])


def dice_row(x: float, y: float, size: float, faces: Sequence[int], slots: int = 0, inks: str = "") -> str:
    """Return dice in a row, followed by empty slots for dice that are still to be rolled."""
    step, line = 1.15 * size, f'stroke="{EDGE}" stroke-width="{number(round(size / 40, 2))}"'
    drawn = [die(x + place * step, y, size, face, inks=inks) for place, face in enumerate(faces)]
    places = range(max(len(faces), slots))
    frames = (
        f'<rect x="{number(x + place * step)}" y="{number(y)}" width="{number(size)}" height="{number(size)}" '
        f'rx="{number(0.2 * size)}" fill="none" {line}{_dash_attribute("" if place < len(faces) else "3 3")}/>'
        for place in places
    )
    return "".join([*drawn, *frames])


def row_width(size: float, dice: int) -> float:
    """Return the width of a row of dice."""
    return size * (1.15 * max(1, dice) - 0.15)


def picture(width: float, height: float, title: str, body: str) -> str:
    """Return a whole SVG document with a title."""
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}" font-size="14">'
    return f"{head}<title>{escape(title)}</title>{body}</svg>"


def dot(x: float, y: float, kind: str, colour: str) -> str:
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="3.5" fill="{colour}"/>'


class Sign(NamedTuple):
    """A mark on a line, relative to its point: a triangle, or a cross if there are no corners."""

    corners: str
    middle: int
    text: int  # the base of its text


SIGNS = {"lucky": Sign("-5 -5 5 -5 0 -13", -9, -16), "unlucky": Sign("-5 5 5 5 0 13", 9, 25), "miss": Sign("", 0, 17)}


def sign(kind: str, x: float, y: float, text: str, middle: float | None = None) -> str:
    """Return a mark on a line: a triangle above it for luck, below it for bad luck, and a cross for a miss.

    `middle` moves its text aside, where the edge is near.
    """
    corners, _, below = SIGNS[kind]
    place = f'class="{kind}" transform="translate({number(x)} {number(y)})"'
    colour = PRINT["accent"] if kind == "lucky" else PAGE["danger"].light
    cross = f'<path {place} d="M-4-4 4 4M-4 4 4-4" stroke="{colour}" stroke-width="2.5"/>'
    shape = f'<polygon {place} points="{corners}" fill="{colour}"/>' if corners else cross
    return shape + (
        words(x if middle is None else middle, y + below, text, "middle", f"words {kind}", colour) if text else ""
    )


def words(
    x: float, y: float, text: str, anchor: str = "start", kind: str = "words", colour: str = INK, size: float = 0
) -> str:
    bigger = f' font-size="{number(size)}"' if size else ""
    place = f'x="{number(x)}" y="{number(y)}"'
    return f'<text class="{kind}" {place} text-anchor="{anchor}" fill="{colour}"{bigger}>{escape(text)}</text>'


def fit_text(
    x: float, y: float, text: str, room: float, size: float, *, colour: str = INK, letter: float = _LETTER
) -> str:
    """Return text that fits its room: smaller if it is long, and cut if it would become too small."""
    least = 0.62 * size
    size = max(least, min(size, room / (letter * max(1, len(text)))))
    return words(x, y, shorten(text, round(room / (letter * size))), colour=colour, size=round(size, 1))


def shorten(name: str, longest: int = 12) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def ticks(low: float, high: float, most: int = 5) -> list[int]:
    """Return a few round numbers that cover a range."""
    powers = (10**power for power in count())
    step = next(step for power in powers for step in (power, 2 * power, 5 * power) if (high - low) / step <= most)
    return list(range(floor(low / step) * step, ceil(high / step) * step + 1, step))


def _dash_attribute(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "", notes: Iterable[str] = ()) -> str:
    """Return a table in HTML with a caption and lines of text below it; all texts are escaped."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = f"<thead>{_html_row('th', heads)}</thead>" if heads else ""
    body = "".join(_html_row("td", cells) for cells in rows)
    below = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f"<table>{caption}{head}<tbody>{body}</tbody></table>{below}"


def _html_row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"
