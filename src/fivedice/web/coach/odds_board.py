"""The odds of a table: what everyone may expect, who will win, and the score to beat. Worked out beside the moves."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.game import Position
from fivedice.message import message
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.state import TableState
from fivedice.web.coach.table_coach import Coaches
from fivedice.web.runtime.solutions import Readiness

if TYPE_CHECKING:
    from fivedice.analysis.race import Race
    from fivedice.coaching.score_to_beat import Prospect
    from fivedice.solver import Solution

_KEPT = 256  # versions of tables
_SOON = Readiness("running", 0.0, message("web.odds-soon"))


@dataclass(frozen=True, slots=True)
class Beat:
    """The total that beats the own best, and the chance of it."""

    target: int
    normal: Prospect  # if the most points are played for
    chased: float | None  # if that total is played for, once it is worked out
    chase: Readiness


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The chances of a table, or how far they are."""

    readiness: Readiness
    race: Race | None = None
    beat: Beat | None = None

    @property
    def exact(self) -> bool:
        return self.race is not None and self.race.exact and (self.beat is None or self.beat.normal.exact)


class OddsBoard:
    """One a process, with a thread of its own: those who ask wait in line here, and moves go past them.

    A version of a table is worked out once, however many look.
    """

    def __init__(self, coaches: Coaches) -> None:
        self._coaches = coaches
        self._races: OrderedDict[tuple[str, int], Race] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, "odds")

    async def ask(self, state: TableState, target: int | None) -> TableOdds:
        """`odds`, worked out beside everything else."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.odds, state, target)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def odds(self, state: TableState, target: int | None) -> TableOdds:
        """For anybody at a table where the coach may be asked; `target` beats the own best of a solo player."""
        if not state.coach:
            raise NotAllowed("web.hints-off")
        if state.game is None or state.game.is_over:
            raise WrongPhase("web.no-odds")
        position = state.game.position
        readiness, solution = self._coaches.solutions.want(state.book), self._coaches.solutions.ready(state.book)
        if solution is None:
            return TableOdds(readiness)
        race = self._race(state, position, solution)
        if race is None:
            return TableOdds(_SOON)
        return TableOdds(readiness, race, None if target is None else self._beat(state, position, solution, target))

    def _race(self, state: TableState, position: Position, solution: Solution) -> Race | None:
        from fivedice.analysis.race import is_ready, race

        key = state.id, state.game_version
        found = self._races.get(key)
        if found is None and is_ready(position, solution):
            found = self._races[key] = race(position, solution)
            while len(self._races) > _KEPT:
                self._races.popitem(last=False)
        return found

    def _beat(self, state: TableState, position: Position, solution: Solution, target: int) -> Beat:
        from fivedice.coaching.score_to_beat import chased, prospect

        normal = prospect(position, solution, target)
        readiness = self._coaches.chases.want(state.id, position.card, target)
        hunt = self._coaches.chases.ready(state.id, position.card, target)
        return Beat(target, normal, None if hunt is None else chased(position, hunt, target), readiness)
