"""Many games at once: every step is also played by the engine."""

from random import Random

import gymnasium as gym
import numpy as np
import pytest

import fivedice as fd
import fivedice.learning
from fivedice.core.game import Position
from fivedice.core.rules import RuleBook
from fivedice.learning.encoding import regrets, sheet_features
from fivedice.learning.solo_vector import SoloVector
from for_each import for_each
from learning.houses import SAVING, TINY
from solver.tiny_books import newer_book, random_book, saving_book


class Shadow:
    """Play the same games by the engine, with the dice of the arrays."""

    def __init__(self, env: SoloVector, regret: bool = False) -> None:
        self.env, self.regret = env, regret
        self.positions = [self._thrown(Position.start(env.book, 1), game) for game in range(env.num_envs)]

    def _thrown(self, position: Position, game: int) -> Position:
        if not position.chance_moves_next:
            return position
        roll = self.env.games.rules.compiled.lattice.rolls[int(self.env.games.rolls[game])]
        return fd.apply(position, fd.Throw(fd.Roll(roll))).after

    def follow(self, game: int, action: int, ended: bool) -> float:
        """Play an action by the engine and return its points."""
        before = self.positions[game]
        if ended:
            self.positions[game] = self._thrown(Position.start(self.env.book, 1), game)
            return 0.0
        after = fd.apply(before, self.env.actions.move(action)).after
        self.positions[game] = self._thrown(after, game)
        return float(after.cards[0].total - before.cards[0].total)

    def check(self, seen: np.ndarray, info: dict[str, np.ndarray]) -> None:
        features = sheet_features(self.env.book)
        for game, position in enumerate(self.positions):
            np.testing.assert_allclose(seen[game], features.of(position), atol=1e-6)
            np.testing.assert_array_equal(info["action_mask"][game], self.env.actions.mask(position))
            if self.regret and self.env.solution is not None:
                exact = regrets(self.env.solution, position)
                np.testing.assert_allclose(info["regret"][game], exact, atol=1e-8)


def play(book: RuleBook | str, games: int, steps: int, *, regret: bool = False) -> int:
    """Random legal actions, all of them followed: how many games came to an end."""
    env = SoloVector(games, book, regret=regret)
    random = np.random.default_rng(5)
    seen, info = env.reset(seed=9)
    shadow = Shadow(env, regret)
    shadow.check(seen, info)
    ended, count = np.zeros(games, dtype=bool), 0
    for _ in range(steps):
        actions = np.argmax(info["action_mask"] * random.random(info["action_mask"].shape), axis=1)
        seen, rewards, over, cut, info = env.step(actions)
        expected = [shadow.follow(game, int(actions[game]), bool(ended[game])) for game in range(games)]
        assert rewards.tolist() == expected
        assert over.tolist() == [position.is_over for position in shadow.positions]
        assert not cut.any()
        shadow.check(seen, info)
        ended, count = over, count + int(over.sum())
    return count


@for_each("book", fd.SHIPPED)
def test_vectorised_shipped_books_match_the_engine(book: str) -> None:
    play(book, 3, 30)


@for_each("seed", range(18))
def test_vectorised_odd_books_match_the_engine(seed: int) -> None:
    make = (random_book, newer_book, saving_book)[seed % 3]
    assert play(make(Random(seed)), 6, 25) > 0


@for_each(("book", "games"), [(TINY, 20), (SAVING, 4)], ids=["tiny", "saving"])
def test_frequent_equal_dice_match_the_engine(book: str, games: int) -> None:
    assert play(book, games, 40, regret=True) > games


@for_each("seed", range(4))
def test_vectorised_regrets_match_single_games(seed: int) -> None:
    play((random_book, newer_book)[seed % 2](Random(70 + seed)), 4, 12, regret=True)


def test_vector_environments_are_registered() -> None:
    envs = gym.make_vec(fivedice.learning.SOLO, num_envs=5, book="yatzy")
    assert isinstance(envs, SoloVector)
    seen, info = envs.reset(seed=1)
    assert seen in envs.observation_space
    assert info["action_mask"].shape == (5, 225)
    assert envs.action_space.shape == (5,)
    envs = gym.make_vec(fivedice.learning.SOLO, num_envs=2, vectorization_mode="sync", book=TINY, regret=False)
    seen, info = envs.reset(seed=1)
    assert seen.shape == (2, sheet_features(fd.load_book(TINY)).size)
    assert info["action_mask"].shape == (2, SoloVector(2, TINY).games.rules.keep_masks.shape[1] + 3)
    envs.close()


def test_illegal_action_ends_only_its_game() -> None:
    env = SoloVector(2, TINY)
    env.reset(seed=1)
    chance, pair = (env.actions.number(fd.Mark(box)) for box in ("chance", "pair"))
    env.step(np.array([chance, chance]))
    _, rewards, over, _, _ = env.step(np.array([chance, pair]))
    assert (rewards[0], over.tolist()) == (0.0, [True, False])
    env.step(np.array([0, 0]))
    assert env.games.sheets.masks[0] == 0, "begun anew"


def test_equal_seeds_repeat_and_wrong_numbers_are_named() -> None:
    first, second, third = (SoloVector(4, TINY).reset(seed=seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert (first != third).any()
    env = SoloVector(2, TINY)
    env.reset(seed=1)
    with pytest.raises(fd.IllegalMove, match="There are 2 games"):
        env.step(np.array([1]))
    with pytest.raises(fd.IllegalMove, match="You entered 99"):
        env.step(np.array([1, 99]))
    with pytest.raises(fd.IllegalMove, match="You entered 0"):
        SoloVector(0, TINY)
