"""Human-like levels make their stated mistakes in the positions that invite them."""

from collections import Counter
from functools import cache
from itertools import pairwise
from statistics import mean

import pytest
from level_mistakes import LevelResults, dearest_box, mistakes, tally

import fivedice as fd
from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook, book
from fivedice.players.bots.heuristics import thumb
from fivedice.players.bots.levels import ALL_LEVELS, Habit, Level, Mood, find_level
from fivedice.players.bots.players import HumanLikeBot, player_of
from fivedice.players.bots.solo_games import play
from for_each import for_each
from long import few

RULES = book("yahtzee")
PEOPLE = [level for level in ALL_LEVELS if level.sight == "thumb"]
SALTS = range(30)
SOME = few(PEOPLE, 2)


def at(dice: str, left: int, /, rules: RuleBook = RULES, **card: int) -> Position:
    return Position((fd.Scorecard.of(rules, card),), 0, Keep.parse(dice), left)


def choices(level: str, position: Position) -> Counter[str]:
    """Count its moves there for many salts."""
    found = find_level(level)
    salts = SALTS if found.sight == "thumb" else range(1)
    return Counter(notation(player_of(found, position.book, str(salt)).choose(position)) for salt in salts)


def notation(move: Hold | Mark) -> str:
    return f"={move.box}" if isinstance(move, Mark) else f">{move.keep}"


@cache
def count_mistakes(level: Level) -> LevelResults:
    """Eight games of a level, with its mistakes: a game takes half a second."""
    return tally(level, RULES, 8, seed=3)


def often(level: str, position: Position, *moves: str) -> float:
    """The share of the salts with one of these moves."""
    found = choices(level, position)
    return sum(found[move] for move in moves) / found.total()


# ---------------------------------------------------------------- One position for each mistake


def test_weak_levels_make_their_typical_mistakes() -> None:
    position = at("12466", 0)
    for level in ("newcomer", "hopeful", "casual", "steady"):
        assert often(level, position, "=chance") == 1.0
    for level in ("sharp", "perfect"):
        assert often(level, position, "=aces") == 1.0
    # A pair of fives is given away for one die out of six.
    position = at("12455", 2, small_straight=30)
    chases = [often(level, position, ">1245", ">124") for level in ("hopeful", "casual", "steady", "sharp", "perfect")]
    assert chases[0] > 0.9
    assert chases == sorted(chases, reverse=True)
    assert chases[3:] == [0.0, 0.0]
    assert often("hopeful", at("23456", 2), "=large_straight") > 0.6
    position = at("23455", 2)
    assert often("newcomer", position, ">2345") == 0.0
    assert often("newcomer", position, ">55") > 0.4
    assert often("sharp", position, ">2345") > 0.6
    position = at("11346", 1)
    scores = {level.name: sum(_scored(choices(level.name, position))) / len(SALTS) for level in PEOPLE}
    assert scores["newcomer"] == 1.0
    assert scores["hopeful"] > scores["casual"] > 0.0
    assert scores["sharp"] == 0.0
    full = dict.fromkeys(("sixes", "three_of_a_kind", "four_of_a_kind", "five_of_a_kind", "chance"), 0)
    position = at("66612", 2, full_house=25, **full)
    assert [often(level, position, ">666") for level in ("newcomer", "hopeful")] == [1.0, 1.0]
    assert 0.2 < often("casual", position, ">666") < 0.8
    assert [often(level, position, ">666") for level in ("sharp", "perfect")] == [0.0, 0.0]


def _scored(found: Counter[str]) -> list[int]:
    return [count for move, count in found.items() if move.startswith("=")]


def test_beginners_overlook_combinations() -> None:
    position = at("12346", 0)
    seen = [often(level.name, position, "=small_straight") for level in PEOPLE]
    assert seen[0] < 0.7
    assert seen[-1] == 1.0
    assert seen == sorted(seen)


def test_steady_forgets_the_bonus_more_than_sharp() -> None:
    """Three sixes make the bonus; three of a kind with them is one point more."""
    card = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "chance": 20, "small_straight": 30}
    card |= {"large_straight": 40, "full_house": 25, "five_of_a_kind": 0, "four_of_a_kind": 0}
    position = at("13666", 0, **card)
    assert often("casual", position, "=three_of_a_kind") > 0.5
    assert often("perfect", position, "=sixes") == 1.0
    person = HumanLikeBot(find_level("steady"), RULES)
    assert person.choose_in(Mood(frozenset()), position) == Mark("sixes")
    forgets = [mean(_forgets(level, position)) for level in PEOPLE]
    assert forgets == sorted(forgets, reverse=True)
    assert forgets[-1] < forgets[0] == 1.0


def _forgets(level: Level, position: Position) -> list[bool]:
    return [Habit.BONUS in HumanLikeBot(level, RULES, str(salt)).mood(position).habits for salt in SALTS]


