"""The same games for OpenSpiel: `python_fivedice`, with every roll as a chance node.

    import pyspiel
    import fivedice.learning.spiel_game                        # registers it

    game = pyspiel.load_game("python_fivedice(book=yatzy,players=2,goal=win)")

A chance outcome is the number of the roll on the table, as `dice.rolls` lists them, with its exact probability. Actions
of players are numbered as in the other environments (`action_list`). `book` is a key or the path of a file. The text of
house rules is accepted in a dictionary of parameters, but then states cannot be written as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from fivedice.learning import require_package

require_package("pyspiel")

import numpy as np
import pyspiel

from fivedice.core.dice import Roll, rolls
from fivedice.core.game import Position, Throw, apply
from fivedice.core.notation import write_position
from fivedice.core.rules import DEFAULT, RuleBook
from fivedice.learning.encoding import (
    MOST_PLAYERS,
    action_list,
    agent_names,
    check_goal,
    rules_of,
    shares,
    sheet_features,
)

NAME = "python_fivedice"


def _make_type(utility: Any) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Fivedice",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"book": DEFAULT, "players": 1, "goal": "points"},
    )


_POINTS = _make_type(pyspiel.GameType.Utility.GENERAL_SUM)
_WIN = _make_type(pyspiel.GameType.Utility.ZERO_SUM)


class SpielGame(pyspiel.Game):
    """The rules, the number of players, and their goal: the final score of each, or the win."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.book: RuleBook = rules_of(given.get("book", DEFAULT))
        self.players = len(agent_names(int(given.get("players", 1))))
        self.goal = check_goal(str(given.get("goal", "points")))
        self.actions = action_list(self.book)
        self.rolls = rolls(self.book.dice, self.book.faces)
        self._numbers = {roll.faces: number for number, roll in enumerate(self.rolls)}
        self._chances: dict[tuple[int, ...], list[tuple[int, float]]] = {}
        super().__init__(_WIN if self.goal == "win" else _POINTS, self._make_info(), given)

    def _make_info(self) -> pyspiel.GameInfo:
        throws = len(self.book.boxes) * self.book.rolls * self.players
        highest = float(sheet_features(self.book).highest_total)
        low, high = (-1.0, self.players - 1.0) if self.goal == "win" else (0.0, highest)
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.actions),
            max_chance_outcomes=len(self.rolls),
            num_players=self.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.goal == "win" else None,
            max_game_length=throws,
        )

    def chances(self, position: Position) -> list[tuple[int, float]]:
        """Return every possible roll with its probability, cached by the dice that are kept."""
        kept = position.dice.faces
        if kept not in self._chances:
            every = self.book.faces**position.in_cup
            found = [(self._numbers[throw.roll.faces], ways / every) for throw, ways in position.chances()]
            self._chances[kept] = sorted(found)
        return self._chances[kept]

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return len(self.book.boxes) * self.book.rolls * self.players

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:  # noqa: ARG002
        """Return an observer that sees everything, because nothing is hidden."""
        return SpielObserver(self)


@dataclass(frozen=True, slots=True)
class _Value:
    """A position that OpenSpiel need not copy, because it is a value."""

    position: Position

    def __deepcopy__(self, memo: object) -> Self:
        return self


class SpielState(pyspiel.State):
    """A position, with a chance node while dice are in the cup."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._value = _Value(Position.start(game.book, game.players))

    @property
    def position(self) -> Position:
        return self._value.position

    def current_player(self) -> int:
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.in_cup else self.position.seat

    def _legal_actions(self, player: int) -> list[int]:
        if self.position.is_over or player != self.position.seat:
            return []
        return np.flatnonzero(self.get_game().actions.mask(self.position)).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every possible next roll with its probability."""
        found: list[tuple[int, float]] = self.get_game().chances(self.position)
        return found

    def _apply_action(self, action: int) -> None:
        game, before = self.get_game(), self.position
        move = Throw(Roll(game.rolls[action].faces)) if before.in_cup else game.actions.move(action)
        self._value = _Value(apply(before, move).after)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        return str(game.rolls[action]) if player == pyspiel.PlayerId.CHANCE else str(game.actions.names[action])

    def is_terminal(self) -> bool:
        return bool(self.position.is_over)

    def returns(self) -> list[float]:
        """Return the final scores, or the shares of the win; zeros before the end."""
        if not self.position.is_over:
            return [0.0] * len(self.position.cards)
        if self.get_game().goal == "win":
            return shares(self.position)
        return [float(card.total) for card in self.position.cards]

    def __str__(self) -> str:
        return write_position(self.position)


class SpielObserver:
    """A player's view, as numbers (`sheet_features`) and as text."""

    def __init__(self, game: SpielGame) -> None:
        self._features = sheet_features(game.book)
        self.tensor = np.zeros(self._features.size_for(game.players), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = self._features.of(state.position, max(player, 0))

    def string_from(self, state: SpielState, player: int) -> str:  # noqa: ARG002 - all players see the same
        return str(state)


pyspiel.register_game(_POINTS, SpielGame)
