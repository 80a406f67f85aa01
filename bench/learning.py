"""Steps a second of the environments, with random legal actions: one game at a time, and many at once in arrays, in one
run. Choosing the actions is not counted, and seconds are those of one core.

The arrays are measured with and without the exact regret of every action; so is the plain environment.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from fivedice.learning.solo_env import Solo
from fivedice.learning.solo_vector import SoloVector

BOOKS = ("yahtzee", "yatzy", "maxi-yatzy")
SECONDS = 3.0
AT_ONCE = (64, 1024, 8192)


def main() -> None:
    """Print steps a second, and how many times the plain environment that is."""
    print(f"{'book':<14}{'games at once':>14}{'steps a second':>16}{'ratio':>9}{'with regrets':>16}{'ratio':>9}")
    for book in BOOKS:
        regret = book != "maxi-yatzy"  # whose solution takes minutes
        plain = one_by_one(book, False), one_by_one(book, True) if regret else 0.0
        _print(book, 1, plain, plain)
        for count in AT_ONCE:
            found = at_once(book, count, False), at_once(book, count, True) if regret else 0.0
            _print(book, count, found, plain)


def _print(book: str, count: int, found: tuple[float, float], plain: tuple[float, float]) -> None:
    told = f"{found[1]:>16,.0f}{found[1] / plain[1]:>9.1f}" if plain[1] else f"{'-':>16}"
    print(f"{book:<14}{count:>14,}{found[0]:>16,.0f}{found[0] / plain[0]:>9.1f}{told}", flush=True)


def one_by_one(book: str, regret: bool) -> float:
    env, random = Solo(book, regret=regret), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    steps, taken = 0, 0.0
    while taken < SECONDS:
        action = random.choice(np.flatnonzero(info["action_mask"]))
        began = process_time()
        _, _, over, _, info = env.step(action)
        if over:
            _, info = env.reset()
        taken += process_time() - began
        steps += 1
    return steps / taken


def at_once(book: str, count: int, regret: bool) -> float:
    env, random = SoloVector(count, book, regret=regret), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    steps, taken = 0, 0.0
    while taken < SECONDS:
        mask = info["action_mask"]
        actions = np.argmax(mask * random.random(mask.shape, dtype=np.float32), axis=1)
        began = process_time()
        _, _, _, _, info = env.step(actions)
        taken += process_time() - began
        steps += count
    return steps / taken
