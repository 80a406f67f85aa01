"""What the foot of the screen names, in a window of so many columns: nothing is cut off, least of all the way out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.widgets import Footer

from fivedice.tui.screen.layout import shortened

LUXURY = ("palette", "digits", "training")  # these go first
LATER = ("odds", "report", "undo", "box", "advice", "hint", "select_cursor", "again", "roll")  # Help and Quit never go
SHORTEST = 5  # letters of a label before one more key is left out


class Foot(Footer):
    """Build its keys anew only when they differ: at every start, Textual asks for them seven times."""

    _built: list[tuple[Binding, bool]] | None = None

    async def recompose(self) -> None:
        offered = [(each.binding, each.enabled) for each in self.screen.active_bindings.values() if each.binding.show]
        if offered != self._built:
            self._built = offered
            await super().recompose()

    def compose(self) -> ComposeResult:
        """Yield the keys in their final style, which spares styling each of them twice."""
        for key in super().compose():
            yield key.add_class("-compact", update=False)


def fitting(found: Mapping[str, ActiveBinding], width: int) -> dict[str, ActiveBinding]:
    """The same without what does not fit: a few keys go first, then words become shorter, then more keys go.

    The page of help names them all, and they go on working.
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
    """With labels as long as they can be."""
    longest = max((len(each.binding.description) for each in _shown(found)), default=0)
    for letters in range(longest, SHORTEST, -1):
        if _width(found) <= width:
            break
        found = {
            key: each._replace(
                binding=replace(each.binding, description=shortened(each.binding.description, letters - 1))
            )
            for key, each in found.items()
        }
    return found


def _without(found: dict[str, ActiveBinding], action: str) -> dict[str, ActiveBinding]:
    return {key: each for key, each in found.items() if each.binding.action != action}


def _shown(found: Mapping[str, ActiveBinding]) -> list[ActiveBinding]:
    """An action is named once, however many keys it has."""
    return list({each.binding.action: each for each in found.values() if each.binding.show}.values())


def _width(found: Mapping[str, ActiveBinding]) -> int:
    """A key, a space, its label, and a space up to the next."""
    return sum(len(each.binding.key_display or "") + 2 + len(each.binding.description) for each in _shown(found)) - 1
