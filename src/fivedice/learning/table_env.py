"""Several players who take turns at one table, as an AEC environment of PettingZoo.

Each observation has the `observation` (see `sheet_features`) and the `action_mask`, which is empty if the agent is not
on turn. A turn is several actions of the same agent: keep and roll, then score a box.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from fivedice.learning import require_package

require_package("pettingzoo")

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from fivedice.core.game import Position, apply
from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.learning.arrays.action_list import action_list, rules_of
from fivedice.learning.arrays.exact_regret import regrets, solution_for
from fivedice.learning.arrays.sheet_features import sheet_features
from fivedice.learning.goals_paid import Goal, agent_names, check_goal, shares
from fivedice.learning.solo_env import roll_dice

Seen: TypeAlias = "dict[str, np.ndarray[Any, Any]]"


class AgentSpaces:
    """The observation space and the action space of every agent."""

    def make_spaces(self, book: RuleBook, agents: list[str]) -> None:
        actions = len(action_list(book))
        seen = spaces.Box(0.0, 1.0, (sheet_features(book).size_for(len(agents)),), np.float32)
        mask = spaces.Box(0, 1, (actions,), np.int8)
        parts: dict[str, spaces.Space[Any]] = {"observation": seen, "action_mask": mask}
        self.observation_spaces = {agent: spaces.Dict(deepcopy(parts)) for agent in agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]


class TableEnv(AgentSpaces, AECEnv[str, Seen, int]):
    """The table.

    `book` is a key, a path, the text of house rules or a `RuleBook`. With `goal` "points" an agent is paid what its
    sheet gains, with "win" at the end only. `regret` is explained in `exact_regret.solution_for`.

    >>> from fivedice.learning.table_env import TableEnv
    >>> env = TableEnv("yatzy", players=3, regret=False)
    >>> env.reset(seed=1)
    >>> env.agent_selection
    'player_0'
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "fivedice_table_v0",
        "render_modes": ["ansi"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        book: RuleBook | str | Path = DEFAULT,
        *,
        players: int = 2,
        goal: Goal = "points",
        regret: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.book, self.goal, self.render_mode = rules_of(book), check_goal(goal), render_mode
        self.possible_agents = agent_names(players)
        self.agents = self.possible_agents[:]
        self.actions = action_list(self.book)
        self.position = Position.start(self.book, players)
        self._solution = solution_for(self.book, regret)
        self._random = np.random.default_rng()
        self.make_spaces(self.book, self.possible_agents)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - required by PettingZoo
        """Start a new game, with its first dice on the table."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.position = roll_dice(Position.start(self.book, len(self.agents)), self._random)
        self._update_infos()

    def step(self, action: int | None) -> None:
        """Apply an action of the agent on turn."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        before = self.position
        after = apply(before, self.actions.move(-1 if action is None else int(action))).after
        if self.goal == "win":
            paid = shares(after) if after.is_over else [0.0] * len(self.agents)
        else:
            paid = [float(new.total - old.total) for old, new in zip(before.cards, after.cards, strict=True)]
        self.rewards = dict(zip(self.possible_agents, paid, strict=True))
        self._cumulative_rewards[agent] = 0.0
        self.position = roll_dice(after, self._random)
        self.terminations = dict.fromkeys(self.agents, after.is_over)
        self._update_infos()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Seen:
        seat = self.possible_agents.index(agent)
        legal = seat == self.position.seat and not self.terminations[agent]
        mask = self.actions.mask(self.position) if legal else np.zeros(len(self.actions), dtype=np.int8)
        return {"observation": sheet_features(self.book).of(self.position, seat), "action_mask": mask}

    def render(self) -> str | None:
        """Return the sheet and the dice as text."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resource is open."""

    def _update_infos(self) -> None:
        self.agent_selection = self.possible_agents[self.position.seat]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self._solution is not None and not self.position.is_over:
            self.infos[self.agent_selection] = {"regret": regrets(self._solution, self.position)}


def wrap(env: TableEnv) -> AECEnv[str, Seen, int]:
    """Return the environment with PettingZoo's usual wrappers: an illegal action costs a point and ends the game."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(env, illegal_reward=-1))
    )
