"""The parts around the table: the keys in the footer, and the panel to the right of the dice in a wide window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Footer, Static

from fivedice.table.state import TableState
from fivedice.terminal.game_lines import turn_lines
from fivedice.terminal.screen.layout import shorten
from fivedice.text import word

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
