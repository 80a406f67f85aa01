"""The dialogs over the table: help, the record of the game, and the question what real dice show."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from fivedice.words import word

# What a key does; where no letter stands, or more than one key does it, the key has words of its own.
_KEYS = {
    "roll": "R",
    "keep": "",
    "move": "",
    "score": "",
    "undo": "U",
    "hint": "H",
    "odds": "O",
    "aim": "A",
    "training": "T",
    "digits": "D",
    "record": "C",
    "again": "N",
    "quit": "Q",
}
_PAD_KEYS = {"final": "F", "clear": "W"}
_IN_WORDS = {"roll", "keep", "move", "score"}


def _help(*, pad: bool) -> RenderableType:
    legend = {"points": "[12]", "joker": "[25!]", "closed": "-", "ahead": "+4"}
    page: list[RenderableType] = [
        *(_pad_help() if pad else ()),
        word("terminal.turn"),
        _key_table(_KEYS),
        "",
        word("terminal.mouse"),
        word("terminal.legend", **legend),
        "",
        word("terminal.back"),
    ]
    return Group(*page)


def _pad_help() -> tuple[RenderableType, ...]:
    correct = word("terminal.correct-later", command="fivedice play --plain --resume")  # no sentence
    return word("terminal.real-dice-help", key="R"), _key_table(_PAD_KEYS), correct, ""


def _key_table(keys: dict[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    for does, key in keys.items():
        pressed = word(f"terminal.press.{does}", key=key) if does in _IN_WORDS else key
        table.add_row(f" {pressed}", word(f"terminal.does.{does}"))
    return table


class _Page(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter,c", "dismiss")]

    def __init__(self, content: RenderableType) -> None:
        super().__init__()
        self._content = content

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self._content, markup=False)

    def on_click(self) -> None:
        self.dismiss()


class HelpScreen(_Page):
    """What one can do."""

    def __init__(self, *, pad: bool) -> None:
        super().__init__(_help(pad=pad))


class RecordScreen(_Page):
    """The game so far in notation."""

    def __init__(self, record: str) -> None:
        super().__init__(f"{record.rstrip()}\n\n{word('terminal.back')}")


class EnterScreen(ModalScreen[str | None]):
    """Asks what real dice show."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)")]

    def __init__(self, count: int, faces: int, typed: str = "", *, final: bool = False, saving: bool = False) -> None:
        super().__init__()
        self._count, self._faces, self._typed, self._final, self._saving = count, faces, typed, final, saving

    def compose(self) -> ComposeResult:
        kind = "terminal.ask-final" if self._final else "terminal.ask-faces"
        question = word(kind, count=self._count)
        if self._saving:
            example = "1" * self._count + "+2"
            question = f"{question} {word('terminal.ask-saved', example=example)}"
        entry = f"[1-{self._faces}]{{0,{self._count}}}" + (r"(\+[0-9]{0,2})?" if self._saving else "")
        with Vertical(id="page"):
            yield Static(question, id="question", markup=False)
            yield Input(self._typed, restrict=entry, id="dice-entry")

    def on_mount(self) -> None:
        entry = self.query_one(Input)
        entry.cursor_blink = False
        entry.focus()
        entry.cursor_position = len(self._typed)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        missing = self._count - len(event.value.partition("+")[0])
        if missing:
            self.query_one("#question", Static).update(word("terminal.more-faces", count=missing, dice=self._count))
        else:
            self.dismiss(event.value)
