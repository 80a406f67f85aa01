"""What a decision of every level takes, move by move in whole games: the median, and the slowest of a hundred.

A book is looked at once before; perfect play has its solution at hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import quantiles
from time import perf_counter

from fivedice import bots
from fivedice.bots.solo_games import play
from fivedice.game import Hold, Mark, Position
from fivedice.rules import book

BOOKS = ("yahtzee", "yatzy", "maxi-yatzy")
GAMES = 10


@dataclass
class Timed:
    """A bot with a watch beside it."""

    bot: bots.Bot
    taken: list[float] = field(default_factory=list)

    def choose(self, position: Position) -> Hold | Mark:
        began = perf_counter()
        chosen = self.bot.choose(position)
        self.taken.append(perf_counter() - began)
        return chosen


def main() -> None:
    """Print milliseconds."""
    print(f"{'book':<14}{'level':<12}{'median ms':>10}{'99% ms':>10}")
    for key in BOOKS:
        rules = book(key)
        for level in bots.offered(rules):
            play(rules, bots.bot(level, rules), "warm")
            timed = Timed(bots.bot(level, rules))
            for number in range(GAMES):
                play(rules, timed, str(number))
            cuts = quantiles(timed.taken, n=100)
            print(f"{key:<14}{level:<12}{1000 * cuts[49]:>10.2f}{1000 * cuts[98]:>10.2f}", flush=True)
