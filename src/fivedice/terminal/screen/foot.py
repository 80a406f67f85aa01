"""The keys in the footer: as many as fit into the window, and always the key to quit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.widgets import Footer

from fivedice.terminal.screen.layout import shorten

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
        found = {
            key: each._replace(
                binding=replace(each.binding, description=shorten(each.binding.description, letters - 1))
            )
            for key, each in found.items()
        }
    return found


def _without(found: dict[str, ActiveBinding], action: str) -> dict[str, ActiveBinding]:
    return {key: each for key, each in found.items() if each.binding.action != action}


def _visible(found: Mapping[str, ActiveBinding]) -> list[ActiveBinding]:
    """Return the bindings that are shown, one for each action."""
    return list({each.binding.action: each for each in found.values() if each.binding.show}.values())


def _width(found: Mapping[str, ActiveBinding]) -> int:
    """Return the width of all keys: each has its key, a space, its label, and a space before the next."""
    return sum(len(each.binding.key_display or "") + 2 + len(each.binding.description) for each in _visible(found)) - 1
