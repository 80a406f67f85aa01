"""Ratings of people and positions: Glicko-2, one answer at a time, by the library glicko2-py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

TAU = 0.5  # how fast the volatility may change
LEAST_DEVIATION = 45.0  # so that a rating never stops moving
SCORES = (1.0, 0.5, 0.0, 0.0)  # of an answer, by the grade of its loss


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its deviation and volatility; the defaults are those of a new person."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def data(self) -> list[float]:
        return [self.value, self.deviation, self.volatility]


POSITION_DEVIATION = 110.0  # of a position that was only rated by bots


def rate_answer(person: Rating, position: Rating, grade: int) -> tuple[Rating, Rating]:
    """Return both ratings after an answer: a good one raises that of the person and lowers that of the position."""
    score = SCORES[grade]
    return _move(person, position, score), _move(position, person, 1 - score)


def rate_meetings(months: Iterable[tuple[int, int, int]]) -> tuple[Rating, Rating]:
    """Return the ratings of two people from their games: how many each won, and how many were even, month by month.

    >>> one, other = rate_meetings([(7, 3, 0)])
    >>> round(one.value), round(other.value), round(one.deviation)
    (1670, 1330, 149)
    """
    one, other = Rating(), Rating()
    for won, lost, even in months:
        scores = [1.0] * won + [0.0] * lost + [0.5] * even
        one, other = _move(one, other, *scores), _move(other, one, *(1 - score for score in scores))
    return one, other


def _move(own: Rating, other: Rating, *scores: float) -> Rating:
    met = [(rating_to_mu(other.value), rd_to_phi(other.deviation), score) for score in scores]
    found = update_rating(rating_to_mu(own.value), rd_to_phi(own.deviation), own.volatility, met, TAU)
    return Rating(mu_to_rating(found.mu), max(LEAST_DEVIATION, phi_to_rd(found.phi)), found.sigma)
