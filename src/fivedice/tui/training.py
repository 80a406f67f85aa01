"""Training: the coach speaks up before a move that costs more than a chosen number of points."""

from __future__ import annotations

from fivedice.dice import Keep
from fivedice.errors import FivediceError, quote
from fivedice.table.state import TableState

LIMITS = (0, 1, 3, 5, 10)  # points; 0 is off


def limit_of(text: str) -> int:
    """A limit that somebody typed."""
    allowed = {"off": 0} | {str(limit): limit for limit in LIMITS}
    if text.strip().lower() not in allowed:
        raise FivediceError(
            f"training speaks up from {', '.join(map(str, LIMITS[1:]))} points on, not from {quote(text)}"
        )
    return allowed[text.strip().lower()]


class Training:
    """Asks once about a move; the same move again is meant."""

    def __init__(self, limit: int = 0) -> None:
        self.limit = limit
        self._asked: tuple[int, Keep | str] | None = None

    def next_limit(self) -> str:
        """Go on to the next limit, and say what that is."""
        self.limit = LIMITS[(LIMITS.index(self.limit) + 1) % len(LIMITS)]
        return self.words()

    def words(self) -> str:
        if not self.limit:
            return "Training is off."
        points = "1 point" if self.limit == 1 else f"{self.limit} points"
        return f"Training: the coach speaks up before a move that costs more than {points}."

    def caution(self, state: TableState, move: Keep | str, *, patient: bool) -> str | None:
        """What speaks against a move, once. A book that is not solved yet is only waited for by the patient."""
        asked = (state.version, move)
        if not self.limit or not state.coach or state.real_dice or self._asked == asked:
            self._asked = None
            return None
        found = _caution(state, move, self.limit, patient=patient)
        self._asked = asked if found else None
        return found


def _caution(state: TableState, move: Keep | str, limit: int, *, patient: bool) -> str | None:
    from fivedice.coaching.hint_words import points
    from fivedice.coaching.hints import coach, cost
    from fivedice.solver import solve
    from fivedice.solver.runtime import solve_limits as limits
    from fivedice.solver.solution import known

    position = None if state.game is None else state.game.position
    if position is None or position.roll is None:
        return None
    wait = patient and not limits.takes_long(position.book)
    solution = solve(position.book) if wait else known(position.book)
    if solution is None:
        return None
    turn = solution, position.card, position.roll, position.rolls_left
    try:
        lost = cost(*turn, move)
    except FivediceError:
        return None  # it will be refused, and that says more
    if lost <= limit:
        return None
    best = coach(*turn, best=1).choices[0]
    instead = best.words if best.box is None else f"score {best.words}"
    return f"That costs {points(lost)}: {instead} instead?"
