"""Dice on the screen: pips or digits, large or small, and a kept die says so in a word as well as by its frame."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from fivedice.tokens import TERMINAL
from fivedice.tui.screen.layout import BIG_DIE, SMALL_DIE, shortened
from fivedice.words import word

_SPOTS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
    7: ("●   ●", "● ● ●", "●   ●"),
    8: ("● ● ●", "●   ●", "● ● ●"),
    9: ("● ● ●", "● ● ●", "● ● ●"),
}
_EMPTY = ("     ", "     ", "     ")
_LOOSE, _HELD = tuple("╭─╮│╰╯"), tuple("┏━┓┃┗┛")
IVORY = "{pip} on {ivory}".format_map(TERMINAL)
HELD_IVORY = "{held-pip} on {held-ivory}".format_map(TERMINAL)
EMPTY_SLOT = "{slot} on {felt}".format_map(TERMINAL)
CAPTION, HELD_CAPTION = TERMINAL["caption"], "bold {gold}".format_map(TERMINAL)


class Die(Static):
    """One die in its slot; pressed, it is kept."""

    class Pressed(Message):
        """The die was clicked."""

        def __init__(self, slot: int) -> None:
            super().__init__()
            self.slot = slot

    face: reactive[int] = reactive(0)
    held: reactive[bool] = reactive(default=False)
    digits: reactive[bool] = reactive(default=False)
    big: reactive[bool] = reactive(default=True, layout=True)

    def __init__(self, slot: int) -> None:
        super().__init__(id=f"die-{slot}")
        self.slot = slot

    def render(self) -> Text:
        return _large(self) if self.big else _small(self)

    def watch_big(self, big: bool) -> None:
        self.styles.width = BIG_DIE if big else SMALL_DIE
        self.styles.height = 6 if big else 2

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.slot))


def _ink(die: Die) -> str:
    if not die.face:
        return EMPTY_SLOT
    return HELD_IVORY if die.held else IVORY


def _caption(die: Die, width: int, text: str) -> tuple[str, str]:
    return shortened(text, width).center(width), HELD_CAPTION if die.held else CAPTION


def _large(die: Die) -> Text:
    left, line, right, side, under_left, under_right = _HELD if die.held else _LOOSE
    spots = (_EMPTY[0], f"  {die.face}  ", _EMPTY[0]) if die.digits and die.face else _SPOTS.get(die.face, _EMPTY)
    rows = [left + line * 5 + right, *(f"{side}{row}{side}" for row in spots), under_left + line * 5 + under_right]
    text = Text(no_wrap=True)
    for row in rows:
        text.append(row, _ink(die)).append("\n")
    return text.append(
        *_caption(die, BIG_DIE, word("terminal.kept-die", die=die.slot + 1) if die.held else str(die.slot + 1))
    )


def _small(die: Die) -> Text:
    """Two rows: the face, in brackets when it is kept, and the word below it."""
    face = str(die.face or " ")
    text = Text(no_wrap=True).append((f"[{face}]" if die.held else f" {face} "), _ink(die)).append("\n")
    return text.append(*_caption(die, 4, word("terminal.kept") if die.held else f"{die.slot + 1} "))


class DiceRow(Widget):
    """All dice side by side."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def compose(self) -> ComposeResult:
        with Horizontal():
            for slot in range(self._count):
                yield Die(slot)

    @property
    def dice(self) -> list[Die]:
        return list(self.query(Die))

    @property
    def held(self) -> tuple[int, ...]:
        return tuple(die.slot for die in self.dice if die.held)

    def show(self, faces: tuple[int, ...], held: tuple[int, ...]) -> None:
        """Lay the dice out; an empty table shows blank slots."""
        for die in self.dice:
            die.face = faces[die.slot] if faces else 0
            die.held = die.slot in held and bool(faces)

    def toggle(self, slot: int) -> None:
        if slot < len(self.dice) and self.dice[slot].face:
            self.dice[slot].held = not self.dice[slot].held

    def switch_digits(self) -> None:
        for die in self.dice:
            die.digits = not die.digits

    def resize(self, *, big: bool, gap: int) -> None:
        for die in self.dice:
            die.big = big
            die.styles.margin = (0, gap, 0, 0)
