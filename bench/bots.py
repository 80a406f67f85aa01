"""What a decision of every level takes, move by move in whole games: the median, the slowest of a hundred, the longest.

A book is looked at once before; perfect play has its solution at hand, and the champion, who plays games of two and of
four against perfect play, what it prepares. Most of its decisions follow from the first of a turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import quantiles
from time import perf_counter

from fivedice import bots
from fivedice.bots.solo_games import play
from fivedice.dice import seeded
from fivedice.game import Game, Hold, Mark, Position
from fivedice.rules import RuleBook, book
from fivedice.solver import solve

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
    print(f"{'book':<14}{'level':<16}{'median ms':>10}{'99% ms':>10}{'longest':>10}")
    for key in BOOKS:
        rules = book(key)
        for level in bots.offered(rules):
            if bots.wants_odds(level):
                for players in (2, 4):
                    _print(key, f"{level} of {players}", _with_others(rules, level, players))
                continue
            play(rules, bots.bot(level, rules), "warm")
            timed = Timed(bots.bot(level, rules))
            for number in range(GAMES):
                play(rules, timed, str(number))
            _print(key, level, timed.taken)


def _print(key: str, name: str, taken: list[float]) -> None:
    cuts = quantiles(taken, n=100)
    print(
        f"{key:<14}{name:<16}" + "".join(f"{1000 * each:>10.2f}" for each in (cuts[49], cuts[98], max(taken))),
        flush=True,
    )


def _with_others(rules: RuleBook, level: str, players: int) -> list[float]:
    """Its decisions in games with others who play for points; the first game warms up."""
    solve(rules).prepare()
    timed, perfect = Timed(bots.bot(level, rules)), bots.bot("perfect", rules)
    for number in range(GAMES + 1):
        game = Game.new(rules, [f"P{seat}" for seat in range(players)], dice=seeded(f"{number}"))
        while not game.is_over:
            if game.position.chance_moves_next:
                game.roll()
            else:
                game.play((timed if game.position.seat == number % players else perfect).choose(game.position))
        if number == 0:
            timed.taken.clear()
    return timed.taken
