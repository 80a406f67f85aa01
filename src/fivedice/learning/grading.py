"""How well an agent plays, held against the optimum.

    grade = graded(agent, "yahtzee", games=1000)

What a game scores is the optimum, and luck, less what its decisions gave away; and luck is 0 in the mean. So the
optimum less the mean of all regrets is the agent's mean score as well, without the noise of the dice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalMove, quote
from fivedice.game import Scorecard
from fivedice.learning.arrays.batch_rules import Whole
from fivedice.learning.arrays.many_games import ManyGames
from fivedice.learning.sheet_features import Numbers
from fivedice.learning.solo_vector import SoloVector
from fivedice.rules import RuleBook

# What a policy sees of many games and answers: observations and masks, one action each.
Policy: TypeAlias = "Callable[[Numbers, NDArray[np.int8]], Whole]"
# Who knows the rules may look at the games themselves: given them once, it returns a policy.
Agent: TypeAlias = "Callable[[ManyGames], Policy]"

_AT_ONCE = 500
_MOST_GAMES = 1_000_000


@dataclass(frozen=True, slots=True)
class Grade:
    """Of an agent: all that it scored, and all that it gave away, game by game."""

    optimum: float
    scores: NDArray[np.float64]
    regrets: NDArray[np.float64]
    illegal: int = 0  # games that an illegal action ended

    @property
    def games(self) -> int:
        return len(self.scores)

    @property
    def mean(self) -> float:
        """The optimum less what decisions gave away: the mean score with the luck taken out."""
        return self.optimum - float(self.regrets.mean())

    @property
    def error(self) -> float:
        """The standard error of that mean."""
        return _error(self.regrets)

    @property
    def mean_score(self) -> float:
        """As the games were scored, luck and all."""
        return float(self.scores.mean())

    @property
    def score_error(self) -> float:
        return _error(self.scores)

    @property
    def share(self) -> float:
        """Of the optimum."""
        return self.mean / self.optimum


def graded(agent: Agent, book: RuleBook | str | Path, *, games: int = 1000, seed: int = 1) -> Grade:
    """Play so many games with dice of this seed, and count what every decision gave away.

    An illegal action ends its game; it gives away all that was still to come.
    """
    if not 1 <= games <= _MOST_GAMES:
        raise IllegalMove("bots.games-at-once", most=_MOST_GAMES, games=quote(games))
    parts = [min(_AT_ONCE, games - start) for start in range(0, games, _AT_ONCE)]
    found = [_played(agent, SoloVector(part, book, regret=True), seed + number) for number, part in enumerate(parts)]
    return Grade(
        found[0].optimum,
        np.concatenate([each.scores for each in found]),
        np.concatenate([each.regrets for each in found]),
        sum(each.illegal for each in found),
    )


def _played(agent: Agent, env: SoloVector, seed: int) -> Grade:
    """One game in every place."""
    solution, count = env.exact, env.num_envs
    policy = agent(env.games)
    seen, info = env.reset(seed=seed)
    scores, lost, playing = np.zeros(count), np.zeros(count), np.ones(count, dtype=np.bool_)
    illegal = 0
    while playing.any():
        actions = np.asarray(policy(seen, info["action_mask"]))
        regret = info["regret"][np.arange(count), actions]
        wrong = playing & ~np.isfinite(regret)
        regret[wrong] = [_to_come(env, game) for game in np.flatnonzero(wrong).tolist()]
        lost[playing] += regret[playing]
        seen, rewards, over, _, info = env.step(actions)
        scores[playing] += rewards[playing]
        illegal += int(wrong.sum())
        playing &= ~over
    return Grade(solution.value(Scorecard.empty(env.book)), scores, lost, illegal)


def _to_come(env: SoloVector, game: int) -> float:
    """The points that the best play would still have had."""
    advice = env.exact.advise(*env.games.turn(game))
    return advice[0].value


def _error(numbers: NDArray[np.float64]) -> float:
    return float(numbers.std(ddof=1)) / sqrt(len(numbers)) if len(numbers) > 1 else float("inf")
