"""What a match says: wins, points, intervals, and the same with the luck of the dice taken off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan, nan, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fivedice.rules import RuleBook

LEVEL = 0.95  # of all intervals
_NOTHING = 1e-10
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)

Floats = NDArray[np.float64]


class GamesPlayed(NamedTuple):
    """The games of a block."""

    totals: NDArray[np.int32]  # [games, players]
    luck: Floats | None  # [points and shares, games, players]
    records: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its standard error, and an interval that holds the true one in 95 of 100 matches."""

    value: float
    error: float  # nan for a single deal
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ± {self.error:.2g}"


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player of a match. A share of the win is 1 for a win, 1/n for a tie of n, and 0."""

    name: str
    wins: int  # alone
    draws: int  # shared with others
    losses: int
    share: Estimate  # its interval is Wilson's
    points: Estimate
    adjusted_share: Estimate | None  # with the luck taken off; None where the rules are not solved
    adjusted_points: Estimate | None
    share_worth: float | None  # how many times as many plain games would be as precise
    points_worth: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """All games of a match. `totals[game, player]` are in the order of the games; `luck` is by points and by shares."""

    book: RuleBook
    seed: int
    players: tuple[PlayerResult, ...]
    totals: NDArray[np.int32]
    luck: Floats | None

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.totals)

    def __repr__(self) -> str:
        shares = ", ".join(f"{each.name} {_best(each):.1%}" for each in self.players)
        return f"<Match of {self.games} games of {self.book.key!r}: {shares}>"

    def __str__(self) -> str:
        """A table to be read."""
        from fivedice.matches.match_text import match_text

        return match_text(self)

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        from fivedice.matches.match_text import match_html

        return match_html(self)

    def to_json(self) -> dict[str, Any]:
        """Everything but the single games, as `fivedice match --json` prints it."""
        return {
            "book": self.book.key,
            "games": self.games,
            "seed": self.seed,
            "players": [_player_json(each) for each in self.players],
        }


def _best(player: PlayerResult) -> float:
    return bounded((player.adjusted_share or player.share).value)


def bounded(share: float) -> float:
    """A share as people read it: without luck, a short match can lead past 0 and 1."""
    return share if isnan(share) else min(1.0, max(0.0, share))


def _player_json(player: PlayerResult) -> dict[str, Any]:
    counts = {"name": player.name, "wins": player.wins, "draws": player.draws, "losses": player.losses}
    estimates = {name: getattr(player, name) for name in ("share", "points", "adjusted_share", "adjusted_points")}
    worths = {name: getattr(player, name) for name in ("share_worth", "points_worth")}
    told = {name: None if each is None else _estimate_json(each) for name, each in estimates.items()}
    return counts | told | {name: None if each is None else _number(each) for name, each in worths.items()}


def _estimate_json(estimate: Estimate) -> dict[str, float | None]:
    parts = {"value": estimate.value, "error": estimate.error, "low": estimate.low, "high": estimate.high}
    return {name: _number(part) for name, part in parts.items()}


def _number(value: float) -> float | None:
    """JSON knows neither infinity nor nothing at all."""
    return value if isfinite(value) else None


def match_of(book: RuleBook, names: Sequence[str], seed: int, blocks: Sequence[GamesPlayed]) -> Match:
    """Put the blocks together."""
    totals = np.concatenate([block.totals for block in blocks])
    lucks = [block.luck for block in blocks if block.luck is not None]
    luck = np.concatenate(lucks, axis=1) if lucks else None
    shares = shares_of(totals)
    players = [
        _player(name, totals[:, place], shares[:, place], None if luck is None else luck[:, :, place], len(names))
        for place, name in enumerate(names)
    ]
    return Match(book, seed, tuple(players), totals, luck)


def shares_of(totals: NDArray[np.int32]) -> Floats:
    """[games, players]: of the win; a tie is split."""
    best = totals == totals.max(axis=1, keepdims=True)
    shares: Floats = best / best.sum(axis=1, keepdims=True)
    return shares


def _player(name: str, totals: NDArray[np.int32], shares: Floats, luck: Floats | None, deal: int) -> PlayerResult:
    wins, losses = int((shares == 1).sum()), int((shares == 0).sum())
    points = totals.astype(np.float64)
    fair_share = None if luck is None else estimate(shares - luck[1], deal)
    fair_points = None if luck is None else estimate(points - luck[0], deal)
    return PlayerResult(
        name,
        wins,
        len(shares) - wins - losses,
        losses,
        share=_wilson(estimate(shares, deal), len(shares)),
        points=estimate(points, deal),
        adjusted_share=fair_share,
        adjusted_points=fair_points,
        share_worth=_worth(shares, fair_share),
        points_worth=_worth(points, fair_points),
    )


def estimate(values: Floats, deal: int) -> Estimate:
    """The mean of all games. Those of a deal share their dice, so the error comes from the sums of deals."""
    mean, games = float(values.mean()), len(values)
    sums = np.add.reduceat(values - mean, range(0, games, deal))
    deals = len(sums)
    error = sqrt(float((sums**2).sum()) * deals / (deals - 1)) / games if deals > 1 else nan
    error = 0.0 if error < _NOTHING * max(1.0, abs(mean)) else error  # perfect play, but for the last digits
    return Estimate(mean, error, mean - _Z * error, mean + _Z * error)


def _wilson(plain: Estimate, games: int) -> Estimate:
    """Wilson's interval for a share of so many games: also where all were won."""
    z, share = _Z**2 / games, plain.value
    middle, half = (share + z / 2) / (1 + z), sqrt(z * share * (1 - share) + z**2 / 4) / (1 + z)
    return Estimate(share, plain.error, max(0.0, middle - half), min(1.0, middle + half))


def _worth(plain: Floats, fair: Estimate | None) -> float | None:
    """How many times as many independent games, without taking luck off, have the same error."""
    spread = float(plain.var(ddof=1)) if len(plain) > 1 else 0.0
    if fair is None or not spread or isnan(fair.error):  # nothing to compare: one deal, or all games won
        return None
    return spread / len(plain) / fair.error**2 if fair.error > 0 else inf
