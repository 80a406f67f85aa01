"""Rules beyond the four documents: points, bonuses, extras, order and patterns."""

import pytest

import fivedice as fd
from fivedice.core.game import sheet_lines
from fivedice.core.notation.cards import read_card, write_card
from fivedice.core.notation.jsonform import position_from_json, position_to_json
from fivedice.core.rules import AlikePolicy, Bonus, SumPlus, Tier
from fivedice.core.rules.patterns import Groups
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load, options

UPPER = "".join(face_box(face) for face in range(1, 7))
COLOURS = "colours = [[1, 6], [2, 5], [3, 4]]"
THIRTEEN = '{ pattern = "total", total = 13 }'
HELD = {"five_of_a_kind": 50}


def policy(book: fd.RuleBook) -> AlikePolicy:
    assert book.alike is not None
    return book.alike


@for_each(
    ("points", "dice", "expected"),
    [
        ('"15 + all"', "33322", 28),
        ('"15 + all"', "33321", 0),
        ('"7+matching"', "33322", 20),
        ('" 1000 + all "', "11122", 1007),
    ],
)
def test_points_may_add_a_number_to_the_dice(points: str, dice: str, expected: int) -> None:
    ours = load(box("full_house", "fh", "groups, sizes = [3, 2]", points), CHANCE)
    assert options(ours, dice)["full_house"] == expected
    assert isinstance(ours.boxes[0].points, SumPlus)
    assert ours.highest(ours.boxes[0]) == ours.boxes[0].constant + 30


def test_joker_counts_the_number_and_the_dice() -> None:
    ours = extend("yahtzee", "[boxes.full_house]", 'points = "15 + all"')
    assert options(ours, "44444", HELD | {"fours": 8})["full_house"] == 35


@for_each(
    ("pattern", "counts", "not_counted"),
    [
        ("total, total = 13", ["11155", "12334"], ["11154", "66666"]),
        ("parity", ["22466", "66666"], ["22465", "11111"]),
        ("parity, odd = true", ["11355"], ["11356"]),
        ("parity, of_total = true", ["11356", "22222"], ["11111"]),
        ("parity, odd = true; of_total = true", ["11111", "11122"], ["11112"]),
        ("only, faces = [1, 6]", ["11166", "66666"], ["11165"]),
        ("flush", ["11166", "22555", "33333"], ["11162"]),
        ("groups, sizes = [3, 2]; one_colour = true", ["11166", "22555"], ["11155", "33333"]),
        ("groups, sizes = [2, 2]; same_face = true; one_colour = true", ["11665", "44441"], ["11552"]),
        (f"both, first = {THIRTEEN}; second = {{ pattern = 'groups', sizes = [3] }}", ["11155"], ["12334", "11166"]),
    ],
)
def test_patterns_accept_and_reject_dice(pattern: str, counts: list[str], not_counted: list[str]) -> None:
    ours = load(box("a", "aa", pattern, "9"), CHANCE, head=[COLOURS])
    assert {dice: options(ours, dice)["a"] for dice in (*counts, *not_counted)} == (
        dict.fromkeys(counts, 9) | dict.fromkeys(not_counted, 0)
    )


def test_groups_of_one_colour_count_its_best_dice() -> None:
    ours = load(box("a", "aa", "groups, sizes = [2]; one_colour = true", '"matching"'), CHANCE, head=[COLOURS])
    assert options(ours, "11553")["a"] == 10


@for_each(
    "pattern",
    [
        "total, total = 13",
        "parity, odd = true",
        "only, faces = [1, 2]",
        "flush",
        "groups, sizes = [3, 2]; one_colour = true",
        'both, first = { pattern = "parity" }; second = { pattern = "total", total = 12 }',
    ],
)
def test_joker_fits_any_pattern(pattern: str) -> None:
    joker = '[alike]\nbox = "five_of_a_kind"\nladder = [{ boxes = "any", worth = "joker" }]'
    ours = load(ALIKE, CHANCE, box("a", "aa", pattern, "9"), joker, head=["colours = [[1, 2], [5, 6]]"])
    assert options(ours, "44444")["a"] == 0
    assert options(ours, "44444", HELD)["a"] == 9


def test_a_wild_joker_counts_in_every_upper_box() -> None:
    ours = extend("yahtzee", "[alike]", 'ladder = [{ boxes = "any", worth = "wild" }]')
    legal = options(ours, "44444", HELD)
    assert [legal[key] for key in ("aces", "sixes", "full_house", "chance")] == [5, 30, 25, 20]
    assert fd.Scorecard.of(ours, HELD | {"sixes": 30}).total == 80


