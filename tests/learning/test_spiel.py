"""OpenSpiel's own simulations, and the value of whole game trees against the exact solver."""

from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import fivedice as fd
from fivedice.learning.encoding import action_list
from fivedice.learning.spiel_game import NAME
from fivedice.solver import solve
from fivedice.solver.win import equilibrium
from for_each import for_each
from learning.houses import SAVING, TINY, named


def load(book: str, **parameters: Any) -> Any:
    return pyspiel.load_game(NAME, {"book": book, **parameters})


def value(state: Any, known: dict[str, np.ndarray]) -> np.ndarray:
    """Return the expected return of each player by expectimax over the whole tree."""
    name = str(state)
    if name not in known:
        known[name] = _value(state, known)
    return known[name]


def _value(state: Any, known: dict[str, np.ndarray]) -> np.ndarray:
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance_node():
        return sum(chance * value(state.child(roll), known) for roll, chance in state.chance_outcomes())
    values = [value(state.child(action), known) for action in state.legal_actions()]
    return max(values, key=lambda each: each[state.current_player()])


@for_each("book", [TINY, SAVING], ids=named)
def test_tree_value_matches_the_solver(book: str) -> None:
    rules = fd.load_book(book)
    known: dict[str, np.ndarray] = {}
    best = value(load(book).new_initial_state(), known)[0]
    assert best == pytest.approx(solve(rules).value(fd.Scorecard.empty(rules)), abs=1e-12)
    assert len(known) > 100


def test_regrets_match_the_tree() -> None:
    """The independent answer for `info["regret"]`: no line of the solver is in it."""
    from fivedice.learning.encoding import regrets

    rules, game, known, checked = fd.load_book(TINY), load(TINY), {}, 0
    best = value(game.new_initial_state(), known)[0]
    assert best > 0
    waiting, seen = [game.new_initial_state()], set()
    while waiting:
        state = waiting.pop()
        if str(state) in seen or state.is_terminal():
            continue
        seen.add(str(state))
        waiting += [state.child(action) for action in state.legal_actions()]
        if not state.is_chance_node():
            lost = {
                action: value(state, known)[0] - value(state.child(action), known)[0]
                for action in state.legal_actions()
            }
            found = regrets(solve(rules), state.position)
            assert {action: pytest.approx(loss, abs=1e-9) for action, loss in lost.items()} == {
                int(action): found[action] for action in np.flatnonzero(np.isfinite(found))
            }
            checked += 1
    assert checked > 50


def test_two_player_tree_matches_the_equilibrium() -> None:
    short = TINY[: TINY.index("[boxes.chance]")]
    first = value(load(short, players=2, goal="win").new_initial_state(), {})[0]
    assert (first + 1) / 2 == pytest.approx(equilibrium(fd.load_book(short)).shares[0], abs=1e-9)


@for_each("parameters", ["book=yatzy", "book=maxi-yatzy", "book=crag,players=3,goal=win"])
def test_openspiel_plays_and_serializes_games(parameters: str) -> None:
    game = pyspiel.load_game(f"{NAME}({parameters})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_house_rules_by_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(TINY, encoding="utf-8")
    game = pyspiel.load_game(f"{NAME}(book={path},players=2)")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_chances_are_exact_and_named() -> None:
    state = load("yahtzee").new_initial_state()
    chances = dict(state.chance_outcomes())
    assert (len(chances), sum(chances.values())) == (252, pytest.approx(1.0, abs=1e-12))
    five = state.get_game().rolls.index(fd.Roll.parse("66666"))
    assert chances[five] == 1 / 6**5
    assert state.action_to_string(five) == "66666"
    state.apply_action(five)
    keep = action_list(fd.book("yahtzee")).number(fd.Hold(fd.Keep.parse("6666")))
    assert state.action_to_string(keep) == "6666"
    state.apply_action(keep)
    assert sorted(chance for _, chance in state.chance_outcomes()) == [1 / 6] * 6


def test_observations_match_and_impossible_parameters_are_refused() -> None:
    state = load("yahtzee", players=2).new_initial_state()
    state.apply_action(7)
    tensor = state.observation_tensor(0)
    assert len(tensor) == state.get_game().observation_tensor_shape()[0]
    assert sum(tensor[:6]) == pytest.approx(1.0)
    assert state.observation_string(1) == str(state)
    with pytest.raises(fd.UnknownBook, match="yatzee"):
        load("yatzee")
    with pytest.raises(fd.IllegalError, match="'money'"):
        load("yatzy", goal="money")
