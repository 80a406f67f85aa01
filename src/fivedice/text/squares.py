"""Coloured squares for the points that decisions lost: a result to share that gives nothing away."""

from __future__ import annotations

from collections.abc import Iterable

from fivedice.message import message
from fivedice.text.formatting import points

STEPS = (0.05, 1.0, 4.0)  # points from which a loss has the next grade: none, small, clear, large
GAME_STEPS = (5.0, 12.0, 25.0)  # the same for a whole game
SQUARES = "🟩🟨🟧🟥"


def grade_of_loss(lost: float) -> int:
    """Return 0 to 3 for the points that a decision lost."""
    return sum(lost >= step for step in STEPS)


def grade_game(lost: float) -> int:
    """Return 0 to 3 for the points lost in a game."""
    return sum(lost >= step for step in GAME_STEPS)


def squares_of(losses: Iterable[float]) -> str:
    """Return a row of squares, one per loss.

    >>> squares_of([0.0, 0.4, 2.5, 7.0])
    '🟩🟨🟧🟥'
    """
    return "".join(SQUARES[grade_of_loss(lost)] for lost in losses)


def result_text(day: str, name: object, lost: float, squares: str) -> str:
    """Return the text to share of a day's result, which gives away neither dice nor boxes."""
    return f"Fivedice {day} · {name}\n{message('home.daily-lost', points=points(lost))}\n{squares}"
