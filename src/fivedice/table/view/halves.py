"""Where a small screen shows the lines of a sheet: two halves side by side, about equally long.

Only what is played stands there: boxes, the bonus, the extra bonus. Totals fill what is left of the shorter half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fivedice.game import LineKind, SheetLine
from fivedice.rules import Section

PLAYED = frozenset({LineKind.BOX, LineKind.BONUS, LineKind.EXTRA})
MOST_APART = 2  # lines by which the halves may differ before boxes move over


class Place(NamedTuple):
    """Half 0 or 1, or None for a line that is not shown; and how many places high."""

    half: int | None
    span: int = 1


def halves(lines: Sequence[SheetLine]) -> tuple[Place, ...]:
    """The place of every line, in their order."""
    columns = _even(lines)
    for half, column in enumerate(columns):
        spare = len(columns[1 - half]) - len(column)
        column += _totals(lines, half)[: max(0, spare)]
        column.sort()
    longest = max(map(len, columns))
    placed = {place: Place(half) for half, column in enumerate(columns) for place in column}
    for half, column in enumerate(columns):
        if column:
            placed[column[-1]] = Place(half, 1 + longest - len(column))
    return tuple(placed.get(place, Place(None)) for place in range(len(lines)))


def _even(lines: Sequence[SheetLine]) -> tuple[list[int], list[int]]:
    """Upper and lower section; where one is much longer, its lines next to the other move over."""
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
