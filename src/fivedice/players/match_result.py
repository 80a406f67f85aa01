"""The result of a match, also as text and HTML: wins, points and intervals, and the same without luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan, nan, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.drawing.svg import html_table
from fivedice.message import message
from fivedice.text import group_digits, say, word

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
    """A mean, its standard error, and an interval that contains the true mean in 95 of 100 matches."""

    value: float
    error: float  # nan for a single deal
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ± {self.error:.2g}"


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The result of one player of a match. A share of the win is 1 for a win, 1/n for a tie of n, and 0 for a loss.

    >>> result = fd.match(["newcomer", "steady"], games=2, book="crag", seed=1).players[1]
    >>> result.name, result.wins, result.share.value
    ('steady', 2, 1.0)
    """

    name: str
    wins: int  #: games won alone
    draws: int  #: games shared with others
    losses: int
    share: Estimate  #: with Wilson's interval
    points: Estimate
    adjusted_share: Estimate | None  #: with the luck taken off; None where the rules are not solved
    adjusted_points: Estimate | None
    share_worth: float | None  #: how many plain games are as precise as one with the luck taken off
    points_worth: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """All games of a match. `totals` is [games, players], in the order of play; `luck` is [points and shares, games,
    players].
    """

    book: RuleBook
    seed: int
    players: tuple[PlayerResult, ...]
    totals: NDArray[np.int32]
    luck: Floats | None

    @property
    def games(self) -> int:
        """Return the number of games.

        >>> fd.match(["newcomer", "steady"], games=2, book="crag", seed=1).games
        2
        """
        return len(self.totals)

    def __repr__(self) -> str:
        shares = ", ".join(f"{each.name} {_best(each):.1%}" for each in self.players)
        return f"<Match of {self.games} games of {self.book.key!r}: {shares}>"

    def __str__(self) -> str:
        """Return the whole table in aligned columns."""
        rows = [columns(self), *map(row, self.players)]
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        cut = [[cell.ljust(width) for cell, width in zip(cells, widths, strict=True)] for cells in rows]
        return "\n".join([title(self), *("  ".join(cells).rstrip() for cells in cut), *notes(self)])

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        return html_table(columns(self), list(map(row, self.players)), title(self), notes(self))

    def to_json(self) -> dict[str, Any]:
        """Return everything but the single games, as `fivedice match --json` prints it.

        >>> fd.match(["newcomer", "steady"], games=2, book="crag", seed=1).to_json()["book"]
        'crag'
        """
        return {
            "book": self.book.key,
            "games": self.games,
            "seed": self.seed,
            "players": [_player_json(each) for each in self.players],
        }


def _best(player: PlayerResult) -> float:
    return clamp_share((player.adjusted_share or player.share).value)


def clamp_share(share: float) -> float:
    """Return a share between 0 and 1: with the luck taken off, a short match can lead beyond."""
    return share if isnan(share) else min(1.0, max(0.0, share))


def _player_json(player: PlayerResult) -> dict[str, Any]:
    counts = {"name": player.name, "wins": player.wins, "draws": player.draws, "losses": player.losses}
    estimates = {name: getattr(player, name) for name in ("share", "points", "adjusted_share", "adjusted_points")}
    worths = {name: getattr(player, name) for name in ("share_worth", "points_worth")}
    parts = ("value", "error", "low", "high")
    means = {
        name: None if each is None else {part: _number(getattr(each, part)) for part in parts}
        for name, each in estimates.items()
    }
    return counts | means | {name: None if each is None else _number(each) for name, each in worths.items()}


def _number(value: float) -> float | None:
    """Return a number, or None for infinity and NaN, which JSON does not have."""
    return value if isfinite(value) else None


def combine_blocks(book: RuleBook, names: Sequence[str], seed: int, blocks: Sequence[GamesPlayed]) -> Match:
    """Combine the blocks into a match."""
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
    """Return the shares of the win, as [games, players]; a tie is split."""
    best = totals == totals.max(axis=1, keepdims=True)
    shares: Floats = best / best.sum(axis=1, keepdims=True)
    return shares


