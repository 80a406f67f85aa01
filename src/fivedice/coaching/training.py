"""What the coach may be asked, by whom and when: the same for pages, programs and the terminal. And questions before
a move.

Those are about one that costs more than the training limit, and about a zero that could be avoided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.coaching.hint_messages import inside, points
from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError, quote
from fivedice.game import Position
from fivedice.message import Either, Message, message
from fivedice.table.decide.rights import require_turn
from fivedice.table.refusals import BadRequest, NotAllowed, WrongPhase
from fivedice.table.state import TableState

if TYPE_CHECKING:
    from fivedice.coaching.rolled_turn import Choice
    from fivedice.solver import Solution


def to_judge(state: TableState, player: str) -> tuple[Position, Roll]:
    """Where this person has to choose, if they may be told what is best."""
    _need_coach(state)
    game, seat = require_turn(state, player)
    if state.house_plays(seat):
        raise NotAllowed("coach.bot-plays")
    if game.position.roll is None:
        raise WrongPhase("coach.roll-first")
    return game.position, game.position.roll


def to_expect(state: TableState) -> Position:
    """Where everyone stands: anybody may ask what to expect of a running game, where there is a coach."""
    _need_coach(state)
    if state.game is None or state.game.is_over:
        raise WrongPhase("coach.no-game")
    return state.game.position


def trains(state: TableState, limit: int) -> bool:
    """Whether moves are held against the training limit: a pad writes down what people have decided before."""
    return limit > 0 and state.coach and not state.real_dice


def plays_alone(state: TableState, player: str) -> bool:
    """Only somebody who plays alone has a score to beat."""
    return len(state.seats) == 1 and state.seats[0].player == player


def _need_coach(state: TableState) -> None:
    if not state.coach:
        raise NotAllowed("coach.off")


OFF = 0
LIMITS = (OFF, 1, 3, 5, 10)  # points that a move may cost


@dataclass(frozen=True, slots=True)
class Caution:
    """What a move costs, and the best one."""

    lost: float
    best: Choice

    @property
    def cost(self) -> Message:
        return points(self.lost)

    @property
    def instead(self) -> Message:
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
        position, key = require_turn(state, player)[0].position, state.book.box(box).key
    except FivediceError:
        return None
    return key if position.roll is not None and position.ruling().wastes(key) else None
