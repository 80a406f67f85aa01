"""The dice that somebody is about to keep: seen by everybody at once, and no move yet.

Nothing of it is in the log. It is kept in memory, for the moment of the game that it was said in, and is worth nothing
as soon as the dice or the sheet have changed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

MOST_TABLES = 4096  # remembered; beyond that the one where nobody chose for longest is forgotten


@dataclass(frozen=True, slots=True)
class Held:
    """What was said last at a table."""

    moment: int  # the version that last changed the dice or the sheet
    slots: tuple[int, ...]
    page: str = ""  # that said it: it knows already


class IntendedHolds:
    """Of all tables of a process; asked and told from any thread."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._guard = Lock()

    def note(self, table: str, held: Held) -> bool:
        """Remember it, unless it is about a moment that has passed."""
        with self._guard:
            before = self._held.get(table)
            if before is not None and before.moment > held.moment:
                return False
            self._held[table] = held
            self._held.move_to_end(table)
            while len(self._held) > MOST_TABLES:
                self._held.popitem(last=False)
            return True

    def last(self, table: str) -> Held | None:
        with self._guard:
            return self._held.get(table)

    def at(self, table: str, moment: int) -> tuple[int, ...] | None:
        """The slots that are to be kept; None where nothing was said since the dice fell."""
        held = self.last(table)
        return None if held is None or held.moment != moment else held.slots
