"""Measure how often the champion wins against perfect play, in every seat, as precisely as a few games allow.

    python tools/measure_champion.py yahtzee --players 2 --games 600 --seed 1
    python tools/measure_champion.py yahtzee --games 600 --part 3/10 --save part3.csv     # every tenth game
    python tools/measure_champion.py --read part*.csv                                     # all parts together
    python tools/measure_champion.py yahtzee --games 600 --workers 8                      # the same games, on 8 cores

One seat is the champion, all others play for points, and the champion sits in every seat equally often. The luck of
every roll is known exactly: it is by how much the roll changes the share of the win if everybody plays on for points
(in a turn of the champion: if this turn is played as it plans). On average it is zero, whatever is done with the
dice, so it is subtracted from the result. What remains of a game is the share at its start, the same for all, and
what the champion's turns change it by. Both estimates are printed: the plain one, of games won, and this one.

Perfect play is that of `odds`: of moves with the same mean it takes the first, in the order of `turn_choices`. So
only luck changes its share, and its turns are drawn from the exact odds of their outcomes.
"""

from __future__ import annotations

import argparse
import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from functools import cache
from math import nan, sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time

import numpy as np

import fivedice as fd
from fivedice.core.game import Mark, Position, Scorecard, Throw, apply
from fivedice.players import bots
from fivedice.players.bots.players import turn_to_win
from fivedice.players.bots.solo_games import OnGame, run_blocks
from fivedice.solver import Solution
from fivedice.solver.solution import TIE, state_of
from fivedice.solver.values.saved_values import one_table
from fivedice.solver.values.turn_choices import turnout
from fivedice.solver.win.one_turn_lookahead import look

BLOCK = 2  # games for a worker at a time


@dataclass(frozen=True, slots=True)
class Played:
    """One game, with the seat of the champion."""

    book: str
    players: int
    seed: int
    number: int
    seat: int
    won: float  # its share of the win
    without_luck: float  # the same less the luck of all rolls
    seconds: float  # of processor time


class Match:
    """Games of a champion with players for points."""

    def __init__(self, key: str, players: int, seed: int) -> None:
        self.book, self.players, self.seed = fd.book(key), players, seed
        self.solution: Solution = fd.solve(self.book)
        self.solution.prepare()
        self.champion = bots.bot("champion", self.book)

    def play(self, number: int) -> Played:
        began, seat = process_time(), number % self.players
        random = Random(f"{self.seed}/{number}")  # noqa: S311 - not for money
        position, gained = Position.start(self.book, self.players), 0.0
        while not position.is_over:
            if position.seat == seat:
                position, more = self._turn(position, random)
                gained += more
            else:
                position = self._draw_turn(position, random)
        totals = [card.total for card in position.cards]
        won = (totals[seat] == max(totals)) / totals.count(max(totals))
        start = 1 / self.players  # all cards are empty, and how they end does not depend on the seat
        seconds = process_time() - began
        return Played(self.book.key, self.players, self.seed, number, seat, won, start + gained, seconds)

    def _turn(self, position: Position, random: Random) -> tuple[Position, float]:
        """Play a turn of the champion. Return the position and the change of its share without luck.

        The change is what its plan for the turn is worth more than playing for points. Where it decides against the
        plan, as it may if several moves are equally good, the difference counts too.
        """
        place, turn = position.seats_in.index(position.seat), self.book.rolls
        ahead, values = look(position, self.solution), turn_to_win(position)
        if values is None:
            raise ValueError(self.book.key)
        planned, nothing = ahead.followed(values, TIE), fd.Keep(())
        gained = float((planned.held(nothing, turn) - ahead.for_points.held(nothing, turn))[place])
        while True:
            roll = fd.Roll((*position.dice, *(random.randint(1, self.book.faces) for _ in range(position.in_cup))))
            position = apply(position, Throw(roll)).after
            before = planned.lying(roll, position.rolls_left)[place]
            move = self.champion.choose(position)
            if isinstance(move, Mark):
                gained += float(ahead.scored(roll, move.box)[place] - before)
                return apply(position, move).after, gained
            gained += float(planned.held(move.keep, position.rolls_left)[place] - before)
            position = apply(position, move).after

    def _draw_turn(self, position: Position, random: Random) -> Position:
        """Play a turn for points: draw one of its possible outcomes."""
        book, card = self.solution.compiled, position.card
        table = one_table(self.solution.table, self.book)
        found = turnout(book, table, state_of(card), book.lattice.weights, book.rolls - 1)
        one = int(np.searchsorted(np.cumsum(found.chances), random.random() * float(found.chances.sum()), "right"))
        one = min(one, len(found.chances) - 1)
        place, points, extra = book.order[found.boxes[one]], int(found.points[one]), int(found.extras[one])
        cards = list(position.cards)
        cards[position.seat] = card.write(place, points, bonus=extra)
        return _next(tuple(cards), position.seat)


