"""The command palette: all actions at the table, found by what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.actions import parse
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider

from fivedice.text import word

# The actions of the table's keys, each with the kind of its description.
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
    """The actions that are possible now, each with its key."""

    def _commands(self) -> Iterator[tuple[str, str, Callable[[], None]]]:
        for binding in self.screen.BINDINGS:
            if not isinstance(binding, Binding):
                continue
            where, name, arguments = parse(binding.action)
            owner = self.app if where == "app" else self.screen
            if name in _DOES and owner.check_action(name, arguments):
                key = binding.key_display or binding.key.upper()
                yield word(f"terminal.does.{_DOES[name]}"), key, getattr(owner, f"action_{name}")

    async def discover(self) -> Hits:
        for does, key, act in self._commands():
            yield DiscoveryHit(f"{key}  {does}", act, does)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for does, key, act in self._commands():
            score = matcher.match(does)
            if score > 0:
                yield Hit(score, matcher.highlight(f"{key}  {does}"), act, does)
