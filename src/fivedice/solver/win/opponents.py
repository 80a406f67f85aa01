"""The worth of a total against opponents whose totals are independent of it: the expected share of the win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def tie_chances(at: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance that 0, 1, ... of the others have exactly this total and the rest less, as [others + 1,
    totals].
    """
    level = np.zeros((len(at) + 1, at.shape[1]))
    level[0] = 1.0
    for own, less in zip(at, below, strict=True):
        level[1:] = level[1:] * less + level[:-1] * own
        level[0] *= less
    return level


def shares(field: Sequence[Mapping[int, float]]) -> NDArray[np.float64]:
    """Return the worth of each total from 0 on, as [totals]; the last surely wins. A tie of n is worth 1/n."""
    last = max((max(each) for each in field), default=-1)
    at = np.zeros((len(field), last + 2))
    for row, each in zip(at, field, strict=True):
        row[list(each)] = list(each.values())
    level = tie_chances(at, np.cumsum(at, axis=1) - at)
    found: NDArray[np.float64] = np.clip((1 / np.arange(1, len(level) + 1)) @ level, 0.0, 1.0)
    found[-1] = 1.0
    return found


def shares_left(field: Sequence[Mapping[int, float]], length: int) -> list[NDArray[np.float64]]:
    """Return for each of the field, as [totals], its share if the player against them ends with that total."""
    at = np.zeros((len(field), length))
    for row, each in zip(at, field, strict=True):
        row[list(each)] = list(each.values())
    below, found = np.cumsum(at, axis=1) - at, []
    for place, own in enumerate(at):
        level = tie_chances(np.delete(at, place, axis=0), np.delete(below, place, axis=0))
        ahead = own * ((1 / np.arange(1, len(level) + 1)) @ level)
        level_with = own * ((1 / np.arange(2, len(level) + 2)) @ level)
        found.append(np.cumsum(ahead[::-1])[::-1] - ahead + level_with)
    return found


def trim_sure_wins(worth: NDArray[np.float64], nothing: float) -> NDArray[np.float64]:
    """Drop the highest totals whose worth is within `nothing` of 1: they count as 1."""
    short = np.flatnonzero(worth < 1.0 - nothing)
    stop = int(short[-1]) + 1 if len(short) else 0
    found = worth[: stop + 1].copy()
    found[-1] = 1.0
    return found
