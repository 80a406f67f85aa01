"""The layout of the screen: how a window is divided between the sheet and the dice, the keys, and the side panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Footer, Static

from fivedice.table.state import TableState
from fivedice.terminal.game_lines import turn_lines
from fivedice.text import word

LONGEST_LABEL, USUAL_LABEL, SHORTEST_LABEL = 32, 23, 15
WIDEST_COLUMN, USUAL_COLUMN, NARROWEST_COLUMN = 16, 7, 6
BIG_DIE, SMALL_DIE = 7, 5
BIG_DICE_BESIDE, BIG_DICE_ABOVE = 19, 36  # rows that large dice need next to the sheet, and above it
SCROLLBAR = 1
_EDGES = 2  # columns left free at both sides of the dice
_MANY_SEATS = 4  # with more players the sheet scrolls sideways
_SMALLEST = (30, 12)
_SIDE_COLUMN = 9  # columns for each player if there is a side panel
NARROWEST_SIDE, WIDEST_SIDE = 36, 60  # columns of the side panel
_SIDE_ROWS = 20  # rows that the side panel needs
_NUMBER, _MARGIN = 4, 1  # columns before the name of a box, with its number and without

# The first that fits is used: dice next to the sheet (or above it), large dice, the gap, and the rows it needs.
_CHOICES = (
    (True, True, 1, BIG_DICE_BESIDE),
    (True, True, 0, BIG_DICE_BESIDE),
    (False, True, 1, BIG_DICE_ABOVE),
    (True, False, 0, 0),
    (False, False, 0, 0),
)


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """One layout of the screen."""

    beside: bool  # the dice are next to the sheet, not above it
    big_dice: bool
    gap: int  # columns between the dice
    label: int  # columns for the names of the boxes
    columns: tuple[int, ...]  # the width of each player's column
    numbered: bool  # whether the boxes show their numbers
    too_small: bool = False
    scrolls: bool = False  # the sheet scrolls up and down next to the dice
    side: int = 0  # columns of the side panel with the coach, the odds and the log; 0 without one

    @property
    def sheet_width(self) -> int:
        return self.label + sum(self.columns) + (SCROLLBAR if self.scrolls else 0)

    def felt_width(self, dice: int) -> int:
        """Return the columns that the dice need."""
        return _felt_columns(dice, big=self.big_dice, gap=self.gap)


def choose_layout(
    width: int, height: int, dice: int, names: Sequence[str], box: int = SHORTEST_LABEL - _MARGIN, line: int = 0
) -> ScreenLayout:
    """Return the best layout of a table with these players.

    The longest box name has `box` letters, the longest line of the sheet `line`. The layout does not depend on the
    state of the game, so resizing loses nothing.
    """
    seats = len(names)
    too_small = width < _SMALLEST[0] or height < _SMALLEST[1]
    needed = SHORTEST_LABEL + USUAL_COLUMN * min(seats, _MANY_SEATS)
    above = _share(width - SCROLLBAR, names, box, line)
    for beside, big, gap, rows in _CHOICES:
        room = width - _felt_columns(dice, big=big, gap=gap)
        if height >= rows and room >= (needed if beside else 0):
            side = _side(room, height, seats) if beside and big else 0
            shared = _share(room - side, names, box, line) if beside else above
            return ScreenLayout(beside, big, gap, *shared, too_small, side=side)
    return ScreenLayout(False, False, 0, *above, too_small)


def _felt_columns(dice: int, *, big: bool, gap: int) -> int:
    return dice * ((BIG_DIE if big else SMALL_DIE) + gap) - gap + _EDGES


def _side(room: int, height: int, seats: int) -> int:
    """Return the columns of the side panel: those that a usual sheet leaves, if they are enough."""
    spare = room - USUAL_LABEL - _SIDE_COLUMN * seats
    return min(WIDEST_SIDE, spare) if spare >= NARROWEST_SIDE and height >= _SIDE_ROWS else 0


def _share(width: int, names: Sequence[str], box: int, line: int) -> tuple[int, tuple[int, ...], bool]:
    """Divide the width of the sheet into the label, the column of each player, and whether boxes are numbered.

    Names of boxes get room first, then names of players, then longer labels and numbers.
    """
    usual = max(SHORTEST_LABEL, width - USUAL_COLUMN * len(names))
    numbered = box + _NUMBER <= usual
    longest = min(LONGEST_LABEL, max(USUAL_LABEL, box + _NUMBER, line + _MARGIN))
    least = min(usual, longest, box + (_NUMBER if numbered else _MARGIN))
    wanted = [min(WIDEST_COLUMN, max(NARROWEST_COLUMN, len(name) + 1)) for name in names]
    label = min(longest, max(SHORTEST_LABEL, least, width - sum(wanted)))
    return label, _columns(width - label, wanted), numbered


def _columns(room: int, wanted: Sequence[int]) -> tuple[int, ...]:
    """Give each player the width of the name, short names first, and share the rest equally."""
    columns = dict.fromkeys(range(len(wanted)), 0)
    for done, seat in enumerate(sorted(columns, key=wanted.__getitem__)):
        left = (room - sum(columns.values())) // (len(wanted) - done)
        columns[seat] = max(NARROWEST_COLUMN, min(wanted[seat], left))
    spare = max(0, room - sum(columns.values())) // len(wanted)
    return tuple(min(WIDEST_COLUMN, column + spare) for column in columns.values())


def shorten(text: str, width: int) -> str:
    """Cut a text to a width, with an ellipsis at the end if it is longer."""
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"


LUXURY = ("palette", "digits", "training")  # left out before labels are shortened
# Left out next, in this order; Help and Quit are never left out.
LATER = ("odds", "report", "undo", "box", "advice", "hint", "select_cursor", "again", "roll")
SHORTEST = 5  # letters; before a label gets shorter, one more key is left out


class Foot(Footer):
    """A footer that builds its keys only when they change: at the start, Textual asks for them seven times."""

    _built: list[tuple[Binding, bool]] | None = None

    async def recompose(self) -> None:
        offered = [(each.binding, each.enabled) for each in self.screen.active_bindings.values() if each.binding.show]
        if offered != self._built:
            self._built = offered
            await super().recompose()

    def compose(self) -> ComposeResult:
        """Yield the keys in their final style, so that Textual does not style each of them twice."""
        for key in super().compose():
            yield key.add_class("-compact", update=False)


def fit_keys(found: Mapping[str, ActiveBinding], width: int) -> dict[str, ActiveBinding]:
    """Return the keys that fit: leave out a few keys, then shorten labels, then leave out more keys.

    The help page lists all keys, and they keep working.
    """
    fitted = dict(found)
    for action in LUXURY:
        if _width(fitted) > width:
            fitted = _without(fitted, action)
    for action in LATER:
        cut = _cut(fitted, width)
        if _width(cut) <= width:
            return cut
        fitted = _without(fitted, action)
    return _cut(fitted, width)


def _cut(found: dict[str, ActiveBinding], width: int) -> dict[str, ActiveBinding]:
    """Shorten the labels until they fit, but not below the shortest length."""
    longest = max((len(each.binding.description) for each in _visible(found)), default=0)
    for letters in range(longest, SHORTEST, -1):
        if _width(found) <= width:
            break
        found = relabel(found, partial(shorten, width=letters - 1))
    return found


def relabel(found: Mapping[str, ActiveBinding], change: Callable[[str], str]) -> dict[str, ActiveBinding]:
    """Return the keys with other descriptions."""
    return {
        key: each._replace(binding=replace(each.binding, description=change(each.binding.description)))
        for key, each in found.items()
    }


def _without(found: dict[str, ActiveBinding], action: str) -> dict[str, ActiveBinding]:
    return {key: each for key, each in found.items() if each.binding.action != action}


def _visible(found: Mapping[str, ActiveBinding]) -> list[ActiveBinding]:
    """Return the bindings that are shown, one for each action."""
    return list({each.binding.action: each for each in found.values() if each.binding.show}.values())


def _width(found: Mapping[str, ActiveBinding]) -> int:
    """Return the width of all keys: each has its key, a space, its label, and a space before the next."""
    return sum(len(each.binding.key_display or "") + 2 + len(each.binding.description) for each in _visible(found)) - 1


PARTS = {"coach": "H", "odds": "O"}  # each with the key that asks for it


class SidePanel(Vertical):
    """Shows hints and odds until the dice change, and the log of the game."""

    def __init__(self) -> None:
        super().__init__(id="side")
        self._texts: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        for part in PARTS:
            yield Static(word(f"terminal.side-{part}"), classes=f"side-title side-{part}", markup=False)
            with VerticalScroll(id=f"side-{part}", classes=f"side-{part}", can_focus=False):
                yield Static(id=f"side-{part}-words", markup=False)
        yield Static(word("terminal.side-log"), classes="side-title", markup=False)
        with VerticalScroll(id="side-log", can_focus=False):
            yield Static(id="side-log-words", markup=False)

    def tell(self, part: str, text: str) -> None:
        """Show a text if it has changed: every update lays out the whole screen again."""
        if self._texts.get(part) != text:
            self._texts[part] = text
            self.query_one(f"#side-{part}-words", Static).update(text)
            self.query_one(f"#side-{part}").scroll_home(animate=False)

    def show(self, state: TableState, *, fresh: bool) -> None:
        """Show the log. With `fresh` dice, clear the hint and the odds."""
        if fresh:
            for part, key in PARTS.items():
                empty = word(f"terminal.side-no-{'hint' if part == 'coach' else 'odds'}", key=key)
                self.tell(part, empty if state.coach else word("terminal.side-coach-off"))
        self.tell("log", "\n".join(turn_lines(state)) or word("terminal.side-no-log"))
        self.query_one("#side-log").scroll_end(animate=False)
