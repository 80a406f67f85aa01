"""The table in the layout of PettingZoo's modules.

    from fivedice.learning import table_v0

    env = table_v0.env(book="yatzy", players=3)                # in turn
    all_at_once = table_v0.parallel_env(book="yatzy")          # each player on their own sheet

The options are those of `TableEnv` and `SideBySide`. Each observation has the `observation` (see `encoding`) and the
`action_mask`, which is empty if the agent is not on turn.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from fivedice.learning import require_package

require_package("pettingzoo")

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from fivedice.core.game import Position, apply
from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.errors import IllegalError
from fivedice.learning.encoding import (
    Goal,
    action_list,
    agent_names,
    check_goal,
    regrets,
    rules_of,
    shares,
    sheet_features,
    solution_for,
)
from fivedice.learning.solo_env import roll_dice

__all__ = ["env", "parallel_env", "raw_env"]

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
    """Several players who take turns. A turn is several actions of the same agent: keep and roll, then score a box.

    `book` is a key, a path, the text of house rules or a `RuleBook`. With `goal` "points" an agent is paid what its
    sheet gains, with "win" at the end only. `regret` is explained in `solution_for`.

    >>> from fivedice.learning.table_v0 import TableEnv
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


Answers = tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class SideBySide(AgentSpaces, ParallelEnv[str, Seen, int]):
    """Several players who play their own sheets at the same time. An illegal action ends the game of its agent only.

    At a table players take turns. But players cannot change each other's dice or sheets, so the same games can be
    played in parallel: all act in every step, each with their own dice, and see each other's sheets. A turn takes one
    to three steps, so some finish before others. Agents are paid in points only: the winner is known when the last one
    is done, and by then the others have left.

    `book` is a key, a path, the text of house rules or a `RuleBook`. `regret` is explained in `solution_for`.

    >>> from fivedice.learning.table_v0 import SideBySide
    >>> seen, infos = SideBySide("yatzy", players=3, regret=False).reset(seed=1)
    >>> sorted(seen)
    ['player_0', 'player_1', 'player_2']
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "fivedice_table_v0",
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        book: RuleBook | str | Path = DEFAULT,
        *,
        players: int = 2,
        regret: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.book, self.render_mode = rules_of(book), render_mode
        self.possible_agents = agent_names(players)
        self.agents: list[str] = []
        self.actions = action_list(self.book)
        self.positions: dict[str, Position] = {}
        self._solution = solution_for(self.book, regret)
        self._random = np.random.default_rng()
        self.make_spaces(self.book, self.possible_agents)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - required by the protocol
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Start new games, each with its first dice on the table."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        start = Position.start(self.book, 1)
        self.positions = {agent: roll_dice(start, self._random) for agent in self.agents}
        return self._observe(self.agents), self._make_infos(self.agents)

    def step(self, actions: dict[str, int]) -> Answers:
        """Apply one action of every agent that still plays."""
        playing, rewards, illegal = self.agents, dict.fromkeys(self.agents, 0.0), set()
        for agent in playing:
            try:
                rewards[agent] = self._play(agent, int(actions[agent]))
            except IllegalError:
                illegal.add(agent)
        over = {agent: agent in illegal or self.positions[agent].is_over for agent in playing}
        seen, infos = self._observe(playing), self._make_infos(playing)
        self.agents = [agent for agent in playing if not over[agent]]
        return seen, rewards, over, dict.fromkeys(playing, False), infos

    def render(self) -> str | None:
        """Return all sheets as text, one after the other."""
        return "\n\n".join(map(str, self.positions.values())) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resource is open."""

    def _play(self, agent: str, action: int) -> float:
        before = self.positions[agent]
        after = apply(before, self.actions.move(action)).after
        self.positions[agent] = roll_dice(after, self._random)
        return float(after.cards[0].total - before.cards[0].total)

    def _observe(self, agents: list[str]) -> dict[str, Seen]:
        return {agent: self._view(agent) for agent in agents}

    def _view(self, agent: str) -> Seen:
        own, names = self.possible_agents.index(agent), self.possible_agents
        others = [self.positions[names[(own + step) % len(names)]].cards[0] for step in range(1, len(names))]
        position = self.positions[agent]
        seen = sheet_features(self.book).alone(position, others)
        return {"observation": seen, "action_mask": self.actions.mask(position)}

    def _make_infos(self, agents: list[str]) -> dict[str, dict[str, Any]]:
        if self._solution is None:
            return {agent: {} for agent in agents}
        return {agent: {"regret": regrets(self._solution, self.positions[agent])} for agent in agents}


raw_env, parallel_env = TableEnv, SideBySide  # PettingZoo's names


def env(**options: Any) -> AECEnv[Any, Any, Any]:
    """Return the table with PettingZoo's usual wrappers: an illegal action costs a point and ends the game.

    The options are those of `TableEnv`.

    >>> from fivedice.learning import table_v0
    >>> table_v0.env(book="yatzy", players=3, regret=False).possible_agents
    ['player_0', 'player_1', 'player_2']
    """
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(TableEnv(**options), illegal_reward=-1))
    )
