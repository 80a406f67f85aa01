"""When a player may ask the coach, and the warnings of training: the same for pages, programs and the terminal.

A warning comes before a move that costs more than the training limit, and before a zero that could be avoided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.coaching.hint_messages import in_sentence, points
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Position
from fivedice.errors import FivediceError, quote
from fivedice.message import Either, Message, message
from fivedice.table.actions.rights import require_turn
from fivedice.table.refusals import BadRequest, NotAllowed, WrongPhase
from fivedice.table.state import TableState

if TYPE_CHECKING:
    from fivedice.coaching.hints import Choice
    from fivedice.solver import Solution


def require_hint_position(state: TableState, player: str) -> tuple[Position, Roll]:
    """Return the position and roll that a player may get a hint for. Raise a refusal if there is none."""
    _require_coach(state)
    game, seat = require_turn(state, player)
    if state.house_plays(seat):
        raise NotAllowed("coach.bot-plays")
    if game.position.roll is None:
        raise WrongPhase("coach.roll-first")
    return game.position, game.position.roll


def require_running_position(state: TableState) -> Position:
    """Return the position of a running game with a coach: anyone may ask for its odds. Raise a refusal otherwise."""
    _require_coach(state)
    if state.game is None or state.game.is_over:
        raise WrongPhase("coach.no-game")
    return state.game.position


def is_training(state: TableState, limit: int) -> bool:
    """Return whether moves are checked against the training limit. On a score pad they are already made."""
    return limit > 0 and state.coach and not state.real_dice


def plays_alone(state: TableState, player: str) -> bool:
    """Return whether this player plays alone, and so has a score to beat."""
    return len(state.seats) == 1 and state.seats[0].player == player


def _require_coach(state: TableState) -> None:
    if not state.coach:
        raise NotAllowed("coach.off")


OFF = 0
LIMITS = (OFF, 1, 3, 5, 10)  # points that a move may cost


@dataclass(frozen=True, slots=True)
class Caution:
    """A move that costs too much, and the best one."""

    lost: float
    best: Choice

    @property
    def cost(self) -> Message:
        return points(self.lost)

    @property
    def instead(self) -> Message:
        return in_sentence(self.best)

    @property
    def message(self) -> Message:
        return message("coach.caution", cost=self.cost, instead=self.instead)


def parse_limit(text: str) -> int:
    """Parse a limit: points, or "off". Raise BadRequest for any other text."""
    allowed = {"off": OFF} | {str(limit): limit for limit in LIMITS}
    if text.strip().lower() not in allowed:
        raise BadRequest("coach.training-limits", limits=Either(LIMITS[1:]), given=quote(text))
    return allowed[text.strip().lower()]


def next_limit(limit: int) -> int:
    """Return the limit that comes next, and off after the last."""
    return LIMITS[(LIMITS.index(limit) + 1) % len(LIMITS)]


def limit_message(limit: int) -> Message:
    return message("coach.training-on", count=limit) if limit else message("coach.training-off")


def caution(solution: Solution, position: Position, roll: Roll, move: Keep | str, limit: int) -> Caution | None:
    """Return a warning if a move costs more than the limit. Raise IllegalMove if the move is not possible."""
    from fivedice.coaching.hints import best_choice, cost

    turn = solution, position.card, roll, position.rolls_left
    lost = cost(*turn, move)
    return Caution(lost, best_choice(*turn)) if lost > limit else None


def avoidable_zero(state: TableState, player: str, box: str) -> str | None:
    """Return the box if it would score zero although another would score; None too for a move that is illegal."""
    try:
        position, key = require_turn(state, player)[0].position, state.book.box(box).key
    except FivediceError:
        return None
    return key if position.roll is not None and position.ruling().wastes(key) else None
