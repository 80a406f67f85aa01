"""The panel to the right of the dice in a wide window: the coach, the odds, and the log of the game."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from fivedice.table.state import TableState
from fivedice.terminal.game_lines import turn_lines
from fivedice.text import word

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
