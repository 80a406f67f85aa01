"""The best chance of every target, beside the mean: seconds, memory, and how many times the work.

`python -m bench chase` takes a few minutes; name books in FIVEDICE_CHASE (by default yahtzee), or "late" for late
cards alone.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import TypeVar

import fivedice as fd
from fivedice.solver import solve

Answer = TypeVar("Answer")
LATE = ("yahtzee", "yatzy")


def main() -> None:
    for key in LATE:
        late(fd.book(key))
    books = os.environ.get("FIVEDICE_CHASE", "yahtzee").split(",")
    print(f"\n{'book':<10}{'targets':>9}{'mean':>9}{'odds':>9}{'chase':>9}{'processor':>11}{'ratio':>8}{'chances':>10}")
    for key in books:
        if key != "late":
            parse_int(fd.book(key))
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def late(book: fd.RuleBook) -> None:
    """Cards as they fill up: the moment when odds and chances are asked for at a table."""
    solution = solve(book)
    for still_open in (1, 2, 4, 6):
        card = fd.Scorecard.of(book, {box.key: 0 for box in book.boxes[:-still_open]})
        odds, chase = best(partial(solution.odds, card)), best(partial(fd.chase, book, card=card))
        print(f"{book.key:<10}{still_open} boxes open: odds {1000 * odds:.0f} ms, chase {1000 * chase:.0f} ms")


def parse_int(book: fd.RuleBook) -> None:
    """From the empty card. The ratio is of processor time: it suffers less from busy neighbours."""
    solution = solve(book)  # compiles, and warms up
    mean, mean_processor, _ = timed(lambda: solve(book, cache=False))
    odds, _, _ = timed(solution.odds)
    seconds, processor, hunt = timed(lambda: fd.chase(book))
    times = f"{mean:>7.2f} s{odds:>7.2f} s{seconds:>7.1f} s{processor:>9.1f} s{processor / mean_processor:>8.0f}"
    print(f"{book.key:<10}{f'to {hunt.most}':>9}{times}{hunt.nbytes / 1e6:>7.0f} MB")


def best(action: Callable[[], object]) -> float:
    return min(timed(action)[0] for _ in range(4))


def timed(action: Callable[[], Answer]) -> tuple[float, float, Answer]:
    """Seconds on the clock, seconds of all processors, and the answer."""
    clock, processor = perf_counter(), process_time()
    answer = action()
    return perf_counter() - clock, process_time() - processor, answer