@for_each(("upper", "paid"), [(62, 0), (63, 35), (70, 35), (71, 55), (77, 55), (78, 75), (90, 75)])
def test_highest_reached_tier_is_paid(upper: int, paid: int) -> None:
    tiers = "tiers = [{ from = 63, points = 35 }, { from = 71, points = 55 }, { from = 78, points = 75 }]"
    ours = extend("yahtzee", "[bonus]", tiers)
    assert ours.bonus == Bonus(63, 35, (Tier(71, 55), Tier(78, 75)))
    sixes = fd.Scorecard(ours, (upper, *(None,) * 12))
    assert (sixes.upper_bonus, sixes.total) == (paid, upper + paid)


def test_tiers_and_inherited_parts_may_be_turned_off() -> None:
    ours = load(UPPER, "[bonus]", "tiers = [{ from = 63, points = 35 }, { from = 71, points = 35 }]")
    assert ours.bonus == Bonus(63, 35, (Tier(71, 35),))
    assert load(UPPER, "[bonus]", "tiers = false", "threshold = 63", "points = 35").bonus == Bonus(63, 35)
    assert load(CHANCE, head=["colours = false"]).colours == ()
    assert policy(load(ALIKE, "[alike]", 'box = "five_of_a_kind"', "at_most = false")).most is None
    answer = policy(load(ALIKE, "[alike]", 'box = "five_of_a_kind"'))
    assert (answer.name, answer.extra, answer.repeat) == ("Joker rules", 0, True)
    assert (answer.applies, answer.joker_steps) == ("filled", ())
    (note,) = load(CHANCE, "[notes.a]", 'title = "A"', 'text = "B"').notes
    assert (note.ours, note.about) == (False, "the game")


LOWER_BONUS = ("[bonuses.low]", 'name = "Low bonus"', 'section = "lower"', "threshold = 60", "points = 20")
STRAIGHTS = (
    "[bonuses.straights]", 'name = "Both straights"', 'boxes = ["small_straight", "large_straight"]',
    "threshold = 70", "points = 25",
)  # fmt: skip


def test_further_bonuses_follow_their_section() -> None:
    ours = extend("yahtzee", *LOWER_BONUS, *STRAIGHTS)
    card = fd.Scorecard.of(ours, {"small_straight": 30, "large_straight": 40, "sixes": 18})
    assert (card.totals.bonuses, card.totals.bonus) == ((0, 20, 25), 0)
    assert (card.lower_total, card.total, card.bonus_total) == (115, 133, 45)
    lines = {line.role: (line.name, line.value) for line in sheet_lines(card)}
    assert lines["bonus.low"] == ("Low bonus", 20)
    assert lines["bonus.straights"] == ("Both straights", 25)
    assert lines["bonus"][1] == 0
    ours = extend(
        "yahtzee", "bonus = false", "[bonuses.even]", 'name = "Evens"', 'boxes = ["twos", "fours", "sixes"]',
        "tiers = [{ from = 36, points = 10 }, { from = 48, points = 20 }]",
    )  # fmt: skip
    assert ours.bonus is None
    card = fd.Scorecard.of(ours, {"twos": 6, "fours": 12, "sixes": 18})
    assert (card.totals.bonus, card.totals.upper_with_bonus, card.lower_total) == (10, 46, 0)
    roles = [line.role for line in sheet_lines(card)]
    assert roles.index("upper_total") + 1 == roles.index("bonus.even") == roles.index("upper_with_bonus") - 1
    ours = fd.load_book(fd.write_book(extend("yahtzee", *LOWER_BONUS)))
    assert len(ours.bonuses) == 2
    each = '[bonuses.b{}]\nname = "B"\nsection = "lower"\nthreshold = 3\npoints = 5'
    assert len(load(CHANCE, *(each.format(number) for number in range(8))).more_bonuses) == 8


def alike_again(book: fd.RuleBook, *, times: int) -> list[int]:
    """Return the pay of each further five of a kind."""
    game = fd.Game.new(book, dice=fd.dice.real())
    game.roll("66666")
    game.mark("five_of_a_kind")
    paid = []
    for _ in range(times):
        game.roll("66666")
        legal = game.position.ruling().legal
        paid.append(next(iter(legal.values())).bonus)
        game.mark(next(iter(legal)))
    assert game.position.card.extra_total == sum(paid)
    assert fd.read_position(fd.write_position(game.position), book) == game.position
    assert position_from_json(position_to_json(game.position), book) == game.position
    return paid


