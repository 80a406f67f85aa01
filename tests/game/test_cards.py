"""Scorecards: their boxes and totals, and cards that no game can show."""

import copy
import dataclasses
import pickle

import pytest

import fivedice as fd
from fivedice.core.game.card import (
    BonusStatus,
    LineKind,
    Pace,
    bonus_pace,
    next_tier,
    par,
    possible_points,
    sheet_lines,
)
from fivedice.core.rules import Tier
from fivedice.message import Either, Message, message
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load


@pytest.fixture
def yahtzee() -> fd.RuleBook:
    return fd.book("yahtzee")


def test_empty_card_and_box_lookup(yahtzee: fd.RuleBook) -> None:
    card = fd.Scorecard.empty(yahtzee)
    assert (card.filled, card.is_full, card.alike_scored, card.total) == (0, False, False, 0)
    assert card == fd.Scorecard.of(yahtzee, {})
    card = fd.Scorecard.of(yahtzee, {"fours": 12, "fh": 25, " lg. straight ": 40})
    assert (card.held("4s"), card.held("full house"), card.held("LARGE_STRAIGHT")) == (12, 25, 40)
    assert card.held("chance") is None
    assert card.filled == 1 << 3 | 1 << 8 | 1 << 10
    card = fd.Scorecard.of(yahtzee, {"fours": 12, "five_of_a_kind": 50}, bonuses=1)
    assert card.options(fd.Roll.parse("44444"))["three_of_a_kind"] == fd.Entry(points=20, bonus=100)
    assert (card.upper_total, card.upper_bonus, card.lower_total, card.total) == (12, 0, 150, 162)


def test_filled_and_unknown_boxes_are_refused(yahtzee: fd.RuleBook) -> None:
    with pytest.raises(fd.IllegalCard, match=r"Fours is scored twice\. The second entry is '4s'\."):
        fd.Scorecard.of(yahtzee, {"fours": 12, "4s": 12})
    with pytest.raises(fd.IllegalError, match=r"Yahtzee has no box 'sevens'\. Its boxes are aces, twos"):
        fd.Scorecard.of(yahtzee, {"sevens": 7})


@for_each(
    ("book", "box", "refused"),
    [
        ("yahtzee", "fours", [13, 24, -4, True, 12.0, "12"]),
        ("yahtzee", "full_house", [24]),
        ("yahtzee", "chance", [31, 4]),
        ("yahtzee", "three_of_a_kind", [4]),
        ("yahtzee", "five_of_a_kind", [100]),
        ("yatzy", "full_house", [30, 5]),
        ("yatzy", "two_pairs", [24]),
        ("maxi-yatzy", "villa", [36]),
        ("maxi-yatzy", "tower", [36]),
    ],
)
def test_impossible_points_of_a_box_are_refused(book: str, box: str, refused: list[int]) -> None:
    for points in refused:
        with pytest.raises(fd.IllegalCard, match="cannot hold") as caught:
            fd.Scorecard.of(book, {box: points})
        assert fd.book(book).box(box).name in str(caught.value)


@for_each("book", fd.SHIPPED)
def test_every_box_takes_possible_points_and_zero(book: str) -> None:
    rules = fd.book(book)
    if rules.fixed_order:
        return
    for place, each in enumerate(rules.boxes):
        for points in {0, *(rules.worth(roll).plain[place] for roll in fd.dice.rolls(rules.dice))}:
            assert fd.Scorecard.of(rules, {each.key: points}).held(each.key) == points


def test_joker_points_need_a_joker_rule() -> None:
    summed = ("[boxes.full_house]", 'points = "all"')
    with_joker, without = extend("yahtzee", *summed), extend("yahtzee-plain", *summed)
    place = with_joker.index["full_house"]
    assert 30 in possible_points(with_joker, place)
    assert 30 not in possible_points(without, place)


