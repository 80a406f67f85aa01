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
from pathlib import Path
from time import monotonic
from typing import TypeAlias

import numpy as np

from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.errors import FivediceError
from fivedice.learning.arrays.action_list import rules_of
from fivedice.learning.arrays.batch_rules import Sheets
from fivedice.learning.arrays.batch_turns import ActionWorths, TurnWorths, action_worths
from fivedice.learning.arrays.many_games import ManyGames
from fivedice.learning.arrays.value_network import Reals, Singles, ValueNetwork, shuffle
from fivedice.learning.grading import Policy, graded
from fivedice.text import word

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
