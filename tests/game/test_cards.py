"""Scorecards: their boxes and totals, and cards that no game can show."""

import copy
import dataclasses
import pickle

import pytest

import fivedice as fd
from fivedice.core.game.card import possible_points
from fivedice.message import Either, Message, message
from for_each import for_each
from rules.houses import ALIKE, CHANCE, extend, face_box, load


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
    with pytest.raises(fd.IllegalCard, match=r"Fours is filled twice\. The second entry is '4s'\."):
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
    for place, box in enumerate(rules.boxes):
        for points in {0, *(rules.worth(roll).plain[place] for roll in fd.dice.rolls(rules.dice))}:
            assert fd.Scorecard.of(rules, {box.key: points}).held(box.key) == points


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
    with pytest.raises(fd.IllegalCard, match=r"fills its boxes from the top\. Twos cannot be open above a filled box"):
        fd.Scorecard.of(forced, {"aces": 1, "threes": 9})
    upper_first = load(face_box(1), face_box(2), face_box(3), CHANCE, head=['order = "upper_first"'])
    assert fd.Scorecard.of(upper_first, {"aces": 1, "twos": 4, "threes": 9, "chance": 9}).is_full
    for held, named in (({"aces": 1}, "Twos"), ({"aces": 1, "twos": 4}, "Threes"), ({"threes": 9}, "Aces")):
        assert fd.Scorecard.of(upper_first, held)
        with pytest.raises(fd.IllegalCard, match=rf"fills the upper section first\. {named} is still open"):
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
