"""The coach at the terminal: the best few choices and why, and what everyone may expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from fivedice.errors import FivediceError
from fivedice.game import Position
from fivedice.table.state import TableState

if TYPE_CHECKING:
    from fivedice.coaching.hints import Choice, Coaching
    from fivedice.solver import Solution
    from fivedice.solver.spread import Followed

SHOWN = 5

Progress = Callable[[int, int], None]


def position_to_judge(state: TableState) -> Position:
    """Where the players stand, if there is something to choose and the coach may be asked."""
    position = position_to_expect(state)
    if position.roll is None:
        raise FivediceError("Roll first: there is nothing to choose yet.")
    return position


def position_to_expect(state: TableState) -> Position:
    """Where the players stand, if the coach may be asked."""
    if not state.coach:
        raise FivediceError("This game is played without a coach.")
    if state.game is None or state.game.is_over:
        raise FivediceError("No game is running.")
    return state.game.position


def hints(position: Position, progress: Progress | None = None) -> list[str]:
    """Why the best is best, then the best few with what each costs and aims at. Solves the book if need be."""
    told = coached(position, progress)
    return [*filter(None, [told.rule, told.sentence]), "Further points, and what it costs:", *_lines(told.choices)]


def coached(position: Position, progress: Progress | None = None) -> Coaching:
    from fivedice.coaching.hints import coach  # numpy and perhaps numba: only those who ask wait for them

    if position.roll is None:
        raise FivediceError("Roll first: there is nothing to choose yet.")
    solution, tables = _prepared(position, progress)
    bonuses = None if tables is None else tables.bonus
    return coach(solution, position.card, position.roll, position.rolls_left, best=SHOWN, bonuses=bonuses)


def expectations(position: Position, names: Sequence[str], best: int | None, progress: Progress | None) -> list[str]:
    """The expected total of everyone with its spread, who will win, and the score to beat of a solo player."""
    from fivedice.analysis.race import race
    from fivedice.coaching.hint_words import percent

    solution, _ = _prepared(position, progress)
    found = race(position, solution)
    lines = [f"{name}: {each.mean:.0f} ±{each.sd:.0f}" for name, each in zip(names, found.players, strict=True)]
    if len(names) > 1:
        lines = [f"{line}, wins {percent(each.share)}" for line, each in zip(lines, found.players, strict=True)]
    elif best is not None:
        lines += _to_beat(position, solution, best, progress)
    how = "Exact" if found.exact else "From exact means and spreads"
    return ["Expected, if all play for the most points:", *lines, f"{how}."]


def _to_beat(position: Position, solution: Solution, best: int, progress: Progress | None) -> Iterator[str]:
    from fivedice.coaching.hint_words import percent
    from fivedice.coaching.score_to_beat import chased, prospect
    from fivedice.solver.chase import chase
    from fivedice.solver.runtime import solve_limits as limits

    yield f"Beats {best}: {percent(prospect(position, solution, best + 1).chance)}"
    if limits.chase_takes_long(position.book, sum(points is None for points in position.card.marks)):
        yield "If chased: known later in the game"
    else:
        hunt = chase(position.book, card=position.card, most=best + 1, progress=progress)
        yield f"If chased: {percent(chased(position, hunt, best + 1))}"


def _prepared(position: Position, progress: Progress | None) -> tuple[Solution, Followed | None]:
    """The solution, and where it leads if that does not take minutes."""
    from fivedice.solver import solve
    from fivedice.solver.runtime import solve_limits as limits
    from fivedice.solver.spread import follow, followed

    solution = solve(position.book, progress=progress)
    return solution, followed(solution) if limits.takes_long(position.book) else follow(solution, progress)


def _lines(choices: Sequence[Choice]) -> Iterator[str]:
    """Each choice with its worth and its cost, then what they aim at."""
    width = max(len(choice.words) for choice in choices)
    for choice in choices:
        yield f"{choice.words:<{width}} {choice.value:7.2f}  {'best' if choice.best else f'-{choice.cost:.2f}'}"
    yield from (f"{choice.words}: {choice.line}" for choice in choices if choice.line)