@for_each(
    ("lines", "paid"),
    [
        (("extra = [100, 200, 300]",), [100, 200, 300, 300, 300]),
        (("at_most = 3",), [100, 100, 100, 0, 0]),
        (("extra = [100, 200]", "at_most = 3"), [100, 200, 200, 0, 0]),
        (("at_most = 1",), [100, 0, 0, 0, 0]),
        (("repeat = false",), [100, 0, 0, 0, 0]),
    ],
)
def test_extra_may_rise_and_end(lines: tuple[str, ...], paid: list[int]) -> None:
    assert alike_again(extend("yahtzee", "[alike]", *lines), times=5) == paid


def test_steps_have_their_own_extras() -> None:
    ladder = (
        'ladder = [{ boxes = "face", worth = "plain", extra = 50 }, { boxes = "lower", worth = "joker", extra = 0 },'
        ' { boxes = "upper", worth = "zero" }]'
    )
    ours = extend("yahtzee", "[alike]", ladder)
    assert alike_again(ours, times=9) == [50, 0, 0, 0, 0, 0, 0, 100, 100]
    again = fd.Scorecard.of(ours, HELD | {"sixes": 30, "aces": 0}, 2, extra=150)
    assert (write_card(again), again.total) == ("1s:0,6s:30,yz:50,yb:150/2", 230)
    assert read_card(write_card(again), ours) == again
    ladder = 'ladder = [{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "joker", extra = 0 }]'
    ours = extend("yahtzee", "[alike]", "extra = 50", ladder)
    assert alike_again(ours, times=3) == [50, 0, 0]
    assert not policy(ours).pays_by_step
    with pytest.raises(fd.IllegalCard, match="follow from their number here"):
        fd.Scorecard.of(fd.book("yahtzee"), HELD, extra=100)


BY_STEP, RISING = 'ladder = [{ boxes = "any", worth = "joker", extra = 50 }]', "extra = [100, 200]"


@for_each(
    ("policy", "tally", "sentence"),
    [
        (BY_STEP, "yb:150", "Write how many extra bonuses there were: yb:150/2 for two."),
        (BY_STEP, "yb:60/1", "1 extra bonus cannot come to 60. It can come to 50 or 100."),
        (BY_STEP, "1s:3/1", "Write code:points, such as 4s:12. You entered '1s:3/1'."),
        (RISING, "yb:150", "Extra bonuses cannot come to 150 here."),
        (RISING, "yb:100/1", "Write the extra bonuses as yb:100, without a count."),
    ],
)
def test_impossible_tallies_are_refused(policy: str, tally: str, sentence: str) -> None:
    with pytest.raises(fd.FivediceError) as caught:
        read_card(f"yz:50,6s:30,{tally}", extend("yahtzee", "[alike]", policy))
    assert str(caught.value) == sentence


UPPER_FIRST = 'order = "upper_first"'


def test_upper_first_order_forbids_early_lower_boxes() -> None:
    ours = extend("yahtzee", UPPER_FIRST)
    assert set(options(ours, "12346")) == {"aces", "twos", "threes", "fours", "fives", "sixes"}
    upper = dict.fromkeys(("aces", "twos", "threes", "fours", "fives", "sixes"), 0)
    assert set(options(ours, "12346", upper)) == set(ours.index) - set(upper)
    closed = fd.Scorecard.empty(ours).ruling(fd.Roll.parse("12346")).closed["chance"]
    assert closed == "The Upper Section comes first. Score its open boxes before this one."
    assert fd.Scorecard.empty(ours).ruling(fd.Roll.parse("12346")).legal["sixes"].points == 6
    with pytest.raises(
        fd.IllegalCard, match=r"Yahtzee \(house rules\) scores the upper section first\. Aces is still open"
    ):
        fd.Scorecard.of(ours, {"chance": 20})
    assert extend("yatzy-forced", UPPER_FIRST).order == "upper_first"
    assert extend("yatzy-forced", 'order = "free"').fingerprint == fd.book("yatzy").fingerprint


@for_each(
    ("lines", "order"),
    [
        ("fixed_order = true", "sheet"),
        ('order = "sheet"', "sheet"),
        ('order = "free"', "free"),
        ("fixed_order = false", "free"),
        ('fixed_order = true\norder = "sheet"', "sheet"),
        (UPPER_FIRST, "upper_first"),
    ],
)
def test_order_is_written_in_either_way(lines: str, order: str) -> None:
    assert extend("yatzy", lines).order == order


@for_each("sizes", [(2,), (3, 2), (2, 2), (2, 1, 1), (4, 1), (3, 3)])
@for_each("same_face", [False, True])
def test_met_groups_and_their_sums_agree(sizes: tuple[int, ...], *, same_face: bool) -> None:
    groups = Groups(sizes, same_face)
    for roll in fd.dice.rolls(6):
        assert groups.meets(roll.faces) == (groups.matching(roll.faces) is not None), roll
