"""Several players: PettingZoo's checkers, and the engine's rules."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import fivedice as fd
import fivedice.learning
from fivedice.core.game import Position
from fivedice.learning import table_v0
from fivedice.learning.encoding import shares
from for_each import for_each
from learning.houses import SAVING, TINY, named

# What agents see is a dictionary with the mask in it, as in PettingZoo's own games of turns, which it knows by name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


@for_each("book", ["yatzy", "maxi-yatzy", TINY, SAVING], ids=named)
def test_pettingzoo_checkers_pass(book: str) -> None:
    api_test(table_v0.env(book=book, regret=False), num_cycles=60)
    seed_test(lambda: table_v0.env(book=book, regret=False, players=3), num_cycles=60)


@for_each("goal", ["points", "win"])
def test_pettingzoo_checkers_pass_with_regrets(goal: str) -> None:
    api_test(table_v0.env(book=TINY, players=3, goal=goal), num_cycles=40)


@for_each("book", ["yatzy", TINY], ids=named)
def test_parallel_checkers_pass(book: str) -> None:
    parallel_api_test(table_v0.parallel_env(book=book, regret=False, players=3), num_cycles=60)
    parallel_seed_test(lambda: table_v0.parallel_env(book=book, regret=False), num_cycles=60)


def play_randomly(env: Any, seed: int) -> dict[str, float]:
    """A whole game of random legal actions: what each agent was paid."""
    env.reset(seed=seed)
    random, paid = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        paid[agent] += reward
        env.step(None if over else int(random.choice(np.flatnonzero(seen["action_mask"]))))
    return paid


def test_rewards_are_scores_and_ties_share_the_win() -> None:
    env = table_v0.env(book="yahtzee", players=3, regret=False)
    paid = play_randomly(env, 4)
    assert list(paid.values()) == [card.total for card in env.unwrapped.position.cards]
    book = fd.load_book(TINY)
    low, high = (fd.Scorecard.of(book, {"chance": points}) for points in (2, 6))
    position = replace(Position.start(book, 3), cards=(high, low, high))
    assert shares(position) == [0.5, -1.0, 0.5]


@for_each("seed", range(6))
def test_win_rewards_sum_to_zero(seed: int) -> None:
    env = table_v0.env(book=TINY, players=3, goal="win", regret=False)
    paid = list(play_randomly(env, seed).values())
    outcome = env.unwrapped.position.outcome
    assert sum(paid) == pytest.approx(0.0)
    assert {seat for seat in range(3) if paid[seat] > 0} == (
        set(outcome.winners) if len(outcome.winners) < 3 else set()
    )
    assert min(paid) == (-1.0 if len(outcome.winners) < 3 else 0.0)


def test_agent_on_turn_acts_and_gets_exact_regrets() -> None:
    env = table_v0.raw_env("kismet", players=2, regret=False, render_mode="ansi")
    env.reset(seed=3)
    mine, theirs = env.observe("player_0"), env.observe("player_1")
    assert mine["action_mask"].sum() == len(env.position.legal_moves)
    assert theirs["action_mask"].sum() == 0
    np.testing.assert_array_equal(mine["observation"][:7], theirs["observation"][:7])
    assert "Kismet" in str(env.render())
    env = table_v0.raw_env(TINY, players=2)
    env.reset(seed=3)
    legal = env.observe("player_0")["action_mask"] == 1
    assert env.infos["player_0"]["regret"][legal].min() == 0.0
    assert env.infos["player_1"] == {}
    seen, infos = table_v0.parallel_env(TINY).reset(seed=3)
    assert all(np.isfinite(infos[each]["regret"]).sum() == seen[each]["action_mask"].sum() for each in seen)


def test_parallel_sheets_are_paid_and_seen() -> None:
    env = table_v0.parallel_env("crag", players=3, regret=False, render_mode="ansi")
    seen, _ = env.reset(seed=8)
    random, paid = np.random.default_rng(8), dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        actions = {agent: int(random.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in env.agents}
        seen, rewards, _, _, _ = env.step(actions)
        for agent, reward in rewards.items():
            paid[agent] += reward
    assert paid == {agent: position.cards[0].total for agent, position in env.positions.items()}
    assert str(env.render()).count("Combinations") == 3


def test_illegal_actions_end_one_game() -> None:
    env = table_v0.parallel_env(TINY, players=2, regret=False)
    env.reset(seed=1)
    chance, pair = (env.actions.number(fd.Mark(box)) for box in ("chance", "pair"))
    env.step(dict.fromkeys(env.agents, chance))
    _, _, over, _, _ = env.step({"player_0": chance, "player_1": pair})
    assert over == {"player_0": True, "player_1": False}
    assert env.agents == ["player_1"]
    env = table_v0.env(book=TINY, regret=False)
    env.reset(seed=1)
    chance = env.unwrapped.actions.number(fd.Mark("chance"))
    for _ in range(3):
        env.last()
        env.step(chance)
    assert env.unwrapped.position.cards[0].filled.bit_count() == 1
    assert all(env.terminations.values())
    assert env.rewards["player_0"] == -1.0


def test_environments_are_registered_and_check_their_arguments() -> None:
    pytest.importorskip("pettingzoo.env_registry")
    from pettingzoo import make

    assert make("aec", fivedice.learning.TABLE, book=TINY, players=4).possible_agents[-1] == "player_3"
    assert make("parallel", fivedice.learning.TABLE, book=TINY).possible_agents == ["player_0", "player_1"]
    with pytest.raises(fd.IllegalError, match=r"Choose 1 to 12 players\. You entered 13"):
        table_v0.raw_env(TINY, players=13)
    with pytest.raises(fd.IllegalError, match="'money'"):
        table_v0.raw_env(TINY, goal="money")  # type: ignore[arg-type]
