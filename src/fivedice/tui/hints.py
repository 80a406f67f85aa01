"""The best few things to do, in a line each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from fivedice.errors import FivediceError
from fivedice.game import Position
from fivedice.table.state import TableState

if TYPE_CHECKING:
    from fivedice.solver import Advice

SHOWN = 3  # of each kind

Progress = Callable[[int, int], None]


def position_to_judge(state: TableState) -> Position:
    """Where the players stand, if there is something to say about it."""
    if not state.coach:
        raise FivediceError("This game is played without a coach.")
    if state.game is None or state.game.position.roll is None:
        raise FivediceError("Roll first: there is nothing to choose yet.")
    return state.game.position


def hints(position: Position, progress: Progress | None = None) -> list[str]:
    """The best keeps and the best boxes, with what each costs against the best. Solves the book if need be."""
    from fivedice.solver import solve  # numpy and perhaps numba: only those who ask wait for them

    if position.roll is None:
        raise FivediceError("Roll first: there is nothing to choose yet.")
    solution = solve(position.book, progress=progress)
    advice = solution.advise(position.card, position.roll, position.rolls_left)
    keeps = [option for option in advice if option.box is None][:SHOWN]
    boxes = [option for option in advice if option.box is not None][:SHOWN]
    return list(_table(position, keeps + boxes))


def is_at_hand(position: Position) -> bool:
    """Whether the answer needs no solving first."""
    from fivedice.solver.query import known

    return known(position.book) is not None


def _table(position: Position, options: Sequence[Advice]) -> Iterator[str]:
    words = [_words(position, option) for option in options]
    width = max(map(len, words))
    for what, option in sorted(zip(words, options, strict=True), key=lambda pair: pair[1].loss):
        yield f"{what:<{width}} {option.value:7.2f}  {'best' if option.best else f'-{option.loss:.2f}'}"


def _words(position: Position, option: Advice) -> str:
    if option.box is None:
        return f"keep {option.keep}" if option.keep else "throw all again"
    entry = position.ruling().legal[option.box]
    extra = f"+{entry.bonus}" if entry.bonus else ""
    return f"{position.book.box(option.box).name} for {entry.points}{extra}"
