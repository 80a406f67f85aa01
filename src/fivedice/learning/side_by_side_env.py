"""Several players who play their own sheets at the same time, as a parallel environment of PettingZoo.

At a table players take turns. But players cannot change each other's dice or sheets, so the same games can be played in
parallel: all act in every step, each with their own dice, and see each other's sheets. A turn takes one to three steps,
so some finish before others. Agents are paid in points only: the winner is known when the last one is done, and by then
the others have left.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from fivedice.learning import require_package

require_package("pettingzoo")

import numpy as np
from pettingzoo import ParallelEnv

from fivedice.core.game import Position, apply
from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.errors import IllegalError
from fivedice.learning.arrays.action_list import action_list, rules_of
from fivedice.learning.arrays.exact_regret import regrets, solution_for
from fivedice.learning.arrays.sheet_features import sheet_features
from fivedice.learning.goals_paid import agent_names
from fivedice.learning.solo_env import roll_dice
from fivedice.learning.table_env import AgentSpaces, Seen

Answers = tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class SideBySide(AgentSpaces, ParallelEnv[str, Seen, int]):
    """The parallel environment. An illegal action ends the game of its agent only.

    `book` is a key, a path, the text of house rules or a `RuleBook`. `regret` is explained in
    `exact_regret.solution_for`.

    >>> from fivedice.learning.side_by_side_env import SideBySide
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