def _next(cards: tuple[Scorecard, ...], seat: int) -> Position:
    return Position(cards, (seat + 1) % len(cards), fd.Keep(()), cards[0].book.rolls, after=seat)


@cache
def _match(key: str, players: int, seed: int) -> Match:
    return Match(key, players, seed)


@dataclass(frozen=True, slots=True)
class Part:
    """Every n-th game of a match, for a worker."""

    key: str
    players: int
    seed: int
    part: int
    parts: int

    def __call__(self, block: range, on_game: OnGame | None = None) -> list[Played]:
        """Play the games of these places in the part."""
        del on_game
        match = _match(self.key, self.players, self.seed)
        return [match.play(self.part - 1 + self.parts * place) for place in block]


def describe(games: list[Played]) -> str:
    """Return the estimates over all seats and for each, in percent."""
    first = games[0]
    seconds = sum(game.seconds for game in games)
    lines = [
        f"{first.book}, {first.players} players, seed {first.seed}: {len(games)} games, {seconds:.0f} s of processor",
        f"{'seat':>6}{'games':>8}{'without luck':>22}{'plain':>22}{'variance / plain':>20}",
    ]
    seats = {f"{seat + 1}": [game for game in games if game.seat == seat] for seat in range(first.players)}
    lines += [_line(name, some) for name, some in seats.items() if some]
    return "\n".join([*lines, _line("all", games)])


def _line(name: str, games: list[Played]) -> str:
    adjusted, plain = [game.without_luck for game in games], [game.won for game in games]
    ratio = _error(adjusted) ** 2 / _error(plain) ** 2 if _error(plain) else nan
    return f"{name:>6}{len(games):>8}{_estimate(adjusted):>22}{_estimate(plain):>22}{ratio:>20.4f}"


def _estimate(found: list[float]) -> str:
    return f"{100 * fmean(found):.2f}% ± {100 * _error(found):.2f}"


def _error(found: list[float]) -> float:
    return stdev(found) / sqrt(len(found)) if len(found) > 1 else nan


def read(paths: list[Path]) -> list[Played]:
    """Return the games of all parts, each once."""
    found = {}
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for row in csv.reader(file):
                game = Played(row[0], *map(int, row[1:5]), *map(float, row[5:]))
                found[game.seed, game.number] = game
    return list(found.values())


def main() -> None:
    """Play and print, or read and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("book", nargs="?", choices=fd.SHIPPED, default="yahtzee")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="3/10: every tenth game, from the third on")
    parser.add_argument("--save", type=Path, help="add the games to this file as they are played")
    parser.add_argument("--read", type=Path, nargs="+", help="print what these files say")
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    asked = parser.parse_args()
    if asked.read:
        print(describe(read(asked.read)))
        return
    part, parts = map(int, asked.part.split("/"))
    games, count = list[Played](), len(range(part - 1, asked.games, parts))
    with ExitStack() as stack:
        spawned = get_context("spawn")
        pool = stack.enter_context(ProcessPoolExecutor(asked.workers, spawned)) if asked.workers > 1 else None
        for block in run_blocks(Part(asked.book, asked.players, asked.seed, part, parts), count, BLOCK, pool):
            games += block
            if asked.save:
                with asked.save.open("a", encoding="utf-8", newline="") as file:
                    csv.writer(file).writerows(map(astuple, block))
            sys.stderr.write(f"\r{len(games)}")
    sys.stderr.write("\n")
    print(describe(games))


if __name__ == "__main__":
    main()
