"""The screens beside the table: help, and the record of the game."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

HELP = """[b]A turn[/b]
Roll, hold the dice you like, roll again, then fill a box.

[b]Keys[/b]
 R or Space   roll
 1 to 8       hold a die, or let it go
 Up and Down  go through the sheet
 Enter        fill the box under the cursor
 U            take the last score back
 H            the best few things to do
 D            digits instead of pips
 C            the record of this game
 N            the next game, when this one is over
 Q            leave; the game is saved

The mouse does the same: click dice, the button, a box.
\\[12] is what the dice are worth there; a closed box says why below the dice.

Press Escape to go back to the table."""


class _Page(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "dismiss", "Back")]

    def __init__(self, text: str, *, markup: bool) -> None:
        super().__init__()
        self._text = text
        self._markup = markup

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self._text, markup=self._markup)


class HelpScreen(_Page):
    """What one can do."""

    def __init__(self) -> None:
        super().__init__(HELP, markup=True)


class RecordScreen(_Page):
    """The game so far in notation."""

    def __init__(self, record: str) -> None:
        super().__init__(record, markup=False)


class EnterScreen(ModalScreen[str | None]):
    """Asks what real dice show."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(f"What do the {self._count} dice show? One digit a die, then Enter.")
            yield Input(type="integer", max_length=self._count, id="dice-entry")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)
