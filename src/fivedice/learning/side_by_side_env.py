"""Several players who play their own sheets at the same time: PettingZoo's way of games where all agents act at once.

At a table moves are made in turn, and nothing there is parallel. But nobody can change another's dice or sheet, so the
same games can be played side by side: all act in every step, each with dice of their own, and see each other's sheets.
A turn takes one to three steps, so some are done before others. Agents are paid in points: who wins is known only when
the last one is done, and the first have left by then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from fivedice.learning.extras import need

need("pettingzoo")

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from fivedice.errors import IllegalError
from fivedice.game import Position, apply
from fivedice.learning.action_list import action_list, rules_of
from fivedice.learning.exact_regret import regrets, solution_for
from fivedice.learning.goals_paid import agent_names
from fivedice.learning.sheet_features import sheet_features
from fivedice.learning.solo_env import thrown
from fivedice.learning.table_env import Seen, spaces_of
from fivedice.rules import DEFAULT, RuleBook

Answers = tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class SideBySide(ParallelEnv[str, Seen, int]):
    """An action that is not legal ends the game of its agent alone."""

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
        made = {agent: spaces_of(self.book, players) for agent in self.possible_agents}
        self.observation_spaces = {agent: each[0] for agent, each in made.items()}
        self.action_spaces = {agent: each[1] for agent, each in made.items()}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - the protocol's
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """New games, each with its first dice on the table."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        start = Position.start(self.book, 1)
        self.positions = {agent: thrown(start, self._random) for agent in self.agents}
        return self._seen(self.agents), self._infos(self.agents)

    def step(self, actions: dict[str, int]) -> Answers:
        """One action of every agent that still plays."""
        playing, rewards, illegal = self.agents, dict.fromkeys(self.agents, 0.0), set()
        for agent in playing:
            try:
                rewards[agent] = self._play(agent, int(actions[agent]))
            except IllegalError:
                illegal.add(agent)
        over = {agent: agent in illegal or self.positions[agent].is_over for agent in playing}
        seen, infos = self._seen(playing), self._infos(playing)
        self.agents = [agent for agent in playing if not over[agent]]
        return seen, rewards, over, dict.fromkeys(playing, False), infos

    def render(self) -> str | None:
        """All sheets, one after the other, as text."""
        return "\n\n".join(map(str, self.positions.values())) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _play(self, agent: str, action: int) -> float:
        before = self.positions[agent]
        after = apply(before, self.actions.move(action)).after
        self.positions[agent] = thrown(after, self._random)
        return float(after.cards[0].total - before.cards[0].total)

    def _seen(self, agents: list[str]) -> dict[str, Seen]:
        return {agent: self._view(agent) for agent in agents}

    def _view(self, agent: str) -> Seen:
        own, names = self.possible_agents.index(agent), self.possible_agents
        others = [self.positions[names[(own + step) % len(names)]].cards[0] for step in range(1, len(names))]
        position = self.positions[agent]
        seen = sheet_features(self.book).alone(position, others)
        return {"observation": seen, "action_mask": self.actions.mask(position)}

    def _infos(self, agents: list[str]) -> dict[str, dict[str, Any]]:
        if self._solution is None:
            return {agent: {} for agent in agents}
        return {agent: {"regret": regrets(self._solution, self.positions[agent])} for agent in agents}
