"""Many games of `fivedice/Solo-v0` in one call, as arrays for training.

    envs = gym.make_vec("fivedice/Solo-v0", num_envs=1024, book="yatzy")

It is the same game as `Solo`, faster by orders of magnitude. A finished game restarts with the next step, whatever its
action: Gymnasium's `NEXT_STEP`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from fivedice.learning import require_package

require_package("gymnasium")

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.errors import IllegalMove, quote
from fivedice.learning.batch_turns import batch_regrets
from fivedice.learning.encoding import (
    Numbers,
    action_list,
    check_solution,
    rules_of,
    sheet_features,
    solution_for,
)
from fivedice.learning.many_games import Flags, ManyGames, Whole
from fivedice.solver.solution import Solution

MOST_GAMES = 1 << 20

Step = tuple[Numbers, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class SoloVector(VectorEnv[Numbers, Whole, NDArray[Any]]):
    """Games for one player, in parallel.

    `num_envs` is the number of games. `book` is a key, a path, the text of house rules or a `RuleBook`. Regrets are
    computed only with `regret`, because they take longer than everything else.

    >>> from fivedice.learning.solo_vector import SoloVector
    >>> envs = SoloVector(8, "yatzy")
    >>> seen, info = envs.reset(seed=1)
    >>> info["action_mask"].shape
    (8, 225)
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        book: RuleBook | str | Path = DEFAULT,
        *,
        regret: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if not 1 <= num_envs <= MOST_GAMES:
            raise IllegalMove("bots.games-at-once", most=MOST_GAMES, games=quote(num_envs))
        self.book, self.num_envs, self.render_mode = rules_of(book), num_envs, render_mode
        self.actions = action_list(self.book)
        self.games = ManyGames(self.book, num_envs)
        self.solution = solution_for(self.book, regret=True) if regret else None
        self._regrets = None if self.solution is None else batch_regrets(self.solution)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.single_observation_space = spaces.Box(0.0, 1.0, (sheet_features(self.book).size,), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """Start new games in all places."""
        super().reset(seed=seed, options=options)
        self.games.restart(np.arange(self.num_envs), self.np_random)
        self.games.settle()
        self._ended[:] = False
        return self.games.features(), self._info()

    def step(self, actions: Whole) -> Step:
        """Apply one action in every game; an illegal one ends its game."""
        chosen = self._check_actions(actions)
        games, keeps, playing = self.games, len(self.actions.keeps), ~self._ended
        legal = games.masks[np.arange(self.num_envs), chosen] != 0
        rewards = np.zeros(self.num_envs)
        keeping = np.flatnonzero(playing & legal & (chosen < keeps))
        scoring = np.flatnonzero(playing & legal & (chosen >= keeps))
        again = np.flatnonzero(self._ended)
        games.keep(keeping, chosen[keeping], self.np_random)
        rewards[scoring] = games.score(scoring, chosen[scoring] - keeps, self.np_random)
        games.restart(again, self.np_random)
        games.settle()
        self._ended = playing & (games.over | ~legal)
        return games.features(), rewards, self._ended.copy(), np.zeros(self.num_envs, dtype=np.bool_), self._info()

    @property
    def exact(self) -> Solution:
        """Return the solution for regrets. Raise IllegalError if regrets were not requested."""
        return check_solution(self.solution, self.book)

    def _check_actions(self, actions: Whole) -> Whole:
        chosen = np.asarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,):
            raise IllegalMove("bots.one-action-each", games=self.num_envs, shape=quote(chosen.shape))
        wrong = chosen[(chosen < 0) | (chosen >= len(self.actions))]
        if len(wrong):
            raise IllegalMove("bots.no-such-action", action=int(wrong[0]), last=len(self.actions) - 1)
        return chosen

    def _info(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {"action_mask": self.games.masks.copy(), "_action_mask": every}
        if self._regrets is not None:
            info |= {"regret": self._regrets(self.games), "_regret": every.copy()}
        return info
