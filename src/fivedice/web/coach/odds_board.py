"""The odds of a table: what everyone may expect, who will win, and the score to beat. Worked out beside the moves."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from fivedice.coaching.asking import to_expect
from fivedice.coaching.game_odds import Beat, GameOdds, to_beat
from fivedice.game import Position
from fivedice.message import message
from fivedice.table.bounded import BoundedMap
from fivedice.table.state import TableState
from fivedice.web.coach.table_coach import Coaches
from fivedice.web.runtime.solutions import Readiness

if TYPE_CHECKING:
    from fivedice.analysis.race import Race
    from fivedice.solver import Solution

_KEPT = 256  # versions of tables
_SOON = Readiness("running", 0.0, message("web.odds-soon"))


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The odds of a table, or how far they are; and how far the chase for the score to beat is."""

    readiness: Readiness
    odds: GameOdds | None = None
    chase: Readiness | None = None

    @property
    def race(self) -> Race | None:
        return None if self.odds is None else self.odds.race

    @property
    def beat(self) -> Beat | None:
        return None if self.odds is None else self.odds.beat

    @property
    def exact(self) -> bool:
        return self.odds is not None and self.odds.exact


class OddsBoard:
    """One a process. A version of a table is worked out once, however many look: those who ask meanwhile wait."""

    def __init__(self, coaches: Coaches) -> None:
        self._coaches = coaches
        self._races: BoundedMap[tuple[str, int], Race] = BoundedMap(_KEPT)
        self._one_at_a_time = Lock()

    def odds(self, state: TableState, target: int | None) -> TableOdds:
        """For anybody at a table where the coach may be asked; `target` beats the own best of a solo player."""
        position = to_expect(state)
        readiness, solution = self._coaches.solutions.want(state.book), self._coaches.solutions.ready(state.book)
        if solution is None:
            return TableOdds(readiness)
        with self._one_at_a_time:
            race = self._race(state, position, solution)
        if race is None:
            return TableOdds(_SOON)
        if target is None:
            return TableOdds(readiness, GameOdds(race))
        chases = self._coaches.chases
        chase = chases.want(state.id, position.card, target)
        beat = to_beat(position, solution, target, chases.ready(state.id, position.card, target))
        return TableOdds(readiness, GameOdds(race, beat), chase)

    def _race(self, state: TableState, position: Position, solution: Solution) -> Race | None:
        from fivedice.analysis.race import is_ready, race

        key = state.id, state.game_version
        found = self._races.get(key)
        if found is None and is_ready(position, solution):
            found = self._races[key] = race(position, solution)
        return found
