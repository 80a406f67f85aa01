"""What a player may ask the coach: goals, odds, and the warnings of training. Pages, programs and the terminal use it.

A warning comes before a move that costs more than the training limit, and before a zero that could be avoided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.coaching.hint_messages import in_sentence, points
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Position
from fivedice.errors import FivediceError, quote
from fivedice.message import Either, Message, message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.table.actions.rights import require_turn
from fivedice.table.refusals import BadRequest, NotAllowed, WrongPhase
from fivedice.table.state import TableState

if TYPE_CHECKING:
    from fivedice.coaching.hints import Choice
    from fivedice.core.game import Scorecard
    from fivedice.core.rules import AnyBook, RuleBook
    from fivedice.reports.race import Race
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase
    from fivedice.solver.runtime.worker_threads import Progress


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


Kind: TypeAlias = Literal["auto", "points", "win", "beat", "target"]
MOST_TARGET = 9999  # far above the total of any game


@dataclass(frozen=True, slots=True)
class Goal:
    """`auto` is points, and with several players the win once it matters. `beat` is one more than the own best."""

    kind: Kind = "auto"
    target: int | None = None  # the total to reach

    @property
    def text(self) -> str:
        """Return the goal as it is typed: points, win, 275."""
        return self.kind if self.target is None else str(self.target)


AUTO, POINTS, WIN, BEAT = Goal(), Goal("points"), Goal("win"), Goal("beat")
_NAMED = {goal.kind: goal for goal in (AUTO, POINTS, WIN, BEAT)}


def parse_goal(text: str) -> Goal:
    """Parse a goal: auto, points, win, beat, or a total. Raise BadRequest for any other text."""
    typed = text.strip().lower()
    digits = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(MOST_TARGET))
    if digits and 0 < int(typed) <= MOST_TARGET:
        return Goal("target", int(typed))
    if typed not in _NAMED:
        raise BadRequest("coach.which-aim", aim=quote(text))
    return _NAMED[typed]


def is_goal(text: str) -> bool:
    """Return whether a text is a goal."""
    try:
        parse_goal(text)
    except BadRequest:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Prospect:
    """The `chance` of a total or more, if the player plays for the most points: see `fd.prospect`."""

    chance: float


@dataclass(frozen=True, slots=True)
class Beat:
    """The total that beats the player's own best, and its chances."""

    target: int
    normal: Prospect  # if the player plays for the most points
    chased: float | None  # if the player plays for that total, once it is computed


@dataclass(frozen=True, slots=True)
class GameOdds:
    """The odds of all seats, and of the score to beat for a player who plays alone."""

    race: Race
    beat: Beat | None = None


def to_beat(position: Position, solution: Solution, target: int, chase: Chase | None) -> Beat:
    """Return the odds of a score; with a chase also those of playing for it."""
    if chase is None:
        chance = None
    elif position.roll is None:
        chance = chase.chance(position.card, target)
    else:
        chance = chase.advise(position.card, position.roll, position.rolls_left, target)[0].value
    return Beat(target, prospect(position, solution, target), chance)


def prospect(
    position: Position, solution: Solution | AnyBook, target: int, *, progress: Progress | None = None
) -> Prospect:
    """Return the exact chance that the player on turn ends with `target` points or more, playing for the most points.

    `solution` is that of the position's book, or that book. `progress` is called with the steps done and all steps.
    Early in a game the book is prepared first, once: see `Solution.prepare`. Raises `MissingExtra` without the extra
    `solver`, and `IllegalCard` for the solution of another book.

    >>> sheet = "1s:0,2s:0,3s:0,4s:0,5s:0,6s:0,os:0,es:20,ls:0,hs:0,3k:0,13:0"
    >>> round(fd.prospect(fd.read_position(f"crag {sheet} 0 466 1"), "crag", 70).chance, 3)
    0.167
    """
    from fivedice.reports.race import ending, seats_of
    from fivedice.solver import find_solution  # late: the terminal starts without the solver

    solution = find_solution(solution)
    end = ending(seats_of(position, solution)[position.seat], solution, progress)
    return Prospect(float(min(1.0, end.chances[end.totals >= target].sum())))


def is_worth_chasing(card: Scorecard) -> bool:
    """Return whether a chase is quick enough. Early in a game it is not, and playing for points serves as well."""
    return limits.has_odds(card.book) and not limits.chase_takes_long(card.book, card.marks.count(None))


def boxes_to_chase(book: RuleBook) -> int:
    """Return how many boxes may be open so that a chase does not take long."""
    return max(boxes for boxes in range(len(book.boxes) + 1) if not limits.chase_takes_long(book, boxes))
