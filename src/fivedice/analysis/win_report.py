"""A game in shares of the win: what every roll and every decision did to everybody's.

Two measures. The share of everybody at every moment, if all play on for points, as `race` says it: exact, and a
martingale, so its change at a roll is luck, and at a decision what the decision did. And for every decision the shares
of all that could have been done, played to win as `fd.win` says: the win chance that it lost is what the best leaves
less what the chosen one does. A gamble that was right loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from fivedice.analysis.decisions import WinDecision, as_move
from fivedice.game import Game, Hold, Mark, Position, Skip, Step, Throw
from fivedice.solver import Solution
from fivedice.solver.solution import ranked
from fivedice.solver.win import MOST_LANES, MOST_PLANNED
from fivedice.solver.win.looking import look
from fivedice.solver.win.turn_answers import Answer, Limits, answered, turn_of

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

LIMITS = Limits(MOST_LANES, MOST_PLANNED)  # those of `fd.win`: whoever does what it says loses nothing


@dataclass(frozen=True, slots=True)
class MoveWins:
    """One move: the shares of all seats after it, everybody playing for points, and how it is judged."""

    shares: tuple[float, ...]
    decision: WinDecision | None = None


@dataclass(frozen=True, slots=True)
class GameWins:
    """All moves of a game."""

    start: tuple[float, ...]
    moves: tuple[MoveWins, ...]

    @property
    def courses(self) -> tuple[tuple[float, ...], ...]:
        """[moves + 1, seats]."""
        return (self.start, *(move.shares for move in self.moves))

    def change(self, number: int, seat: int) -> float:
        """What a move did to a share."""
        before = self.moves[number - 1].shares if number else self.start
        return self.moves[number].shares[seat] - before[seat]


@dataclass(frozen=True, slots=True)
class PlayerWins:
    """One player's way to the win: start + own + others + luck + unknown = now."""

    start: float
    own: float  # by their own decisions
    others: float  # by those of the others
    luck: float  # by all rolls, of everybody
    unknown: float  # by turns whose rolls were not noted, and by those who came or left
    now: float
    complete: bool  # nothing is unknown

    @property
    def even_luck(self) -> float | None:
        """The share that is left without any luck. Beyond 0 and 1 for those who gave more than all away, or got it."""
        return self.start + self.own + self.others if self.complete else None


def can_judge(game: Game, solution: Solution) -> bool:
    """Whether shares are known for this game: others play too, no rolls are saved, and early cards have odds."""
    return len(game.players) > 1 and not game.book.save_rolls and solution.is_preparable


class WinJudge:
    """Judges move after move of one game; decisions of a turn share an answer."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._key: tuple[object, ...] = ()
        self._answer: Answer | None = None

    def shares(self, position: Position) -> tuple[float, ...]:
        """Of all seats, if everybody plays on for points; who has left has none."""
        seats = range(len(position.cards))
        if position.is_over:
            winners = position.standing.winners
            return tuple((seat in winners) / len(winners) for seat in seats)
        found = look(position, self._solution).for_points.at(position.dice, position.rolls_left)
        each = dict(zip(position.seats_in, found.tolist(), strict=True))
        return tuple(each.get(seat, 0.0) for seat in seats)

    def decision(self, position: Position, move: Hold | Mark) -> WinDecision:
        """Hold a move against everything else that could have been done."""
        answer = self._answered(position)
        options = ranked(turn_of(position, answer.values)[1])
        done = next(option for option in options if as_move(option) == move)
        best = tuple(as_move(option) for option in options if option.best)
        return WinDecision(done.value, done.loss, best, len(best) < len(options), str(answer.how))

    def _answered(self, position: Position) -> Answer:
        key = position.cards, position.seats_in, position.seat
        if self._answer is None or self._key != key:
            self._key, self._answer = key, answered(position, lambda: self._solution, LIMITS)
        return self._answer


def wins_of(game: Game, solution: Solution, progress: Progress | None = None) -> GameWins:
    """All of a game: two seconds or so for two players."""
    return GameWins(*judged_moves(game, solution, 0, len(game.steps), progress))


def judged_moves(
    game: Game, solution: Solution, begin: int, end: int, progress: Progress | None = None
) -> tuple[tuple[float, ...], tuple[MoveWins, ...]]:
    """The shares before some moves of a game, and these moves; best whole turns, whose decisions share an answer."""
    judge, steps = WinJudge(solution), game.steps
    start = judge.shares(steps[begin].before if begin < len(steps) else game.position)
    moves, told = [], True
    for number, step in enumerate(steps[begin:end], begin + 1):
        move = step.move
        told = move.told if isinstance(move, Throw) else told
        decided = judge.decision(step.before, move) if told and isinstance(move, Hold | Mark) else None
        moves.append(MoveWins(judge.shares(step.after), decided))
        if progress is not None:
            progress(number, len(steps))
    return start, tuple(moves)


def player_wins(game: Game, wins: GameWins, seat: int) -> PlayerWins:
    """What moved one player's share."""
    sums, parts = dict.fromkeys(_Part, 0.0), list(_parts(game.steps, seat))
    for number, part in enumerate(parts):
        sums[part] += wins.change(number, seat)
    now = wins.moves[-1].shares if wins.moves else wins.start
    own, others, luck, unknown = (sums[part] for part in (_Part.OWN, _Part.OTHERS, _Part.LUCK, _Part.UNKNOWN))
    return PlayerWins(wins.start[seat], own, others, luck, unknown, now[seat], _Part.UNKNOWN not in parts)


class _Part(Enum):
    OWN, OTHERS, LUCK, UNKNOWN = range(4)


def _parts(steps: Iterable[Step], seat: int) -> Iterator[_Part]:
    told = True
    for step in steps:
        move = step.move
        if isinstance(move, Throw):
            told = move.told
            yield _Part.UNKNOWN if move.last else _Part.LUCK
        elif isinstance(move, Hold | Mark) and told:
            yield _Part.OWN if step.before.seat == seat else _Part.OTHERS
        else:  # a box of which nobody knows for what dice, or somebody came, left or plays later
            yield _Part.OTHERS if isinstance(move, Skip) else _Part.UNKNOWN
