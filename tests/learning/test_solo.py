"""The single-player environment: Gymnasium's checker, the engine's rules, exact regrets."""

import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import fivedice as fd
import fivedice.learning
from fivedice.learning.encoding import action_list, rules_of
from fivedice.learning.solo_env import Solo
from fivedice.learning.table_v0 import SideBySide, TableEnv
from for_each import for_each
from learning.houses import SAVING, TINY, named
from long import few


def play_randomly(env: Solo, seed: int) -> tuple[list[float], list[dict[str, Any]]]:
    """Play random legal actions; return the rewards and infos."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    rewards, infos, over = [], [info], False
    while not over:
        action = env.action_space.sample(infos[-1]["action_mask"])
        _, reward, over, _, info = env.step(action)
        rewards.append(reward)
        infos.append(info)
    return rewards, infos


@for_each("book", [*few(fd.SHIPPED, 3), TINY, SAVING], ids=named)
def test_gymnasium_checker_passes(book: str) -> None:
    env = gym.make(fivedice.learning.SOLO, book=book, regret=False, render_mode="ansi")
    check_env(env.unwrapped)


def test_gymnasium_checker_passes_with_regrets() -> None:
    check_env(gym.make(fivedice.learning.SOLO, book=fd.load_book(TINY), render_mode="ansi").unwrapped)


@for_each("book", [*fd.SHIPPED, TINY, SAVING], ids=named)
def test_rewards_sum_to_the_score(book: str) -> None:
    env = Solo(book, regret=False)
    rewards, _ = play_randomly(env, 7)
    assert env.position.is_over
    assert sum(rewards) == env.position.card.total > 0


def test_mask_matches_the_engine() -> None:
    env = Solo(regret=False)
    _, info = env.reset(seed=3)
    named = {str(action_list(env.book).move(int(action))) for action in np.flatnonzero(info["action_mask"])}
    assert named == {str(move) for move in env.position.legal_moves}
    assert len(env.actions) == 210 + 13
    assert env.actions.names[0] == "-"
    assert env.actions.names[-1] == "chance"


def test_rules_are_given_in_any_form(tmp_path: Path) -> None:
    path = tmp_path / "house=ours.toml"
    path.write_text(TINY, encoding="utf-8")
    book = fd.load_book(TINY)
    assert {rules_of(each) for each in (path, str(path), TINY, book)} == {book}
    assert rules_of('extends = "yatzy"').extends == "yatzy"
    assert rules_of("yatzy") is fd.book("yatzy")
    with pytest.raises(fd.UnknownBook, match="yatzee"):
        rules_of("yatzee")


def test_actions_are_numbered_once_and_games_repeat_by_seed() -> None:
    actions = action_list(fd.book("kismet"))
    assert [actions.number(actions.move(number)) for number in range(len(actions))] == list(range(len(actions)))
    with pytest.raises(fd.IllegalMove, match=r"numbered from 0 to 224\. You entered 225"):
        actions.move(225)
    assert play_randomly(Solo(regret=False), 11)[0] == play_randomly(Solo(regret=False), 11)[0]
    assert play_randomly(Solo(regret=False), 11)[0] != play_randomly(Solo(regret=False), 12)[0]
    env = Solo(TINY, regret=False, render_mode="ansi")
    env.reset(seed=0)
    assert "Pair" in str(env.render())
    assert Solo(TINY, regret=False).render() is None


def test_regrets_match_the_solver_and_illegal_actions_end_the_game() -> None:
    env = Solo(TINY, regret=False)
    env.reset(seed=1)
    env.step(np.int64(env.actions.number(fd.Mark("chance"))))
    before = env.position
    _, reward, over, cut, info = env.step(np.int64(env.actions.number(fd.Mark("chance"))))
    assert (reward, over, cut) == (0.0, True, False)
    assert "Chance" in info["illegal"]
    assert env.position == before
    env = Solo(TINY)
    _, infos = play_randomly(env, 5)
    first = infos[0]
    legal = first["action_mask"] == 1
    assert np.isinf(first["regret"][~legal]).all()
    assert first["regret"][legal].min() == 0.0
    assert (first["regret"][legal] > 0.1).any()


def test_missing_regrets_are_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the extra `solver` they cannot be worked out."""
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    house = TINY.replace("points = 5", "points = 6")  # not solved by another test
    for make in (Solo, TableEnv, SideBySide):
        with pytest.warns(UserWarning, match=r"Regrets .*pip install 'fivedice\[solver\]'"):
            make(house)
        make(house, regret=False)


def test_regrets_are_optional_and_off_for_large_books() -> None:
    assert "regret" not in Solo(TINY, regret=False).reset(seed=0)[1]
    assert "regret" not in Solo("maxi-yatzy").reset(seed=0)[1]
    assert "regret" in Solo(SAVING).reset(seed=0)[1]
