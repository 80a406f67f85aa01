"""Books that save rolls: stored layers, refusals, and played games."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, book, load_book
from fivedice.errors import IllegalError
from fivedice.players.bots.solo_games import simulate as play_games
from fivedice.solver import bonus, solve
from fivedice.solver.chase import chase
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.runtime import solution_cache, solution_files
from fivedice.solver.simulate import simulate
from fivedice.solver.solution import is_stored, known, outlook
from fivedice.solver.values.saved_values import places
from for_each import for_each
from long import few
from solver import fraction_solver as exact
from solver.tiny_books import random_card, saving_book

SMALL = """
format = 1
key = "small"
name = "Small"
dice = 2
faces = 6
rolls = 3
save_rolls = true
[boxes.high]
name = "High"
code = "hi"
section = "lower"
pattern = "anything"
points = "all"
[boxes.sixes]
name = "Sixes"
code = "6s"
section = "upper"
pattern = "face"
face = 6
points = "matching"
[bonus]
threshold = 12
points = 20
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RuleBook:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    monkeypatch.setattr("fivedice.solver.solution._layers", solution_cache.LayerCache())
    return load_book(SMALL)


def test_saved_rolls_of_one_box_by_hand() -> None:
    """One die and one box: the first turn has three rolls, and none are left to save for."""
    one = 'format = 1\nkey = "one"\nname = "One"\ndice = 1\nfaces = 6\nrolls = 2\nsave_rolls = true\n'
    box = '[boxes.b{0}]\nname = "B {0}"\ncode = "b{0}"\nsection = "lower"\npattern = "anything"\npoints = "all"\n'
    single, double = load_book(one + box.format(1)), load_book(one + box.format(1) + box.format(2))
    assert solve(single, cache=False).value(Scorecard.empty(single)) == pytest.approx(17 / 4)
    # The second turn is worth 17/4, and 14/3 with a roll more: a four is kept, for 4 + 14/3 instead of 17/4 + 17/4.
    four_or_more = (4 + 5 + 6) / 6 + (14 / 3) / 2
    assert solve(double, cache=False).value(Scorecard.empty(double)) == pytest.approx(
        four_or_more + (17 / 4 + 7 / 2) / 2
    )


def test_saved_rolls_never_lower_the_value(small: RuleBook) -> None:
    solution = solve(small)
    values = [solution.value(Scorecard.of(small, {"high": 7}, saved=saved)) for saved in range(3)]
    assert values == sorted(values)
    assert values[0] < values[2]
    plain = solve(replace(small, save_rolls=False), cache=False)
    assert solution.value(Scorecard.empty(small)) > plain.value(Scorecard.empty(plain.book))
    assert values[0] == pytest.approx(plain.value(Scorecard.of(plain.book, {"high": 7})))


def test_layers_are_stored_and_read(small: RuleBook, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_stored(small)
    assert known(small) is None
    solution, card = solve(small), Scorecard.of(small, {"sixes": 6}, saved=1)
    assert is_stored(small)
    monkeypatch.setattr("fivedice.solver.solution._layers", solution_cache.LayerCache())
    again = known(small)
    assert again is not None
    assert again.value(card) == solution.value(card)
    assert again.advise(card, Roll.parse("26"), 3) == solution.advise(card, Roll.parse("26"), 3)


@pytest.mark.parametrize("how", ["cut", "changed", "missing", "other"])
def test_damaged_layers_are_ignored(how: str, small: RuleBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    value = solve(small).value(Scorecard.empty(small))
    path = tmp_path / f"{small.fingerprint}.layer01"
    content = path.read_bytes()
    if how == "missing":
        path.unlink()
    elif how == "other":
        path.write_bytes((tmp_path / f"{small.fingerprint}.layer02").read_bytes())
    else:
        path.write_bytes(content[:-8] if how == "cut" else content[:-1] + bytes([content[-1] ^ 1]))
    monkeypatch.setattr("fivedice.solver.solution._layers", solution_cache.LayerCache())
    assert known(small) is None
    assert solve(small).value(Scorecard.empty(small)) == value
    assert path.read_bytes() == content


def test_large_layers_use_single_precision(small: RuleBook, monkeypatch: pytest.MonkeyPatch) -> None:
    card, sharp = Scorecard.of(small, {"sixes": 6}, saved=2), solve(small, cache=False)
    monkeypatch.setattr(solution_files, "MOST_DOUBLE", 8)
    blunt = solve(small)
    sizes = places(compiled_book(small)).sizes
    kinds = [layer.dtype for layer in blunt.table.layers]  # type: ignore[union-attr]
    assert kinds == [np.float64 if size <= 1 else np.float32 for size in sizes]
    assert blunt.value(card) == pytest.approx(sharp.value(card), abs=1e-5)
    assert blunt.value(card) != sharp.value(card)
    assert blunt.value(Scorecard.empty(small)) == sharp.value(Scorecard.empty(small))


def test_odds_with_saved_rolls_are_refused(small: RuleBook) -> None:
    solution = solve(small)
    for refused in (
        solution.odds,
        lambda: chase(small),
        lambda: simulate(small, 10),
        lambda: bonus.bonus_chances(solution),
    ):
        with pytest.raises(IllegalError, match="saves rolls"):
            refused()
    assert bonus.known(solution) is None


@for_each("seed", few(range(4), 1))
def test_exact_play_scores_its_value(seed: int) -> None:
    rules = saving_book(Random(seed))
    played = play_games(rules, 1500, bot="perfect", seed=seed)
    value = float(exact.value(Scorecard.empty(rules)))
    assert abs(played.mean - value) <= 4.5 * played.standard_error + 1e-9


def test_missing_solution_falls_back_to_par() -> None:
    maxi = book("maxi-yatzy")
    assert outlook(maxi, "par").saved > 0
    assert outlook(maxi, "points").box_values(State(0, 0, 0), 2).shape == (462, 20)


@for_each("seed", few(range(30), 8))
def test_turn_values_agree_with_card_values(seed: int) -> None:
    """The mean of the best advice over all first rolls is the value of the card."""
    random = Random(seed)
    rules = saving_book(random)
    card, solution = random_card(random, rules), solve(rules, cache=False)
    if card.is_full:
        return
    left = rules.rolls + card.saved - 1
    thrown = exact.throws(rules, exact.Keep(()))
    best = sum(float(part) * solution.advise(card, roll, left)[0].value for roll, part in thrown)
    assert best == pytest.approx(solution.value(card), abs=1e-9)
