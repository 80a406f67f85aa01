"""The dialogs over the table: help, the record of the game, and the entry of real dice."""

from __future__ import annotations

from collections.abc import Callable
from string import digits
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from fivedice.text import word

# Each action and its key; an action without a single letter here has a text for its keys.
_KEYS = {
    "roll": "R",
    "keep": "",
    "move": "",
    "box": "S",
    "score": "",
    "undo": "U",
    "hint": "H",
    "advice": "Y",
    "odds": "O",
    "aim": "A",
    "training": "T",
    "scroll": "",
    "digits": "D",
    "theme": "L",
    "record": "C",
    "report": "E",
    "again": "N",
    "palette": "Ctrl+P",
    "quit": "Q",
}
_DIGITS = 2  # the most digits of a number of saved rolls
_PAD_KEYS = {"final": "F", "clear": "W"}
_IN_WORDS = {"roll", "keep", "move", "box", "score", "scroll"}


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
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,Q,question_mark,enter,c,C", "dismiss")]

    def __init__(self, content: RenderableType) -> None:
        super().__init__()
        self._content = content

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self._content, markup=False)

    def on_click(self) -> None:
        self.dismiss()


class HelpScreen(_Page):
    """The keys and the mouse."""

    def __init__(self, *, pad: bool) -> None:
        super().__init__(_help(pad=pad))


class RecordScreen(_Page):
    """The game so far in notation."""

    def __init__(self, record: str) -> None:
        super().__init__(f"{record.rstrip()}\n\n{word('terminal.back')}")


class WordsScreen(_Page):
    """A text that is too long for the table. The key for the advice works here too."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y,Y", "advice"), Binding("h,H,e,E", "dismiss")]

    def __init__(self, lines: list[str], advice: Callable[[], None] | None = None) -> None:
        super().__init__("\n".join([*lines, "", word("terminal.back")]))
        self._advice = advice

    def action_advice(self) -> None:
        if self._advice is not None:
            self.dismiss()
            self._advice()


class EnterScreen(ModalScreen[None]):
    """Asks for the faces of real dice. Takes keys before it is drawn, so that none is lost."""

    def __init__(
        self,
        count: int,
        faces: int,
        typed: str,
        done: Callable[[str], None],
        *,
        final: bool = False,
        saving: bool = False,
    ) -> None:
        super().__init__()
        self._count, self._done, self._final, self._saving = count, done, final, saving
        self._allowed = {str(face) for face in range(1, faces + 1)}
        self._missing = 0
        self.typed = typed

    def compose(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Static(self._question(), id="question", markup=False)
            yield Static(self._entry(), id="dice-entry", markup=False)

    def _question(self) -> str:
        if self._missing:
            return word("terminal.more-faces", count=self._missing, dice=self._count)
        question = word("terminal.ask-final" if self._final else "terminal.ask-faces", count=self._count)
        if not self._saving:
            return question
        return f"{question} {word('terminal.ask-saved', example='1' * self._count + '+2')}"

    def _entry(self) -> str:
        """Return the typed faces, and a mark for every die that is missing."""
        return " ".join([*self.typed, *"▁" * (self._count - len(self._faces))])

    @property
    def _faces(self) -> str:
        return self.typed.partition("+")[0]

    def _fits(self, typed: str) -> bool:
        """Return whether a text may become valid: faces, and after a plus the saved rolls."""
        dice, plus, saved = typed.partition("+")
        if len(dice) > self._count or not set(dice) <= self._allowed:
            return False
        return not plus or (self._saving and len(saved) <= _DIGITS and set(saved) <= set(digits))

    def take(self, key: str, character: str | None) -> bool:
        """Handle a key before the next one. Return whether it has a meaning here."""
        if key == "escape":
            self.dismiss()
        elif key == "enter":
            self._missing = self._count - len(self._faces)
            if not self._missing:
                self.dismiss()
                self._done(self.typed)
        elif key in {"backspace", "delete"}:
            self.typed = self.typed[:-1]
        elif character and self._fits(self.typed + character):
            self.typed += character
        elif not character or not character.isprintable():
            return False
        if self.is_mounted:
            self.query_one("#question", Static).update(self._question())
            self.query_one("#dice-entry", Static).update(self._entry())
        return True
