"""Whole games of two players who both play to win: against fractions, and against a second program."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
import solve_duels

import fivedice as fd
from fivedice.core.dice import Keep
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import RuleBook, book
from fivedice.errors import IllegalError
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.runtime.worker_threads import cores
from fivedice.solver.solution import state_of
from fivedice.solver.win import duels
from fivedice.solver.win.duels import Duel, estimate, find_stored_share
from for_each import for_each
from long import LONG, few, long_only
from solver.duel_by_matrices import (
    CRAG,
    YACHT,
    YAHTZEE_LOWER,
    YATZY_LOWER,
    Sheets,
    Turn,
    UpperFirst,
    share_at,
)
from solver.fraction_table import Table
from solver.tiny_books import newer_book, random_book, smaller_book


@pytest.fixture(params=["small", "large"])
def _memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep layers as small ones are kept, or release them part by part as large ones."""
    if request.param == "large":
        monkeypatch.setattr(duels, "_LARGE", 0)


WANTED: dict[str, Callable[[RuleBook], bool]] = {
    "free": lambda rules: not rules.fixed_order and not rules.upper_first,
    "sheet": lambda rules: rules.fixed_order,
    "upper first": lambda rules: rules.upper_first and 0 < rules.upper.bit_count() < len(rules.boxes),
    "bonus": lambda rules: rules.bonus is not None and bool(rules.upper),
    "no bonus": lambda rules: not rules.bonuses,
    "jokers": lambda rules: rules.alike is not None and bool(rules.alike.joker_steps) and rules.alike.pays_extra,
}


@cache
def in_fractions(kind: str, seed: int) -> tuple[RuleBook, list[float]]:
    """Return random rules of a kind, and the shares of both players."""
    random, make = Random(f"{kind} {seed}"), newer_book if seed % 2 or kind == "upper first" else random_book
    while True:
        rules = smaller_book(random, make)
        if len(rules.boxes) > 1 and WANTED[kind](rules):
            return rules, [float(each) for each in Table().shares((Scorecard.empty(rules),) * 2, 0)]


@pytest.mark.usefixtures("_memory")
@for_each("seed", few(range(12), 2))
@for_each("kind", WANTED)
def test_whole_games_match_fractions(kind: str, seed: int) -> None:
    rules, wanted = in_fractions(kind, seed)
    assert fd.equilibrium(rules, cache=False).shares == pytest.approx(wanted, abs=1e-12)


def cut(rules: RuleBook, places: list[int]) -> RuleBook:
    """Return the rules with some of the boxes only."""
    return replace(rules, key="cut", boxes=tuple(rules.boxes[place] for place in places))


FREE = {
    "yacht": (5, 3, YACHT, [1, 7, 10, 11], [0, 2, 4, 5, 6, 8, 10]),
    "crag": (3, 2, CRAG, [1, 8, 10, 12], [0, 3, 5, 6, 7, 9, 10, 11, 12]),
}


