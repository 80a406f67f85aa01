"""What fits where: how a window of so many columns and rows is shared between the sheet and the dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_LABEL, USUAL_LABEL, SHORTEST_LABEL = 32, 23, 15
WIDEST_COLUMN, USUAL_COLUMN, NARROWEST_COLUMN = 16, 7, 6
BIG_DIE, SMALL_DIE = 7, 5
BIG_DICE_BESIDE, BIG_DICE_ABOVE = 19, 36  # rows below which small dice leave more to the sheet
SCROLLBAR = 1
_EDGES = 2  # the felt keeps a column free on both sides
_MANY_SEATS = 4  # beyond this the sheet may scroll sideways instead of pushing the dice away
_SMALLEST = (30, 12)
_SIDE_COLUMN = 9  # columns for each player where something stands beside the felt
NARROWEST_SIDE, WIDEST_SIDE = 36, 60  # columns of what stands there
_SIDE_ROWS = 20  # below which it would show nothing whole
_NUMBER, _MARGIN = 4, 1  # columns before the name of a box, with its number and without

# Beside the sheet or above it, large or small, apart or not, and the rows that this needs: the first that fits.
_CHOICES = (
    (True, True, 1, BIG_DICE_BESIDE),
    (True, True, 0, BIG_DICE_BESIDE),
    (False, True, 1, BIG_DICE_ABOVE),
    (True, False, 0, 0),
    (False, False, 0, 0),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to lay the table."""

    beside: bool  # the dice beside the sheet, else above it
    big_dice: bool
    gap: int  # columns between the dice
    label: int  # columns for the names of the boxes
    columns: tuple[int, ...]  # of the players
    numbered: bool  # whether boxes have their number
    too_small: bool = False
    scrolls: bool = False  # beside the dice, up and down
    side: int = 0  # columns for the coach, the odds and the log, in a window that has them to spare

    @property
    def sheet_width(self) -> int:
        return self.label + sum(self.columns) + (SCROLLBAR if self.scrolls else 0)

    def felt_width(self, dice: int) -> int:
        """The least that the dice need."""
        return _felt(dice, big=self.big_dice, gap=self.gap)


def lay(width: int, height: int, dice: int, names: Sequence[str], box: int = SHORTEST_LABEL - _MARGIN) -> Layout:
    """Return the best layout of a table with these players and a longest box name of `box` letters.

    It depends on nothing that happens in the game, so resizing loses nothing.
    """
    seats = len(names)
    too_small = width < _SMALLEST[0] or height < _SMALLEST[1]
    needed = SHORTEST_LABEL + USUAL_COLUMN * min(seats, _MANY_SEATS)
    above = _share(width - SCROLLBAR, names, box)
    for beside, big, gap, rows in _CHOICES:
        room = width - _felt(dice, big=big, gap=gap)
        if height >= rows and room >= (needed if beside else 0):
            side = _side(room, height, seats) if beside and big else 0
            shared = _share(room - side, names, box) if beside else above
            return Layout(beside, big, gap, *shared, too_small, side=side)
    return Layout(False, False, 0, *above, too_small)


def _felt(dice: int, *, big: bool, gap: int) -> int:
    return dice * ((BIG_DIE if big else SMALL_DIE) + gap) - gap + _EDGES


def _side(room: int, height: int, seats: int) -> int:
    """What a usual sheet leaves beside the dice, where that is enough to read."""
    spare = room - USUAL_LABEL - _SIDE_COLUMN * seats
    return min(WIDEST_SIDE, spare) if spare >= NARROWEST_SIDE and height >= _SIDE_ROWS else 0


def _share(width: int, names: Sequence[str], box: int) -> tuple[int, tuple[int, ...], bool]:
    """Room for the names of the boxes first, then for those of the players, then for longer labels and numbers."""
    usual = max(SHORTEST_LABEL, width - USUAL_COLUMN * len(names))
    numbered = box + _NUMBER <= usual
    longest = min(LONGEST_LABEL, max(USUAL_LABEL, box + _NUMBER))
    least = min(usual, longest, box + (_NUMBER if numbered else _MARGIN))
    wanted = [min(WIDEST_COLUMN, max(NARROWEST_COLUMN, len(name) + 1)) for name in names]
    label = min(longest, max(SHORTEST_LABEL, least, width - sum(wanted)))
    return label, _columns(width - label, wanted), numbered


def _columns(room: int, wanted: Sequence[int]) -> tuple[int, ...]:
    """Give each player what the name needs, short names first, and the rest to all alike."""
    columns = dict.fromkeys(range(len(wanted)), 0)
    for done, seat in enumerate(sorted(columns, key=wanted.__getitem__)):
        left = (room - sum(columns.values())) // (len(wanted) - done)
        columns[seat] = max(NARROWEST_COLUMN, min(wanted[seat], left))
    spare = max(0, room - sum(columns.values())) // len(wanted)
    return tuple(min(WIDEST_COLUMN, column + spare) for column in columns.values())


def shortened(text: str, width: int) -> str:
    """The text, or its beginning and a sign that something is missing."""
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"
