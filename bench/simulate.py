"""Games a second of perfect play, all at once, beside the pure Python engine playing the same book in the same run."""

from __future__ import annotations

from time import perf_counter

import fivedice as fd
from bench.engine import GAMES as ENGINE_GAMES, play
from fivedice.solver import solve

BOOKS = ("yahtzee", "yatzy")
GAMES = 2_000_000
ROUNDS = 3  # the best counts: other work on the machine can only slow a round down


def engine_rate(book: fd.RuleBook) -> float:
    """The engine plays carelessly: this is the cost of the game, not of thinking."""
    play(book, 0)
    begin = perf_counter()
    for seed in range(ENGINE_GAMES):
        play(book, seed)
    return ENGINE_GAMES / (perf_counter() - begin)


def simulated_rate(book: fd.RuleBook, round_number: int) -> tuple[float, float]:
    """Games a second, and how many standard errors their mean is from the exact value."""
    begin = perf_counter()
    played = fd.simulate(book, GAMES, seed=round_number)
    rate = GAMES / (perf_counter() - begin)
    return rate, (played.mean - solve(book).value(fd.Scorecard.empty(book))) / played.standard_error


def main() -> None:
    print(f"{'book':<10}{'games/s':>12}{'engine/s':>10}{'ratio':>8}   standard errors from the exact mean")
    for key in BOOKS:
        book = fd.book(key)
        fd.simulate(book, 1000)  # solves, and loads the kernels
        rounds = [simulated_rate(book, number) for number in range(ROUNDS)]
        rate, engine = max(rate for rate, _ in rounds), engine_rate(book)
        errors = ", ".join(f"{error:+.1f}" for _, error in rounds)
        print(f"{key:<10}{rate:>12,.0f}{engine:>10,.0f}{rate / engine:>7.0f}x   {errors}")
