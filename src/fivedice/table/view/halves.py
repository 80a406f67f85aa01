"""How a small screen lays out the sheet: in two columns of about the same length.

They show boxes, the bonus and the extra bonus. Totals fill up the shorter column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fivedice.core.game import LineKind, SheetLine
from fivedice.core.rules import Section

PLAYED = frozenset({LineKind.BOX, LineKind.BONUS, LineKind.EXTRA})
MOST_APART = 2  # lines by which the sections may differ before boxes move to the other column


class LinePlace(NamedTuple):
    """The column of a line, 0 or 1, or None if it is not shown; and its height in lines."""

    half: int | None
    span: int = 1


def halves(lines: Sequence[SheetLine]) -> tuple[LinePlace, ...]:
    """Return the place of every line, in order."""
    columns = _split_lines(lines)
    for half, column in enumerate(columns):
        spare = len(columns[1 - half]) - len(column)
        column += _totals(lines, half)[: max(0, spare)]
        column.sort()
    longest = max(map(len, columns))
    placed = {place: LinePlace(half) for half, column in enumerate(columns) for place in column}
    for half, column in enumerate(columns):
        if column:
            placed[column[-1]] = LinePlace(half, 1 + longest - len(column))
    return tuple(placed.get(place, LinePlace(None)) for place in range(len(lines)))


def _split_lines(lines: Sequence[SheetLine]) -> tuple[list[int], list[int]]:
    """Return the lines of both columns: upper and lower section, or two halves where one section is much longer."""
    played = [place for place, line in enumerate(lines) if line.kind in PLAYED]
    upper = [place for place in played if lines[place].section is Section.UPPER]
    cut = len(upper)
    if abs(len(played) - 2 * cut) > MOST_APART:
        cut = len(played) // 2
    return played[:cut], played[cut:]


def _totals(lines: Sequence[SheetLine], half: int) -> list[int]:
    section = (Section.UPPER, Section.LOWER)[half]
    kinds = {LineKind.TOTAL, LineKind.GRAND} if half else {LineKind.TOTAL}
    return [place for place, line in enumerate(lines) if line.kind in kinds and line.section is section]