@for_each(
    ("book", "held", "bonuses", "reason"),
    [
        ("yahtzee", {"five_of_a_kind": 50}, -1, "0 or more. It is -1"),
        ("yahtzee", {"five_of_a_kind": 50}, True, "0 or more. It is True"),
        ("yahtzee", {"five_of_a_kind": 50}, 1, "can have at most 0 extra bonuses. It has 1"),
        ("yahtzee", {"five_of_a_kind": 50, "aces": 3}, 2, "at most 1"),
        ("yahtzee", {"five_of_a_kind": 0, "aces": 3}, 1, "needs points in YAHTZEE"),
        ("yahtzee", {"aces": 3}, 1, "needs points in YAHTZEE"),
        ("yahtzee-plain", {"five_of_a_kind": 50, "aces": 3}, 1, "has no extra bonus"),
        ("yatzy", {"five_of_a_kind": 50, "aces": 3}, 1, "has no extra bonus"),
    ],
)
def test_impossible_bonuses_are_refused(book: str, held: dict[str, int], bonuses: int, reason: str) -> None:
    with pytest.raises(fd.IllegalCard, match=reason):
        fd.Scorecard.of(fd.book(book), held, bonuses)


def test_extra_bonus_paid_once_or_never() -> None:
    once = extend("yahtzee", "[alike]", "repeat = false")
    held = {"five_of_a_kind": 50, "aces": 5, "twos": 10}
    assert fd.Scorecard.of(once, held, 1).extra_total == 100
    with pytest.raises(fd.IllegalCard, match="at most 1"):
        fd.Scorecard.of(once, held, 2)
    unpaid = extend("yahtzee", "[alike]", "extra = 0")
    with pytest.raises(fd.IllegalCard, match="has no extra bonus"):
        fd.Scorecard.of(unpaid, {"five_of_a_kind": 50, "aces": 3}, 1)


STEPS = """[alike]
ladder = [
  { boxes = "face", worth = "plain", extra = 50 },
  { boxes = "lower", worth = "joker" },
  { boxes = "upper", worth = "zero", extra = 0 },
]"""


@for_each(
    ("book", "bonuses", "extra", "refusal"),
    [
        (fd.book("yatzy"), 0, 0, message("game.extra-follows", extra="0")),
        (fd.book("yahtzee"), 1, 100, message("game.extra-follows", extra="100")),
        (extend("yahtzee", STEPS), 0, 0, message("game.extra-follows", extra="0")),
        (extend("yahtzee", STEPS), 1, None, message("game.missing-extra", count=1, possible=Either((50, 100)))),
        (
            extend("yahtzee", STEPS),
            2,
            50,
            message("game.bad-extra", count=2, extra="50", possible=Either((100, 150, 200))),
        ),
    ],
)
def test_extra_is_required_only_when_steps_pay_different_amounts(
    book: fd.RuleBook, bonuses: int, extra: int | None, refusal: Message
) -> None:
    held = {"five_of_a_kind": 50, "aces": 5, "twos": 10}
    with pytest.raises(fd.IllegalCard) as refused:
        fd.Scorecard.of(book, held, bonuses, extra=extra)
    assert refused.value.message == refusal


def test_extra_must_be_a_reachable_sum() -> None:
    ours, held = extend("yahtzee", STEPS), {"five_of_a_kind": 50, "aces": 5, "twos": 10}
    assert fd.Scorecard.of(ours, held, 2, extra=150).extra_total == 150
    assert fd.Scorecard.of(ours, held).extra_total == 0
    assert fd.Scorecard.of(fd.book("yahtzee"), held, 2).extra_total == 200


@for_each(
    ("box", "points", "possible"),
    [("fours", 6, (0, 4, 8, 12, 16, 20)), ("chance", 4, (0, *range(5, 31))), ("full_house", 24, (0, 25))],
)
def test_refusal_of_points_names_the_nearest_possible_ones(box: str, points: int, possible: tuple[int, ...]) -> None:
    with pytest.raises(fd.IllegalCard) as refused:
        fd.Scorecard.of(fd.book("yahtzee"), {box: points})
    assert refused.value.message.kind == "game.impossible-points"
    assert refused.value.message.args["possible"] == Either(possible)


def test_cards_must_follow_the_order_of_the_book() -> None:
    forced = fd.book("yatzy-forced")
    assert fd.Scorecard.of(forced, {"twos": 4, "aces": 1}).total == 5
    with pytest.raises(fd.IllegalCard, match=r"scores its boxes from the top\. Twos cannot be open above a scored box"):
        fd.Scorecard.of(forced, {"aces": 1, "threes": 9})
    upper_first = load(face_box(1), face_box(2), face_box(3), CHANCE, head=['order = "upper_first"'])
    assert fd.Scorecard.of(upper_first, {"aces": 1, "twos": 4, "threes": 9, "chance": 9}).is_full
    for held, named in (({"aces": 1}, "Twos"), ({"aces": 1, "twos": 4}, "Threes"), ({"threes": 9}, "Aces")):
        assert fd.Scorecard.of(upper_first, held)
        with pytest.raises(fd.IllegalCard, match=rf"scores the upper section first\. {named} is still open"):
            fd.Scorecard.of(upper_first, held | {"chance": 9})


