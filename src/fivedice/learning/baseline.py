"""A small agent that learns the value of a score sheet by temporal differences, from its own games alone.

    agent = trained("yahtzee", seconds=60)
    graded(agent.plays, "yahtzee")

It knows the rules and the odds of dice, and computes a turn exactly. It learns what a sheet is worth at the end of a
turn: after every turn it moves its estimate of the sheet before towards the value of the turn. It uses no solution.
`python -m fivedice.learning.baseline` trains and grades it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.errors import FivediceError
from fivedice.learning.batch_turns import ActionWorths, TurnWorths, action_worths
from fivedice.learning.encoding import rules_of
from fivedice.learning.grading import Policy, graded
from fivedice.learning.many_games import ManyGames, Sheets, Whole, batch_rules
from fivedice.text import word

Reals = NDArray[np.float64]
Singles = NDArray[np.float32]

_UNIT = 50.0  # points per unit of the network
_BUMPS = 9  # inputs for the progress to the bonus


class SheetInputs:
    """The inputs of the network: open boxes, progress to the bonus, and the solver's flag."""

    def __init__(self, book: RuleBook) -> None:
        self.compiled = batch_rules(book).compiled
        counted = np.array([self.compiled.counted >> box & 1 for box in range(self.compiled.boxes)])
        most = counted * self.compiled.plain.max(axis=0)
        self._par = (self.compiled.reach * most / max(1, int(most.sum()))).astype(np.float32)  # share of the threshold

    @cached_property
    def size(self) -> int:
        return len(self.of(Sheets(*(np.zeros(1, dtype=np.int64),) * 3))[0])

    def of(self, sheets: Sheets) -> Singles:
        book = self.compiled
        filled = (sheets.masks[:, None] >> np.arange(book.boxes) & 1).astype(np.float32)
        parts: list[NDArray[Any]] = [1.0 - filled]
        if book.threshold:
            ahead = (sheets.lanes - filled @ self._par)[:, None] / max(1.0, 0.2 * book.reach)
            bumps = np.maximum(0.0, 1.0 - np.abs(2.0 * ahead - np.linspace(-4, 4, _BUMPS, dtype=np.float32)))
            parts += [ahead, bumps, sheets.lanes[:, None] / book.threshold, (sheets.lanes >= book.threshold)[:, None]]
        alike = sheets.flags % book.payments.alikes
        parts += [alike[:, None] == np.arange(1, book.payments.alikes)]
        if book.sums.caps:
            parts += [book.sums.totals[sheets.flags // book.payments.alikes] / np.array(book.sums.caps)]
        return np.concatenate(parts, axis=1, dtype=np.float32)


class ValueNetwork:
    """Two hidden layers. Full sheets need no estimate: their value is the bonuses they have earned."""

    def __init__(self, book: RuleBook, hidden: int, random: np.random.Generator) -> None:
        self.inputs = SheetInputs(book)
        sizes = [self.inputs.size, hidden, hidden, 1]
        self.weights: list[Singles] = [
            (random.standard_normal((before, after)) * np.sqrt(2.0 / before)).astype(np.float32)
            for before, after in pairwise(sizes)
        ]
        self.biases: list[Singles] = [np.zeros(size, dtype=np.float32) for size in sizes[1:]]
        self.weights[-1] *= np.float32(0.1)
        self._moments = [[np.zeros_like(each), np.zeros_like(each)] for each in self.parameters]
        self._steps = 0

    @property
    def parameters(self) -> list[Singles]:
        return [*self.weights, *self.biases]

    def values(self, sheets: Sheets) -> Reals:
        """Return the points still to come from the start of a turn, with bonuses."""
        book = self.inputs.compiled
        number = (sheets.masks * book.flags + sheets.flags) * book.lanes + sheets.lanes
        _, first, of = np.unique(number, return_index=True, return_inverse=True)  # many games have the same sheet
        some = sheets.at(first)
        found = self._forward(self.inputs.of(some))[-1][:, 0].astype(np.float64) * _UNIT
        return np.where(some.masks == book.full, book.final[some.flags, some.lanes], found)[of]

    def _forward(self, seen: Singles) -> list[Singles]:
        layers = [seen]
        for number, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            out = _multiply(layers[-1], weights)
            out += biases
            layers.append(out if number == len(self.weights) - 1 else np.maximum(out, np.float32(0.0), out=out))
        return layers

    def learn(self, seen: Singles, targets: Reals, rate: float) -> float:
        """Take one step of Adam towards the targets. Return the mean squared error before it, in points."""
        off, gradients = self.slopes(seen, targets)
        self._adam(gradients, rate)
        return float(np.mean(off.astype(np.float64) ** 2)) * _UNIT**2

    def slopes(self, seen: Singles, targets: Reals) -> tuple[Singles, list[Singles]]:
        """Return the error of each value, and the gradient of half the mean square, with errors clipped to one unit."""
        layers = self._forward(seen)
        off: Singles = layers[-1][:, 0] - (targets / _UNIT).astype(np.float32)
        slope = np.clip(off, -1.0, 1.0)[:, None] / np.float32(len(off))
        weights, biases = [], []
        for number in reversed(range(len(self.weights))):
            found: Singles = np.matmul(_stack_rows(layers[number]).transpose(0, 2, 1), _stack_rows(slope)).sum(axis=0)
            weights.append(found)
            biases.append(slope.sum(axis=0))
            slope = _multiply(slope, self.weights[number].T) * (layers[number] > 0)
        return off, [*reversed(weights), *reversed(biases)]

    def _adam(self, gradients: list[Singles], rate: float) -> None:
        self._steps += 1
        scale = rate * np.sqrt(1.0 - 0.999**self._steps) / (1.0 - 0.9**self._steps)
        for parameter, gradient, moments in zip(self.parameters, gradients, self._moments, strict=True):
            first, second = moments
            first += np.float32(0.1) * (gradient - first)
            second += np.float32(0.001) * (gradient**2 - second)
            parameter -= np.float32(scale) * first / (np.sqrt(second) + np.float32(1e-8))


# Products of a few rows each: BLAS runs larger ones on threads that wait for each other on a busy machine.
_ROWS = 64


def _stack_rows(rows: Singles) -> Singles:
    """Return [parts, rows, columns], padded with zeros."""
    full = np.zeros((-(-len(rows) // _ROWS) * _ROWS, rows.shape[1]), dtype=np.float32)
    full[: len(rows)] = rows
    return full.reshape(-1, _ROWS, rows.shape[1])


def _multiply(rows: Singles, weights: Singles) -> Singles:
    found: Singles = np.matmul(_stack_rows(rows), weights).reshape(-1, weights.shape[1])[: len(rows)]
    return found


def shuffle(count: int, size: int, random: np.random.Generator) -> list[Whole]:
    """Return all numbers below a count in random order, in parts of about this size."""
    return np.array_split(random.permutation(count), max(1, count // size))


Progress: TypeAlias = "Callable[[int, float], None]"  # the games so far, and the share of the time

_GAMES = 256  # at once
_BATCH = 128
_HIDDEN = 64
_RATE = 3e-3
_WANDER = 0.05  # the share of turns that score a random box, to see unusual sheets as well


@dataclass(frozen=True, eq=False)
class Baseline:
    """A trained agent: the rules, and a network that estimates score sheets."""

    book: RuleBook
    network: ValueNetwork

    def plays(self, games: ManyGames) -> Policy:
        """Return the policy for these games: the action with the highest value."""
        worths = ActionWorths(TurnWorths(self.book, self.network.values))
        return lambda _seen, _masks: np.argmax(worths.of(games), axis=1)


def trained(
    book: RuleBook | str | Path = DEFAULT,
    *,
    seconds: float = 60.0,
    rounds: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Baseline:
    """Train an agent and return it.

    `book` is a key, a path, the text of house rules or a `RuleBook`. Train for `seconds`, or for a number of `rounds`
    of 256 games, which gives the same agent on every machine of a kind. `progress` is called with the games played and
    the share of the time. Raise IllegalError for rules that save rolls.

    >>> from fivedice.learning.baseline import trained
    >>> trained("crag", rounds=1).book.key
    'crag'
    """
    rules = rules_of(book)
    random = np.random.default_rng(seed)
    network = ValueNetwork(rules, _HIDDEN, random)
    lesson = _Lesson(rules, network, random)
    start, number = monotonic(), 0
    share = 0.0
    while share < 1.0:
        seen, targets = lesson.play_round()
        for part in shuffle(len(seen), _BATCH, random):
            network.learn(seen[part], targets[part], _RATE * max(0.01, 1.0 - share))
        number += 1
        share = (monotonic() - start) / seconds if rounds is None else number / rounds
        if progress is not None:
            progress(number * _GAMES, min(1.0, share))
    return Baseline(rules, network)


class _Lesson:
    """Rounds of games, with training after each."""

    def __init__(self, book: RuleBook, network: ValueNetwork, random: np.random.Generator) -> None:
        self.book, self.network, self.random = book, network, random
        self.worths = TurnWorths(book, network.values)

    def play_round(self) -> tuple[Singles, Reals]:
        """Play a game in every place. Return the sheets at the start of each turn, and the values of the turns."""
        games = ManyGames(self.book, _GAMES)
        games.restart(np.arange(_GAMES), self.random)
        games.settle()
        seen, targets = [], []
        for _ in self.book.boxes:
            now = Sheets(games.sheets.masks.copy(), games.sheets.flags.copy(), games.sheets.lanes.copy())
            keeps, worth = self.worths.of(now)
            seen.append(self.network.inputs.of(now))
            targets.append(worth)
            self._play_turn(games, keeps)
        return np.concatenate(seen), np.concatenate(targets)

    def _play_turn(self, games: ManyGames, keeps: Reals) -> None:
        """Play one turn in all games: the best action, or now and then a random box."""
        count, waiting = keeps.shape[1], np.arange(games.count)
        filled = np.bitwise_count(games.sheets.masks)
        while len(waiting):
            worth = action_worths(self.worths, games, keeps)
            wander = self.random.random(games.count) < _WANDER / self.book.rolls
            worth[wander, :count] = -np.inf
            boxes = worth[wander, count:]
            worth[wander, count:] = np.where(np.isfinite(boxes), self.random.random(boxes.shape), -np.inf)
            actions = np.argmax(worth, axis=1)
            keeping, scoring = waiting[actions[waiting] < count], waiting[actions[waiting] >= count]
            games.keep(keeping, actions[keeping], self.random)
            games.score(scoring, actions[scoring] - count, self.random)
            games.settle()
            waiting = np.flatnonzero(np.bitwise_count(games.sheets.masks) == filled)


def main(arguments: list[str]) -> None:
    """Train an agent and print its grade."""
    parser = ArgumentParser(prog="python -m fivedice.learning.baseline")
    parser.add_argument("book", nargs="?", default=DEFAULT)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    learned = [0]
    agent = trained(asked.book, seconds=asked.seconds, seed=asked.seed, progress=lambda games, _: learned.append(games))
    grade = graded(agent.plays, agent.book, games=asked.games, seed=asked.seed + 1)
    print(word("bots.trained", rules=agent.book, games=learned[-1], seconds=f"{asked.seconds:g}"))
    print(word("bots.graded", mean=f"{grade.mean:.2f}", error=f"{grade.error:.2f}", games=grade.games))
    print(word("bots.graded-share", share=f"{100 * grade.share:.2f}", optimum=f"{grade.optimum:.2f}"))
    print(word("bots.graded-scores", score=f"{grade.mean_score:.1f}", error=f"{grade.score_error:.1f}"))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except FivediceError as problem:
        sys.exit(str(problem))