def test_no_level_zeroes_the_best_box_early() -> None:
    """People keep five of a kind open and cross out the ones."""
    assert dearest_box(RULES) == "five_of_a_kind"
    for level in PEOPLE:
        position = at("23446", 0, chance=20, small_straight=30)
        assert often(level.name, position, "=five_of_a_kind") == 0.0
    assert sum(count_mistakes(level).given_up for level in SOME) <= 1


# ---------------------------------------------------------------- Habits as data


@for_each("habit", Habit)
def test_every_habit_belongs_to_a_level_and_fades(habit: Habit) -> None:
    shares = [level.share(habit) for level in PEOPLE]
    worst = shares.index(max(shares))
    assert shares[worst] > 0
    assert all(weaker >= stronger for weaker, stronger in pairwise(shares[worst:]))


@for_each("level", SOME, ids=lambda level: level.name)
def test_levels_make_only_their_own_mistakes(level: Level) -> None:
    found = count_mistakes(level)
    assert set(found.mistakes) <= {habit for habit, _ in level.habits}
    assert {habit for habit, share in level.habits if share >= 0.3} <= set(found.mistakes)
    assert found.games == 8
    assert found.standard_error == pytest.approx(found.sd / 8**0.5)


def test_mistakes_are_changes_caused_by_a_habit() -> None:
    newcomer = HumanLikeBot(find_level("newcomer"), RULES)
    chosen, made = mistakes(newcomer, at("11346", 1))
    assert chosen == Mark("chance")
    assert Habit.HASTE in made
    assert Habit.ALIKE not in made
    assert mistakes(HumanLikeBot(find_level("sharp"), RULES, "x"), at("66666", 2))[1] == []


def test_mood_is_constant_within_a_turn() -> None:
    for level in PEOPLE:
        moods = {
            HumanLikeBot(level, RULES).mood(at(dice, left)) for dice, left in (("11346", 2), ("55566", 1), ("12345", 0))
        }
        assert len(moods) == 1
    newcomer = HumanLikeBot(find_level("newcomer"), RULES)
    assert len({newcomer.mood(at("11346", 2, aces=number)) for number in range(4)}) > 1


def test_habit_shares_are_shares_of_turns() -> None:
    turns = [
        at("11346", 2, aces=one, twos=2 * two, chance=chance)
        for one in range(5)
        for two in range(5)
        for chance in (5, 9, 17)
    ]
    for level in PEOPLE:
        moods = [HumanLikeBot(level, RULES, salt).mood(turn) for turn in turns for salt in "abc"]
        for habit in set(Habit) - {Habit.OVERLOOKS}:
            assert mean(habit in mood.habits for mood in moods) == pytest.approx(level.share(habit), abs=0.11)
        unseen = mean(len(mood.unseen) for mood in moods) / len(thumb(RULES).hidden)
        assert unseen == pytest.approx(level.share(Habit.OVERLOOKS), abs=0.08)


# ---------------------------------------------------------------- By rule of thumb


def test_pars_match_several_tries() -> None:
    """With one box left it is one turn; five of a kind in a turn: 4.6029%, by the books."""
    view = thumb(RULES)
    places = {RULES.boxes[place].key: number for number, place in enumerate(view.compiled.order)}
    last, early = view.pars(1), view.pars(13)
    assert last[places["five_of_a_kind"]] == pytest.approx(50 * 0.046029, abs=1e-3)
    assert last[places["large_straight"]] == pytest.approx(40 * 0.2611, abs=0.01)
    assert early[places["five_of_a_kind"]] == pytest.approx(50 * (1 - (1 - 0.046029) ** 7.8), abs=1e-2)
    assert (early >= last).all()
    assert early[places["five_of_a_kind"]] > early[places["aces"]] > last[places["five_of_a_kind"]] / 2


def test_boxes_are_recognised_by_points() -> None:
    view = thumb(RULES)
    names = [RULES.boxes[place].key for place in view.compiled.order]
    assert [name for name, found in zip(names, view.takes_anything, strict=True) if found] == ["chance"]
    long_shots = {name for name, found in zip(names, view.all_or_nothing, strict=True) if found}
    assert long_shots == {"full_house", "small_straight", "large_straight", "five_of_a_kind"}
    assert {key for _, key in view.hidden} == long_shots | {"three_of_a_kind", "four_of_a_kind"}


def test_saved_rolls_are_kept_for_a_useful_turn() -> None:
    maxi = book("maxi-yatzy")
    assert thumb(maxi).roll > 0
    assert thumb(RULES).roll == 0
    card = play(maxi, HumanLikeBot(find_level("sharp"), maxi), "3")
    assert card.is_full


# ---------------------------------------------------------------- How strong they are


def test_levels_rise_in_reproducible_games() -> None:
    means = [
        mean(play(RULES, player_of(level, RULES), f"rise/{number}").total for number in range(30)) for level in PEOPLE
    ]
    assert all(stronger - weaker > 5 for weaker, stronger in pairwise(means)), means
