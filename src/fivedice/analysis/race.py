"""Who will win: the chances of all players, if everybody plays on for the best mean.

Players do not disturb each other, so the final totals are independent, and their distributions are all that is
needed. A tie is shared: two who tie have half a win each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivedice.analysis import final_totals
from fivedice.analysis.final_totals import Pmf, Seat
from fivedice.errors import IllegalError
from fivedice.game import Position, Scorecard
from fivedice.solver import Solution, spread as spreads

MOST_PLAYERS = 12
PATIENCE = 1_000_000  # work (see `final_totals.work`) that a page can wait for: about a third of a second


@dataclass(frozen=True, slots=True)
class WinChance:
    """What one player may hope for. The shares of all players add up to one."""

    win: float  # alone
    tie: float  # at the top together with others
    share: float  # wins, with a tie between n counted as 1/n
    mean: float  # of the final total
    sd: float


@dataclass(frozen=True, slots=True)
class Race:
    """The chances of all seats, in the order of the table."""

    players: tuple[WinChance, ...]
    exact: bool  # else the distributions of some are normal curves with the exact mean and spread


def race(position_or_cards: Position | Iterable[Scorecard], solution: Solution, *, exact: bool | None = None) -> Race:
    """The chances of winning from a position, in mid-turn too, or from cards at the start of a turn.

    `exact=True` takes as long as it takes: early in a game seconds for each player. `exact=False` goes by exact means
    and spreads. None chooses: exactly where a page can wait for it.
    """
    seats = _seats(position_or_cards, solution)
    if exact is None:
        exact = sum(final_totals.work(seat, solution) for seat in seats) <= PATIENCE
    draw = final_totals.exact if exact else final_totals.normal
    certain = exact or all(seat.card.is_full for seat in seats)
    return Race(tuple(shared([draw(seat, solution) for seat in seats])), certain)


def is_ready(position_or_cards: Position | Iterable[Scorecard], solution: Solution) -> bool:
    """Whether `race` can answer at once: exactly, or because the spreads of the book are at hand."""
    seats = _seats(position_or_cards, solution)
    quick = sum(final_totals.work(seat, solution) for seat in seats) <= PATIENCE
    return quick or spreads.known(solution) is not None


def _seats(position_or_cards: Position | Iterable[Scorecard], solution: Solution) -> tuple[Seat, ...]:
    if isinstance(position_or_cards, Position):
        seats = final_totals.seats_of(position_or_cards, solution)
    else:
        seats = tuple(Seat(card) for card in position_or_cards)
    if not 1 <= len(seats) <= MOST_PLAYERS:
        raise IllegalError("report.race-players", most=MOST_PLAYERS, count=len(seats))
    for seat in seats:
        solution.state(seat.card)  # refuses a card of another book
    return seats


def shared(ends: list[Pmf]) -> list[WinChance]:
    """The chances of independent totals to be the highest, alone or together."""
    first, last = min(end.first for end in ends), max(end.last for end in ends)
    at = np.zeros((len(ends), last - first + 1))
    for row, end in zip(at, ends, strict=True):
        row[end.first - first : end.last - first + 1] = end.chances
    below = np.cumsum(at, axis=1) - at
    return [_chance(end, at, below, place) for place, end in enumerate(ends)]


def _chance(end: Pmf, at: NDArray[np.float64], below: NDArray[np.float64], place: int) -> WinChance:
    others = _level(np.delete(at, place, axis=0), np.delete(below, place, axis=0))
    each = others @ at[place]  # alone, with one other, with two, ...
    share = float(each @ (1 / np.arange(1, len(each) + 1)))
    return WinChance(float(each[0]), float(each[1:].sum()), share, end.mean, end.sd)


def _level(at: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """[others + 1, totals]: the chance that so many have just this total and the rest less."""
    level = np.zeros((len(at) + 1, at.shape[1]))
    level[0] = 1.0
    for own, less in zip(at, below, strict=True):
        level[1:] = level[1:] * less + level[:-1] * own
        level[0] *= less
    return level
