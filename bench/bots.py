"""What a decision of every level takes, move by move in whole games: the median, the slowest of a hundred, and the
longest, by the clock and by processor time, which two cores may share.

A book is looked at once before; perfect play has its solution at hand, and the champion, who plays games of two and of
four against perfect play, what it prepares. Most of its decisions follow from the first of a turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import quantiles
from time import perf_counter, process_time

from fivedice.core.dice import seeded
from fivedice.core.game import Game, Hold, Mark, Position
from fivedice.core.rules import RuleBook, book
from fivedice.players import bots
from fivedice.players.bots.solo_games import play
from fivedice.solver import solve

BOOKS = ("yahtzee", "yatzy", "maxi-yatzy")
GAMES = 10


@dataclass
class Timed:
    """A bot whose time is measured."""

    bot: bots.Bot
    taken: list[tuple[float, float]] = field(default_factory=list)  # by the clock, and of the processor

    def choose(self, position: Position) -> Hold | Mark:
        began, worked = perf_counter(), process_time()
        chosen = self.bot.choose(position)
        self.taken.append((perf_counter() - began, process_time() - worked))
        return chosen


def main() -> None:
    """Print milliseconds."""
    print(f"{'book':<14}{'level':<16}{'median ms':>10}{'99% ms':>10}{'longest':>10}{'processor':>10}")
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


def _print(key: str, name: str, taken: list[tuple[float, float]]) -> None:
    cuts = quantiles([clock for clock, _ in taken], n=100)
    shown = cuts[49], cuts[98], max(taken)[0], max(processor for _, processor in taken)
    print(f"{key:<14}{name:<16}" + "".join(f"{1000 * each:>10.2f}" for each in shown), flush=True)


def _with_others(rules: RuleBook, level: str, players: int) -> list[tuple[float, float]]:
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
