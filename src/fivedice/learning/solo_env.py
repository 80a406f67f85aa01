"""`fivedice/Solo-v0`: one player and one score sheet, as a Gymnasium environment.

The reward of a step is the points it brings, with bonuses when they are earned, so the rewards of a game add up to its
final score. An illegal action ends the game, so an agent without the mask can learn the rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from fivedice.learning import require_package

require_package("gymnasium")

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from fivedice.core.dice import Roll
from fivedice.core.game import Position, Throw, apply
from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.errors import IllegalError
from fivedice.learning.encoding import Numbers, action_list, regrets, rules_of, sheet_features, solution_for


def roll_dice(position: Position, random: np.random.Generator) -> Position:
    """Return the position after the dice in the cup are rolled, if there are any."""
    if not position.chance_moves_next:
        return position
    fell = random.integers(1, position.book.faces + 1, size=position.in_cup).tolist()
    return apply(position, Throw(Roll((*position.dice.faces, *fell)))).after


class Solo(gym.Env[Numbers, np.int64]):
    """A game for one player.

    `book` is a key, a path, the text of house rules or a `RuleBook`. `info` has the `action_mask` and, with `regret`,
    the exact regret of every legal action (see `encoding.solution_for`); after an illegal action also `illegal`,
    the reason.

    >>> from fivedice.learning.solo_env import Solo
    >>> env = Solo("yatzy", regret=False)
    >>> seen, info = env.reset(seed=1)
    >>> seen, reward, over, _, info = env.step(info["action_mask"].argmax())
    >>> reward, over
    (0.0, False)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        book: RuleBook | str | Path = DEFAULT,
        *,
        regret: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.book = rules_of(book)
        self.actions = action_list(self.book)
        self.render_mode = render_mode
        self.position = Position.start(self.book, 1)
        self._features = sheet_features(self.book)
        self._solution = solution_for(self.book, regret)
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = spaces.Box(0.0, 1.0, (self._features.size,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Start a new game, with its first dice on the table."""
        super().reset(seed=seed, options=options)
        self.position = roll_dice(Position.start(self.book, 1), self.np_random)
        return self._features.of(self.position), self._info()

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Keep dice and roll the others, or score a box and roll for the next turn."""
        before = self.position
        try:
            after = apply(before, self.actions.move(int(action))).after
        except IllegalError as error:
            return self._features.of(before), 0.0, True, False, self._info() | {"illegal": str(error)}
        reward = float(after.cards[0].total - before.cards[0].total)
        self.position = roll_dice(after, self.np_random)
        return self._features.of(self.position), reward, self.position.is_over, False, self._info()

    def render(self) -> str | None:
        """Return the sheet and the dice as text."""
        return str(self.position) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.actions.mask(self.position)}
        if self._solution is not None:
            info["regret"] = regrets(self._solution, self.position)
        return info