@cache
def by_second_program(key: str) -> tuple[RuleBook, float]:
    dice, rolls, scores, few_boxes, many = FREE[key]
    places = many if LONG else few_boxes
    sheets = Sheets(Turn(dice, rolls), [scores[place] for place in places])
    shares = sheets.shares(0, 0)
    return cut(book(key), places), float(shares[len(shares) // 2])


@pytest.mark.usefixtures("_memory")
@for_each("key", FREE)
def test_some_boxes_match_a_second_program(key: str) -> None:
    rules, wanted = by_second_program(key)
    assert fd.equilibrium(rules, cache=False).shares[0] == pytest.approx(wanted, abs=1e-12)


def late(rules: RuleBook, still: str, **points: int) -> Scorecard:
    """Return a card with these boxes open, and points in some of the others."""
    return Scorecard.of(rules, {box.key: 0 for box in rules.boxes if box.key not in still.split()} | points)


def state_share(mine: Scorecard, theirs: Scorecard, lead: int) -> float:
    return Duel(compiled_book(mine.book), (state_of(mine), state_of(theirs)), lead).share


# The boxes open on the own sheet and on the other's, and the points of the five-of-a-kind box on both, if filled.
LOWER = [
    ("yatzy", "two_pairs chance", "one_pair full_house", 0, 50),
    ("yatzy", "four_of_a_kind small_straight five_of_a_kind", "three_of_a_kind large_straight", 0, 0),
    ("yahtzee", "full_house five_of_a_kind", "chance large_straight", 0, 50),
    ("yahtzee", "four_of_a_kind small_straight", "full_house", 50, 50),
    ("yahtzee", "three_of_a_kind chance", "small_straight five_of_a_kind", 0, 0),
    ("yahtzee", "three_of_a_kind full_house", "large_straight chance", 50, 0),
]


@for_each(("key", "own", "other", "held", "other_held"), LOWER)
def test_lower_section_matches_a_second_program(key: str, own: str, other: str, held: int, other_held: int) -> None:
    """The upper section comes first: it is filled, and its bonus missed."""
    rules = replace(book(key), upper_first=True)
    lower = [box.key for box in rules.boxes[6:]]
    sheets = Sheets(Turn(5, 3), YAHTZEE_LOWER if key == "yahtzee" else YATZY_LOWER, jokers=key == "yahtzee")
    cards, masks, is_held = [], [], []
    for still, points in ((own, held), (other, other_held)):
        cards.append(late(rules, still, **({} if "five" in still else {"five_of_a_kind": points})))
        masks.append(sum(1 << place for place, name in enumerate(lower) if name not in still.split()))
        is_held.append(key == "yahtzee" and points > 0)
    wanted = sheets.shares(masks[0], masks[1], is_held[0], is_held[1])
    for lead in (-130, -40, -17, 0, 5, 22, 95):
        theirs = float(share_at(np.array([-lead]), wanted)[0])
        assert state_share(cards[0], cards[1], lead) == pytest.approx(theirs, abs=1e-12)


def test_upper_section_first_matches_a_second_program() -> None:
    rules = replace(cut(book("yatzy"), [*range(6), 6, 13]), upper_first=True)
    second = UpperFirst(Sheets(Turn(5, 3), [YATZY_LOWER[0], YATZY_LOWER[7]]), bonus=50)
    open_fives, totals = 0b101111, second.totals[0b101111]
    grid = second.grid(open_fives, open_fives)
    mine = late(rules, "fives one_pair chance", threes=15, fours=20, sixes=12)
    for theirs in (
        late(rules, "fives one_pair chance", aces=5, twos=10, threes=15, sixes=18),
        late(rules, "fives one_pair chance", twos=6, fours=12),
        late(rules, "fives one_pair chance", aces=3, twos=8, threes=15, fours=20, sixes=30),
    ):
        one, two = mine.upper_total, theirs.upper_total
        wanted = float(grid[totals.index(one), totals.index(two)])
        assert state_share(mine, theirs, two - one) == pytest.approx(wanted, abs=1e-12)


@long_only
@for_each("key", ["yatzy", "yahtzee"])
def test_whole_game_with_upper_section_first_matches_a_second_program(key: str) -> None:
    """An hour and more: the campaign `duels` runs it."""
    scores, bonus = (YAHTZEE_LOWER, 35) if key == "yahtzee" else (YATZY_LOWER, 50)
    second = UpperFirst(Sheets(Turn(5, 3), scores, jokers=key == "yahtzee"), bonus)
    second.fill(cores())
    found = fd.equilibrium(replace(book(key), upper_first=True), cache=False)
    assert found.shares[0] == pytest.approx(second.share(), abs=1e-12)


@pytest.fixture
def _stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIVEDICE_TABLES")


def find_stored() -> dict[str, tuple[RuleBook, float]]:
    return {name: (solve_duels.find_rules(name), each["share"]) for name, each in solve_duels.read_stored().items()}


@pytest.mark.usefixtures("_stored")
@for_each("name", find_stored)
def test_stored_share_answers_whole_game_and_first_turn(name: str) -> None:
    rules, share = find_stored()[name]
    assert solve_duels.read_stored()[name]["fingerprint"] == rules.fingerprint
    assert fd.equilibrium(rules).shares == (share, 1.0 - share)
    empty = Scorecard.empty(rules)
    found = fd.win(Position((empty, empty), 1, Keep(()), rules.rolls))
    assert (found.exact, found.shares, found.advise()) == (True, (1.0 - share, share), [])


@pytest.mark.usefixtures("_stored")
@for_each("name", ["yatzy-forced", *(["yatzy-upper-first", "yahtzee-upper-first"] if LONG else [])])
def test_stored_share_equals_a_fresh_solve(name: str) -> None:
    rules, share = find_stored()[name]
    assert fd.equilibrium(rules, cache=False).shares[0] == pytest.approx(share, abs=1e-12)


@pytest.mark.usefixtures("_stored")
def test_no_share_is_stored_for_other_rules_or_moments() -> None:
    rules = book("yatzy-forced")
    assert find_stored_share(rules) is not None
    assert find_stored_share(replace(rules, rolls=2)) is None
    empty = Scorecard.empty(rules)
    assert not fd.win(Position((empty,) * 3, 0, Keep(()), 3), most=0).exact
    rolled = fd.win(Position((empty, empty), 0, Keep((1, 2, 3, 4, 5)), 2))
    assert rolled.exact
    assert rolled.advise()


@for_each("key", ["yahtzee", "yatzy", "kismet", "maxi-yatzy-plain"])
def test_whole_games_with_too_many_states_are_refused_before_solving(key: str) -> None:
    with pytest.raises(IllegalError, match="too many states"):
        fd.equilibrium(key, cache=False)


def test_estimate_of_a_duel_counts_its_leads() -> None:
    start, rules = State(0, 0, 0), compiled_book(cut(book("crag"), [0, 8, 11, 12]))
    cost, done = estimate(rules, (start, start), 0), list[tuple[int, int]]()
    Duel(rules, (start, start), 0, lambda *each: done.append(each))
    assert cost is not None
    assert done[-1] == (cost.lanes, cost.lanes)
    for key, seconds in {"crag": 900, "yacht": 1800}.items():
        large = estimate(compiled_book(book(key)), (start, start), 0)
        assert large is not None
        assert large.seconds < seconds
        assert large.memory < 8e9


def test_interrupted_duel_stops() -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    start = State(0, 0, 0)
    with pytest.raises(KeyboardInterrupt):
        Duel(compiled_book(cut(book("crag"), [0, 8, 11, 12])), (start, start), 0, interrupt)
