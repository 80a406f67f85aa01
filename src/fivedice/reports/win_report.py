"""A game in shares of the win: how every roll and every decision changed each player's share.

There are two measures. The first is each player's share at every moment, if all play on for points, as `race` computes
it. It is exact and a martingale: its change at a roll is luck, and its change at a decision is the effect of that
decision. The second is the share after each possible move, if all play to win as `fd.win` says. A decision loses the
share of the best move less its own, so a gamble that was right loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from fivedice.core.game import Game, Hold, Mark, Position, Skip, Step, Throw
from fivedice.reports.decisions import WinDecision
from fivedice.solver import Solution
from fivedice.solver.solution import rank_options
from fivedice.solver.win import MOST_LANES, MOST_PLANNED
from fivedice.solver.win.one_turn_lookahead import look
from fivedice.solver.win.turn_answers import TurnAnswer, WorkLimits, answer_turn, evaluate_turn

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

LIMITS = WorkLimits(MOST_LANES, MOST_PLANNED)  # as in `fd.win`, so that following its advice loses nothing


@dataclass(frozen=True, slots=True)
class MoveWins:
    """One move: the shares of all seats after it if all play for points, and how the move is judged."""

    shares: tuple[float, ...]
    decision: WinDecision | None = None


@dataclass(frozen=True, slots=True)
class GameWins:
    """All moves of a game."""

    start: tuple[float, ...]
    moves: tuple[MoveWins, ...]

    @property
    def courses(self) -> tuple[tuple[float, ...], ...]:
        """Return the shares before the first and after every move: [moves + 1, seats]."""
        return (self.start, *(move.shares for move in self.moves))

    def change(self, number: int, seat: int) -> float:
        """Return how much a move changed the share of a seat."""
        before = self.moves[number - 1].shares if number else self.start
        return self.moves[number].shares[seat] - before[seat]


@dataclass(frozen=True, slots=True)
class PlayerWins:
    """How one player's share changed: start + own + others + luck + unknown = now."""

    start: float
    own: float  # by the player's own decisions
    others: float  # by the decisions of other players
    luck: float  # by all rolls of all players
    unknown: float  # by turns whose rolls were not noted, and by players who joined or left
    now: float
    complete: bool  # nothing is unknown

    @property
    def even_luck(self) -> float | None:
        """Return the share without any luck. It can be below 0 or above 1 after large losses by one player."""
        return self.start + self.own + self.others if self.complete else None


def can_judge(game: Game, solution: Solution) -> bool:
    """Return whether shares can be computed: several players, no saved rolls, and odds for early sheets."""
    return len(game.players) > 1 and not game.book.save_rolls and solution.is_preparable


class WinJudge:
    """Judges the moves of one game one after the other. Decisions of the same turn share one answer."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._key: tuple[object, ...] = ()
        self._answer: TurnAnswer | None = None

    def shares(self, position: Position) -> tuple[float, ...]:
        """Return the shares of all seats if all play on for points. Players who have left have none."""
        seats = range(len(position.cards))
        if position.is_over:
            winners = position.standing.winners
            return tuple((seat in winners) / len(winners) for seat in seats)
        found = look(position, self._solution).for_points.at(position.dice, position.rolls_left)
        each = dict(zip(position.seats_in, found.tolist(), strict=True))
        return tuple(each.get(seat, 0.0) for seat in seats)

    def decision(self, position: Position, move: Hold | Mark) -> WinDecision:
        """Compare a move with all others that were possible."""
        key = position.cards, position.seats_in, position.seat
        if self._answer is None or self._key != key:
            self._key, self._answer = key, answer_turn(position, lambda: self._solution, LIMITS)
        answer = self._answer
        options = rank_options(evaluate_turn(position, answer.values)[1])
        done = next(option for option in options if option.move == move)
        best = tuple(option.move for option in options if option.best)
        return WinDecision(done.value, done.loss, best, len(best) < len(options), str(answer.how))


def wins_of(game: Game, solution: Solution, progress: Progress | None = None) -> GameWins:
    """Judge all moves of a game. Takes two seconds or so for two players."""
    return GameWins(*judge_moves(game, solution, 0, len(game.steps), progress))


def judge_moves(
    game: Game, solution: Solution, begin: int, end: int, progress: Progress | None = None
) -> tuple[tuple[float, ...], tuple[MoveWins, ...]]:
    """Return the shares before some moves of a game, and those moves judged.

    Best called with whole turns, because the decisions of a turn share one answer.
    """
    judge, steps = WinJudge(solution), game.steps
    start = judge.shares(steps[begin].before if begin < len(steps) else game.position)
    moves, dice_known = [], True
    for number, step in enumerate(steps[begin:end], begin + 1):
        move = step.move
        dice_known = move.told if isinstance(move, Throw) else dice_known
        decided = judge.decision(step.before, move) if dice_known and isinstance(move, Hold | Mark) else None
        moves.append(MoveWins(judge.shares(step.after), decided))
        if progress is not None:
            progress(number, len(steps))
    return start, tuple(moves)


def player_wins(game: Game, wins: GameWins, seat: int) -> PlayerWins:
    """Sum the changes of one player's share by their causes."""
    sums, causes = dict.fromkeys(_Cause, 0.0), list(_causes(game.steps, seat))
    for number, cause in enumerate(causes):
        sums[cause] += wins.change(number, seat)
    now = wins.moves[-1].shares if wins.moves else wins.start
    own, others, luck, unknown = (sums[cause] for cause in _Cause)
    return PlayerWins(wins.start[seat], own, others, luck, unknown, now[seat], _Cause.UNKNOWN not in causes)


class _Cause(Enum):
    OWN, OTHERS, LUCK, UNKNOWN = range(4)


def _causes(steps: Iterable[Step], seat: int) -> Iterator[_Cause]:
    dice_known = True
    for step in steps:
        move = step.move
        if isinstance(move, Throw):
            dice_known = move.told
            yield _Cause.UNKNOWN if move.last else _Cause.LUCK
        elif isinstance(move, Hold | Mark) and dice_known:
            yield _Cause.OWN if step.before.seat == seat else _Cause.OTHERS
        else:  # a box scored with unknown dice, or a player joined, left or plays later
            yield _Cause.OTHERS if isinstance(move, Skip) else _Cause.UNKNOWN
