"""Everything that can be done at the table, to be searched by what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.actions import parse
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider

from fivedice.words import word

# Actions that the keys of the table have, each with what it does.
_DOES = {
    "roll": "roll",
    "score": "score",
    "box": "box",
    "hint": "hint",
    "advice": "advice",
    "odds": "odds",
    "aim": "aim",
    "training": "training",
    "undo": "undo",
    "final": "final",
    "withdraw": "clear",
    "digits": "digits",
    "theme": "theme",
    "record": "record",
    "report": "report",
    "again": "again",
    "help": "help",
    "leave": "quit",
}


class TableCommands(Provider):
    """What is offered just now; the key stands behind it."""

    def _offered(self) -> Iterator[tuple[str, str, Callable[[], None]]]:
        for binding in self.screen.BINDINGS:
            if not isinstance(binding, Binding):
                continue
            where, name, arguments = parse(binding.action)
            owner = self.app if where == "app" else self.screen
            if name in _DOES and owner.check_action(name, arguments):
                key = binding.key_display or binding.key.upper()
                yield word(f"terminal.does.{_DOES[name]}"), key, getattr(owner, f"action_{name}")

    async def discover(self) -> Hits:
        for does, key, act in self._offered():
            yield DiscoveryHit(f"{key}  {does}", act, does)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for does, key, act in self._offered():
            score = matcher.match(does)
            if score > 0:
                yield Hit(score, matcher.highlight(f"{key}  {does}"), act, does)