def _player(name: str, totals: NDArray[np.int32], shares: Floats, luck: Floats | None, deal: int) -> PlayerResult:
    wins, losses = int((shares == 1).sum()), int((shares == 0).sum())
    points = totals.astype(np.float64)
    fair_share = None if luck is None else estimate(shares - luck[1], deal)
    fair_points = None if luck is None else estimate(points - luck[0], deal)
    plain = estimate(shares, deal)
    z, share = _Z**2 / len(shares), plain.value
    middle, half = (share + z / 2) / (1 + z), sqrt(z * share * (1 - share) + z**2 / 4) / (1 + z)
    return PlayerResult(
        name,
        wins,
        len(shares) - wins - losses,
        losses,
        share=Estimate(share, plain.error, max(0.0, middle - half), min(1.0, middle + half)),
        points=estimate(points, deal),
        adjusted_share=fair_share,
        adjusted_points=fair_points,
        share_worth=_worth(shares, fair_share),
        points_worth=_worth(points, fair_points),
    )


def estimate(values: Floats, deal: int) -> Estimate:
    """Estimate the mean of all games. Games of a deal share their dice, so the error comes from the sums of deals."""
    mean, games = float(values.mean()), len(values)
    sums = np.add.reduceat(values - mean, range(0, games, deal))
    deals = len(sums)
    error = sqrt(float((sums**2).sum()) * deals / (deals - 1)) / games if deals > 1 else nan
    error = 0.0 if error < _NOTHING * max(1.0, abs(mean)) else error  # perfect play, apart from rounding
    return Estimate(mean, error, mean - _Z * error, mean + _Z * error)


def _worth(plain: Floats, fair: Estimate | None) -> float | None:
    """Return how many independent games without adjustment have the same error as one with it."""
    spread = float(plain.var(ddof=1)) if len(plain) > 1 else 0.0
    if fair is None or not spread or isnan(fair.error):  # one deal, or all games won: there is nothing to compare
        return None
    return spread / len(plain) / fair.error**2 if fair.error > 0 else inf


_COLUMNS = ("player", "wins", "draws", "losses", "share", "points")
_ADJUSTED = ("adjusted-share", "adjusted-points")


def columns(played: Match) -> list[str]:
    """Return the column heads."""
    kinds = (*_COLUMNS, *_ADJUSTED) if played.luck is not None else _COLUMNS
    return [word(f"bots.match-column.{kind}") for kind in kinds]


def row(player: PlayerResult) -> list[str]:
    """Return the cells of one player."""
    counts = [player.name, str(player.wins), str(player.draws), str(player.losses)]
    cells = [_share(player.share), _points(player.points)]
    if player.adjusted_share is not None and player.adjusted_points is not None:
        cells += [_share(player.adjusted_share), _points(player.adjusted_points)]
    return counts + cells


def notes(played: Match) -> list[str]:
    """Return the notes below the table."""
    said = [word("bots.match-intervals")]
    if played.luck is None:
        return [*said, word("bots.match-not-adjusted", rules=played.book)]
    shares = [each.adjusted_share for each in played.players if each.adjusted_share is not None]
    if any(min(each.low, each.value) < 0 or max(each.high, each.value) > 1 for each in shares):
        said.append(word("bots.match-bounded"))
    for each in played.players:
        said += _describe_worth("share", each.name, each.share_worth)
        said += _describe_worth("points", each.name, each.points_worth)
    return said


def _describe_worth(what: str, name: str, times: float | None) -> list[str]:
    """Say how much more a game tells without luck; return nothing for a single deal."""
    if times is None:
        return []
    if not isfinite(times):
        return [word(f"bots.match-{what}-exact", name=name)]
    shown = f"{times:.1f}" if times < 100 else group_digits(round(times))
    return [word(f"bots.match-{what}-worth", name=name, times=shown)]


def title(played: Match) -> str:
    return say(message("bots.match-title", rules=played.book, count=played.games, seed=played.seed))


def _share(found: Estimate) -> str:
    return _between(*(f"{clamp_share(each):.1%}" for each in (found.value, found.low, found.high)))


def _points(found: Estimate) -> str:
    return _between(*(f"{each:.1f}" for each in (found.value, found.low, found.high)))


def _between(value: str, low: str, high: str) -> str:
    return value if "nan" in low else word("bots.match-between", value=value, low=low, high=high)