def test_totals_of_books_without_bonus_or_policy() -> None:
    book = load(face_box(1), CHANCE)
    card = fd.Scorecard.of(book, {"aces": 5, "chance": 30})
    assert (card.upper_bonus, card.extra_total, card.alike_scored, card.total) == (0, 0, False, 35)
    assert card.is_full
    book = load(ALIKE, CHANCE)
    assert fd.Scorecard.of(book, {"five_of_a_kind": 50}).alike_scored
    assert not fd.Scorecard.of(book, {"five_of_a_kind": 0}).alike_scored


def test_cards_are_immutable_values(yahtzee: fd.RuleBook) -> None:
    before = fd.Scorecard.empty(yahtzee)
    after = before.write(3, 12, bonus=True)
    assert (before.filled, after.held("fours"), after.bonuses) == (0, 12, 1)
    card = fd.Scorecard.of(yahtzee, {"fours": 12})
    assert copy.deepcopy(card) == pickle.loads(pickle.dumps(card)) == card  # noqa: S301
    assert hash(copy.deepcopy(card)) == hash(card)
    with pytest.raises((AttributeError, TypeError)):
        card.bonuses = 3  # type: ignore[misc]


def test_pickled_card_carries_only_rules(yahtzee: fd.RuleBook) -> None:
    """Threads go on adding to what was made of them: another one would stumble over that."""
    game = fd.Game.new(yahtzee, ["Ann"], dice=fd.dice.seeded(1))
    game.roll()
    assert game.position.ruling().legal
    assert yahtzee.entries
    assert yahtzee.falls
    assert yahtzee.fingerprint in vars(yahtzee).values()
    again = pickle.loads(pickle.dumps(yahtzee))  # noqa: S301
    assert (again, again.fingerprint) == (yahtzee, yahtzee.fingerprint)
    fresh = pickle.loads(pickle.dumps(yahtzee))  # noqa: S301
    assert {name for name, value in vars(fresh).items() if value != vars(yahtzee)[name]} == {
        "_worths",
        "entries",
        "falls",
    }
    assert vars(fresh).keys() == {each.name for each in dataclasses.fields(fd.RuleBook)} | {"fingerprint"}
    assert fresh.entries == fresh.falls == {}


ROLES = ["upper", "upper_total", "bonus", "upper_with_bonus", "lower", "extra", "lower_total", "grand_total"]
BONUS = ("threshold = 3", "points = 5")


def lines(book: fd.RuleBook, held: dict[str, int], bonuses: int = 0) -> list[tuple[str, int | None]]:
    return [(line.label, line.value) for line in sheet_lines(fd.Scorecard.of(book, held, bonuses))]


def test_lines_and_sums_of_a_sheet() -> None:
    held = {"fours": 16, "fives": 25, "sixes": 24, "five_of_a_kind": 50}
    shown = dict(lines(fd.book("yahtzee"), held, 2))
    assert list(shown) == [
        *["Upper Section", "Aces", "Twos", "Threes", "Fours", "Fives", "Sixes", "Total Score", "Bonus", "Total"],
        *["Lower Section", "3 of a Kind", "4 of a Kind", "Full House", "Sm. Straight", "Lg. Straight", "YAHTZEE"],
        *["Chance", "YAHTZEE Bonus", "Total (Lower Section)", "Grand Total"],
    ]
    assert [shown[label] for label in ("Total Score", "Bonus", "Total")] == [65, 35, 100]
    assert [shown[label] for label in ("YAHTZEE Bonus", "Total (Lower Section)", "Grand Total")] == [200, 250, 350]
    assert shown["Aces"] is shown["Upper Section"] is None
    assert "Extra" not in dict(lines(fd.book("yatzy"), {}))


def test_sheet_of_one_section_shows_only_that_section() -> None:
    assert lines(load(ALIKE, CHANCE), {"chance": 12}) == [
        ("Lower section", None),
        ("Five Of A Kind", None),
        ("Chance", 12),
        ("Lower total", 12),
        ("Grand total", 12),
    ]
    assert lines(load(face_box(1)), {"aces": 3}) == [
        ("Upper section", None),
        ("Aces", 3),
        ("Upper total", 3),
        ("Grand total", 3),
    ]


