"""The pages over the table: help, the record of the game, and the question what real dice show."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

HELP = """[b]A turn:[/b] roll, hold the dice you like, roll again, fill a box.

 R or Space   roll
 1 to 9       hold a die, or let it go
 Up, Down     go through the sheet
 Enter        fill the box under the cursor
 U            take the last score back
 H            the best few things to do, and why
 O            what everyone may expect, and who will win
 T            training: be told before a costly move
 D            digits instead of pips
 C            the record of this game
 N            the next game, when this one is over
 Q            leave; the game is saved

The mouse does the same: click dice, the button, a box. \\[12] is what the dice are worth there, \\[25!] as a joker; \
- is closed to these dice: go there, and it says why. At the bonus, +4 is how far ahead of an even course you are.

Escape goes back to the table."""


PAD_HELP = """[b]Real dice:[/b] R asks what fell; a digit does too.

 F            enter the final dice alone, not the rolls before
 W            take back the dice that were entered last

Earlier turns are corrected line by line: leave with Q, then fivedice play --plain --resume, and say help.

"""


class _Page(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter,c", "dismiss", "Back")]

    def __init__(self, text: str, *, markup: bool) -> None:
        super().__init__()
        self._text = text
        self._markup = markup

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self._text, markup=self._markup)

    def on_click(self) -> None:
        self.dismiss()


class HelpScreen(_Page):
    """What one can do."""

    def __init__(self, *, pad: bool) -> None:
        super().__init__((PAD_HELP if pad else "") + HELP, markup=True)


class RecordScreen(_Page):
    """The game so far in notation."""

    def __init__(self, record: str) -> None:
        super().__init__(f"{record.rstrip()}\n\nEscape goes back to the table.", markup=False)


class EnterScreen(ModalScreen[str | None]):
    """Asks what real dice show."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, count: int, faces: int, typed: str = "", *, final: bool = False) -> None:
        super().__init__()
        self._count, self._faces, self._typed, self._final = count, faces, typed, final

    def compose(self) -> ComposeResult:
        what = "the die" if self._count == 1 else f"the {self._count} dice"
        shows = "does" if self._count == 1 else "do"
        when = " at the end of the turn" if self._final else ""
        with Vertical(id="page"):
            yield Static(f"What {shows} {what} show{when}? A digit a die, then Enter. Escape goes back.", id="question")
            yield Input(self._typed, restrict=f"[1-{self._faces}]*", max_length=self._count, id="dice-entry")

    def on_mount(self) -> None:
        entry = self.query_one(Input)
        entry.cursor_blink = False
        entry.focus()
        entry.cursor_position = len(self._typed)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if len(event.value) == self._count:
            self.dismiss(event.value)
        else:
            missing = self._count - len(event.value)
            self.query_one("#question", Static).update(f"{missing} more: {self._count} dice were thrown.")
