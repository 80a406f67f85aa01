"""Training at the terminal: the coach asks once about a costly move; the same move again is meant."""

from __future__ import annotations

from fivedice.coaching import training
from fivedice.coaching.asking import to_judge, trains
from fivedice.dice import Keep
from fivedice.errors import FivediceError
from fivedice.table.state import TableState
from fivedice.tui.own_store import TERMINAL


class Training:
    """The limit in use, and the move that was asked about last."""

    def __init__(self, limit: int = training.OFF) -> None:
        self.limit = limit
        self._asked: tuple[int, Keep | str] | None = None

    def next_limit(self) -> str:
        """Go on to the next limit, and say what that is."""
        self.limit = training.after(self.limit)
        return self.words()

    def words(self) -> str:
        return str(training.told(self.limit))

    def caution(self, state: TableState, move: Keep | str, *, patient: bool) -> str | None:
        """What speaks against a move, once. A book that is not solved yet is only waited for by the patient."""
        asked = (state.version, move)
        if not trains(state, self.limit) or self._asked == asked:
            self._asked = None
            return None
        found = _caution(state, move, self.limit, patient=patient)
        self._asked = asked if found else None
        return found


def _caution(state: TableState, move: Keep | str, limit: int, *, patient: bool) -> str | None:
    from fivedice.solver import solve
    from fivedice.solver.runtime import solve_limits as limits
    from fivedice.solver.solution import known

    wait = patient and not limits.takes_long(state.book)
    try:
        position, roll = to_judge(state, TERMINAL)
        solution = solve(state.book) if wait else known(state.book)
        found = None if solution is None else training.caution(solution, position, roll, move, limit)
    except FivediceError:
        return None  # it will be refused, and that says more
    return None if found is None else str(found.message)