def test_lines_have_section_role_kind_and_box() -> None:
    same = ", ".join(f'{line} = "Boxes"' for line in ROLES)
    book = load(face_box(1), ALIKE, CHANCE, "[alike]", 'box = "five_of_a_kind"', "extra = 100", "[bonus]", *BONUS)
    named = extend("yahtzee", f"sheet = {{ {same} }}")
    for one in (book, named):
        shown = sheet_lines(fd.Scorecard.empty(one))
        assert [line.role for line in shown if line.kind is not LineKind.BOX] == ROLES
        assert all(line.section is one.box(line.box).section for line in shown if line.box)
        middle = [line.role for line in shown].index("lower")
        assert {str(line.section) for line in shown[:middle]} == {"upper"}
        assert {str(line.section) for line in shown[middle:]} == {"lower"}
    kinds = {line.box: line.kind for line in sheet_lines(fd.Scorecard.empty(fd.book("yatzy"))) if line.box}
    assert set(kinds) == set(fd.book("yatzy").index)
    assert set(kinds.values()) == {LineKind.BOX}


YAHTZEE = fd.book("yahtzee")


@for_each(
    ("held", "status", "ahead", "shown"),
    [
        ({}, BonusStatus.OPEN, 0, "on pace"),
        ({"sixes": 24}, BonusStatus.OPEN, 6, "+6"),
        ({"sixes": 12, "aces": 2}, BonusStatus.OPEN, -7, "\N{MINUS SIGN}7"),
        ({"sixes": 18, "chance": 30}, BonusStatus.OPEN, 0, "on pace"),
        ({"fours": 20, "fives": 25, "sixes": 30}, BonusStatus.REACHED, 30, "reached"),
        ({"fours": 8, "fives": 25, "sixes": 30}, BonusStatus.REACHED, 18, "reached"),
        ({"fours": 12, "fives": 20, "sixes": 30}, BonusStatus.OPEN, 17, "+17"),
        ({"aces": 1, "fives": 5, "sixes": 12}, BonusStatus.OPEN, -18, "\N{MINUS SIGN}18"),
        ({"aces": 0, "fives": 5, "sixes": 12}, BonusStatus.LOST, -19, "out of reach"),
        ({"fives": 0, "sixes": 0}, BonusStatus.LOST, -33, "out of reach"),
        ({"fives": 5, "sixes": 12}, BonusStatus.OPEN, -16, "\N{MINUS SIGN}16"),
        ({"fives": 5, "sixes": 6}, BonusStatus.LOST, -22, "out of reach"),
    ],
)
def test_three_of_each_face_is_on_pace(held: dict[str, int], status: BonusStatus, ahead: int, shown: str) -> None:
    pace = bonus_pace(fd.Scorecard.of(YAHTZEE, held))
    assert pace == Pace(BonusStatus(status), ahead)
    assert str(pace) == shown


def test_pace_of_other_books_and_next_bonus_step() -> None:
    assert [par(YAHTZEE, box) for box in YAHTZEE.boxes] == [3, 6, 9, 12, 15, 18] + [0] * 7
    maxi = fd.book("maxi-yatzy")
    assert [par(maxi, box) for box in maxi.boxes][:6] == [4, 8, 12, 16, 20, 24]
    plain = extend("yahtzee", "bonus = false")
    assert bonus_pace(fd.Scorecard.empty(plain)) is None
    assert par(plain, plain.boxes[0]) == 0
    fixed = box("pair", "1p", "groups, sizes = [2]", "10", "upper")
    total = box("any", "an", "anything", '"all"', "upper")
    house = load(face_box(2), fixed, total, CHANCE, "[bonus]", "threshold = 25", "points = 5")
    assert [par(house, line) for line in house.boxes] == [5, 5, 15, 0]
    steps = extend("yahtzee", "[bonus]", "tiers = [{ from = 20, points = 5 }, { from = 30, points = 9 }]")
    held = [{}, {"sixes": 12, "fives": 5}, {"fives": 20}, {"sixes": 24, "fives": 5}, {"sixes": 30}]
    cards = [fd.Scorecard.of(steps, each) for each in held]
    assert [next_tier(card) for card in cards] == [Tier(20, 5), Tier(20, 5), Tier(30, 9), Tier(30, 9), None]
    assert next_tier(fd.Scorecard.empty(extend("yahtzee", "bonus = false"))) is None
