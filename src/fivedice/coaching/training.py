"""Questions before a move: one that costs more than the training limit, and a zero that could be avoided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.errors import FivediceError, quote
from fivedice.message import Either, Message, message
from fivedice.table.decide.rights import my_turn
from fivedice.table.refusals import BadRequest
from fivedice.table.state import TableState

if TYPE_CHECKING:
    from fivedice.coaching.choices import Choice
    from fivedice.dice import Keep, Roll
    from fivedice.game import Position
    from fivedice.solver import Solution

OFF = 0
LIMITS = (OFF, 1, 3, 5, 10)  # points that a move may cost


@dataclass(frozen=True, slots=True)
class Caution:
    """What a move costs, and the best one."""

    lost: float
    best: Choice

    @property
    def cost(self) -> Message:
        from fivedice.coaching.hint_messages import points

        return points(self.lost)

    @property
    def instead(self) -> Message:
        from fivedice.coaching.hint_messages import inside

        return inside(self.best)

    @property
    def message(self) -> Message:
        return message("coach.caution", cost=self.cost, instead=self.instead)


def limit_of(text: str) -> int:
    """A limit that somebody chose: points, or "off"."""
    allowed = {"off": OFF} | {str(limit): limit for limit in LIMITS}
    if text.strip().lower() not in allowed:
        raise BadRequest("coach.training-limits", limits=Either(LIMITS[1:]), given=quote(text))
    return allowed[text.strip().lower()]


def after(limit: int) -> int:
    """The limit that comes next, and off after the last."""
    return LIMITS[(LIMITS.index(limit) + 1) % len(LIMITS)]


def told(limit: int) -> Message:
    return message("coach.training-on", count=limit) if limit else message("coach.training-off")


def caution(solution: Solution, position: Position, roll: Roll, move: Keep | str, limit: int) -> Caution | None:
    """What speaks against a move that costs more than the limit. Raises where it cannot be made at all."""
    from fivedice.coaching.hints import best_choice, cost

    turn = solution, position.card, roll, position.rolls_left
    lost = cost(*turn, move)
    return Caution(lost, best_choice(*turn)) if lost > limit else None


def avoidable_zero(state: TableState, player: str, box: str) -> str | None:
    """The box that would take a zero although another would score; None too where the move will be refused anyway."""
    try:
        position, key = my_turn(state, player)[0].position, state.book.box(box).key
    except FivediceError:
        return None
    return key if position.roll is not None and position.ruling().wastes(key) else None
