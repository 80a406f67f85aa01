"""What a total is worth against others whose totals are independent of it: the expected share of the win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def tied(at: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """[others + 1, totals]: the chance that so many have just this total and the rest less."""
    level = np.zeros((len(at) + 1, at.shape[1]))
    level[0] = 1.0
    for own, less in zip(at, below, strict=True):
        level[1:] = level[1:] * less + level[:-1] * own
        level[0] *= less
    return level


def shares(field: Sequence[Mapping[int, float]]) -> NDArray[np.float64]:
    """[totals]: what each total from 0 on is worth; the last of them surely wins. A tie of n is worth 1/n."""
    last = max((max(each) for each in field), default=-1)
    at = np.zeros((len(field), last + 2))
    for row, each in zip(at, field, strict=True):
        row[list(each)] = list(each.values())
    level = tied(at, np.cumsum(at, axis=1) - at)
    found: NDArray[np.float64] = np.clip((1 / np.arange(1, len(level) + 1)) @ level, 0.0, 1.0)
    found[-1] = 1.0
    return found


def shares_left(field: Sequence[Mapping[int, float]], length: int) -> list[NDArray[np.float64]]:
    """For each of the field [totals]: the share that is left to them if the one they play against has that total."""
    at = np.zeros((len(field), length))
    for row, each in zip(at, field, strict=True):
        row[list(each)] = list(each.values())
    below, found = np.cumsum(at, axis=1) - at, []
    for place, own in enumerate(at):
        level = tied(np.delete(at, place, axis=0), np.delete(below, place, axis=0))
        ahead = own * ((1 / np.arange(1, len(level) + 1)) @ level)
        beside = own * ((1 / np.arange(2, len(level) + 2)) @ level)
        found.append(np.cumsum(ahead[::-1])[::-1] - ahead + beside)
    return found


def cut(worth: NDArray[np.float64], nothing: float) -> NDArray[np.float64]:
    """Without the highest totals, of which each is worth all but `nothing`: they are worth all."""
    short = np.flatnonzero(worth < 1.0 - nothing)
    stop = int(short[-1]) + 1 if len(short) else 0
    found = worth[: stop + 1].copy()
    found[-1] = 1.0
    return found
