"""Grades match the scores they stand for, and the baseline learns."""

import numpy as np
import pytest

import fivedice as fd
from fivedice.learning.baseline import ValueNetwork, main, shuffle, trained
from fivedice.learning.batch_turns import ActionWorths, TurnWorths, table_values
from fivedice.learning.encoding import Numbers
from fivedice.learning.grading import Agent, Policy, graded
from fivedice.learning.many_games import ManyGames, Whole
from fivedice.solver import solve
from for_each import for_each
from learning.houses import SAVING, TINY
from long import long_only


def at_random(games: ManyGames) -> Policy:
    random = np.random.default_rng(games.count)
    return lambda _seen, masks: np.argmax(masks * random.random(masks.shape), axis=1)


def perfect(games: ManyGames) -> Policy:
    worths = ActionWorths(TurnWorths(games.book, table_values(solve(games.book))))
    return lambda _seen, _masks: np.argmax(worths.of(games), axis=1)


def greedy(games: ManyGames) -> Policy:
    """Nothing but the points of this turn."""
    worths = ActionWorths(TurnWorths(games.book, lambda sheets: np.zeros(len(sheets.masks))))
    return lambda _seen, _masks: np.argmax(worths.of(games), axis=1)


@for_each("agent", [at_random, greedy])
def test_optimum_less_regrets_is_the_mean_score(agent: Agent) -> None:
    grade = graded(agent, TINY, games=2000, seed=3)
    assert abs(grade.mean - grade.mean_score) < 4 * (grade.error + grade.score_error)
    assert grade.mean < grade.optimum - 5 * grade.error
    assert (grade.games, grade.illegal) == (2000, 0)


def test_luck_regrets_and_illegal_actions_add_up() -> None:
    """The score of a game is the optimum, and its luck, less its regrets; luck averages to zero for every player."""
    wild, calm = (graded(agent, TINY, games=2000, seed=5) for agent in (at_random, perfect))
    for grade in (wild, calm):
        luck = grade.scores - grade.optimum + grade.regrets
        assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
    grade = graded(perfect, TINY, games=600)
    assert grade.regrets.max() < 1e-9
    assert grade.mean == pytest.approx(grade.optimum)
    assert grade.error < 1e-9 < grade.score_error
    assert grade.share == pytest.approx(1.0)
    grade = graded(at_random, SAVING, games=60)
    assert grade.regrets.min() >= 0.0

    def stubborn(games: ManyGames) -> Policy:
        def policy(_seen: Numbers, masks: np.ndarray) -> Whole:
            return np.full(games.count, masks.shape[1] - 1)

        return policy

    grade = graded(stubborn, TINY, games=50)
    assert grade.illegal == 50
    assert abs(grade.mean - grade.mean_score) < 4 * (grade.error + grade.score_error)


def test_baseline_learns_reproducibly() -> None:
    before, after, again = (trained(TINY, rounds=rounds, seed=4) for rounds in (1, 25, 25))
    first, second = (graded(each.plays, TINY, games=400) for each in (before, after))
    assert second.mean > max(first.mean, 0.98 * second.optimum)
    np.testing.assert_array_equal(after.network.weights[0], again.network.weights[0])


@long_only
def test_short_training_is_nearly_enough() -> None:
    agent = trained("yahtzee", rounds=100)
    assert graded(agent.plays, "yahtzee", games=500).mean > 252


def test_gradients_match_the_error() -> None:
    """By small steps in every direction of one row of each layer."""
    random = np.random.default_rng(2)
    network = ValueNetwork(fd.book("yatzy"), 8, random)
    seen = random.random((50, network.inputs.size)).astype(np.float32)
    targets = 20.0 * random.random(50)

    def error() -> float:
        off, _ = network.slopes(seen, targets)
        return float(np.mean(off.astype(np.float64) ** 2)) / 2

    _, gradients = network.slopes(seen, targets)
    for parameter, gradient in zip(network.parameters, gradients, strict=True):
        for place in range(parameter.size):
            flat, step = parameter.reshape(-1), np.float32(2e-3)
            before, flat[place] = flat[place], flat[place] + step
            above = error()
            flat[place] = before - step
            below = error()
            flat[place] = before
            assert (above - below) / (2 * step) == pytest.approx(gradient.reshape(-1)[place], abs=2e-3)


def test_first_steps_reduce_the_error() -> None:
    random = np.random.default_rng(1)
    network = ValueNetwork(fd.book("kismet"), 16, random)
    seen = random.random((256, network.inputs.size)).astype(np.float32)
    targets = 40.0 * seen[:, 0] * seen[:, 1] + 10.0
    errors = [network.learn(seen[part], targets[part], 3e-3) for _ in range(60) for part in shuffle(256, 64, random)]
    assert np.mean(errors[-8:]) < 0.2 * np.mean(errors[:8])


def test_baseline_refuses_saved_rolls_and_command_prints_a_grade(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(fd.IllegalError, match="saves rolls"):
        trained(SAVING, rounds=1)
    main([TINY, "--seconds", "0.1", "--games", "100"])
    answer = capsys.readouterr().out
    assert "of the optimum" in answer
    assert "by the exact regrets of 100 other games" in answer
