"""Dice on the screen: pips or digits, and a held die says so in words as well as by its frame."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

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


class Die(Static):
    """One die in its slot; pressed, it is held."""

    class Pressed(Message):
        """The die was clicked."""

        def __init__(self, slot: int) -> None:
            super().__init__()
            self.slot = slot

    face: reactive[int] = reactive(0)
    held: reactive[bool] = reactive(default=False)
    digits: reactive[bool] = reactive(default=False)

    def __init__(self, slot: int) -> None:
        super().__init__(id=f"die-{slot}")
        self.slot = slot

    def render(self) -> str:
        if not self.face:
            return "\n\n"
        if self.digits:
            return f"\n  {self.face}  \n"
        return "\n".join(_SPOTS[self.face])

    def watch_held(self, held: bool) -> None:
        self.set_class(held, "held")
        self.border_subtitle = "held" if held else ""

    def watch_face(self, face: int) -> None:
        self.set_class(face == 0, "blank")
        self.border_title = str(self.slot + 1)

    def on_click(self) -> None:
        self.post_message(self.Pressed(self.slot))


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
