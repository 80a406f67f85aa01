"""How well an agent plays, compared with the optimum.

    grade = graded(agent, "yahtzee", games=1000)

The score of a game is the optimum plus luck, minus the regrets of its decisions, and luck is 0 on average. So the
optimum minus the mean regret is the agent's mean score as well, without the noise of the dice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalMove, quote
from fivedice.learning.encoding import Numbers
from fivedice.learning.many_games import ManyGames, Whole
from fivedice.learning.solo_vector import SoloVector

# From the observations and masks of many games to one action each.
Policy: TypeAlias = "Callable[[Numbers, NDArray[np.int8]], Whole]"
# From the games to a policy. An agent that knows the rules may look at the games themselves.
Agent: TypeAlias = "Callable[[ManyGames], Policy]"

_AT_ONCE = 500
_MOST_GAMES = 1_000_000


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of an agent: its scores and its regrets, game by game."""

    optimum: float
    scores: NDArray[np.float64]
    regrets: NDArray[np.float64]
    illegal: int = 0  # games that ended with an illegal action

    @property
    def games(self) -> int:
        """Return the number of games."""
        return len(self.scores)

    @property
    def mean(self) -> float:
        """Return the mean score without luck: the optimum minus the mean regret."""
        return self.optimum - float(self.regrets.mean())

    @property
    def error(self) -> float:
        """Return the standard error of `mean`."""
        return _standard_error(self.regrets)

    @property
    def mean_score(self) -> float:
        """Return the mean of the scores, with luck."""
        return float(self.scores.mean())

    @property
    def score_error(self) -> float:
        """Return the standard error of `mean_score`."""
        return _standard_error(self.scores)

    @property
    def share(self) -> float:
        """Return `mean` as a share of the optimum."""
        return self.mean / self.optimum


def graded(agent: Agent, book: RuleBook | str | Path, *, games: int = 1000, seed: int = 1) -> Grade:
    """Play games and return the agent's grade, with the exact regret of every decision.

    `agent` takes the games once and returns a policy. `book` is a key, a path, the text of house rules or a `RuleBook`.
    `seed` determines the dice. An illegal action ends its game and loses all expected points. Raise IllegalMove for a
    bad number of games.

    >>> from fivedice.learning.grading import graded
    >>> grade = graded(lambda games: lambda seen, masks: masks.argmax(axis=1), "yahtzee", games=2)
    >>> grade.mean < grade.optimum
    True
    """
    if not 1 <= games <= _MOST_GAMES:
        raise IllegalMove("bots.games-at-once", most=_MOST_GAMES, games=quote(games))
    parts = [min(_AT_ONCE, games - start) for start in range(0, games, _AT_ONCE)]
    found = [_play(agent, SoloVector(part, book, regret=True), seed + number) for number, part in enumerate(parts)]
    return Grade(
        found[0].optimum,
        np.concatenate([each.scores for each in found]),
        np.concatenate([each.regrets for each in found]),
        sum(each.illegal for each in found),
    )


def _play(agent: Agent, env: SoloVector, seed: int) -> Grade:
    """Play one game in every place and return the grade."""
    solution, count = env.exact, env.num_envs
    policy = agent(env.games)
    seen, info = env.reset(seed=seed)
    scores, lost, playing = np.zeros(count), np.zeros(count), np.ones(count, dtype=np.bool_)
    illegal = 0
    while playing.any():
        actions = np.asarray(policy(seen, info["action_mask"]))
        regret = info["regret"][np.arange(count), actions]
        wrong = playing & ~np.isfinite(regret)
        # What the best play would still score.
        regret[wrong] = [env.exact.advise(*env.games.turn(game))[0].value for game in np.flatnonzero(wrong).tolist()]
        lost[playing] += regret[playing]
        seen, rewards, over, _, info = env.step(actions)
        scores[playing] += rewards[playing]
        illegal += int(wrong.sum())
        playing &= ~over
    return Grade(solution.value(Scorecard.empty(env.book)), scores, lost, illegal)


def _standard_error(numbers: NDArray[np.float64]) -> float:
    return float(numbers.std(ddof=1)) / sqrt(len(numbers)) if len(numbers) > 1 else float("inf")
