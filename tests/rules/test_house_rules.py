"""What house rules can say: each change takes a few lines and shows in the legal boxes of a roll."""

import pytest

import fivedice as fd
from fivedice.core.rules import ActiveWhen, AlikePolicy, FaceBox, JokerStep, ScoreAs, TargetBoxes
from fivedice.core.rules.joker_steps import first_available
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load, options

FOURS = "44444"
UPPER = "".join(face_box(face) for face in range(1, 7))
LOWER = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance")


def with_ladder(*rungs: str) -> fd.RuleBook:
    return extend("yahtzee", "[alike]", f"ladder = [{', '.join(rungs)}]")


def test_house_rules_inherit_what_they_do_not_say() -> None:
    ours = extend("yahtzee", "rolls = 4")
    assert (ours.key, ours.name, ours.variant, ours.rolls) == ("yahtzee-house", "Yahtzee (house rules)", True, 4)
    assert ours.boxes == fd.book("yahtzee").boxes
    assert ours.fingerprint != fd.book("yahtzee").fingerprint
    ours = extend("yahtzee-free-choice", "rolls = 4")
    assert ours.alike == fd.book("yahtzee-free-choice").alike
    assert ours.key == "yahtzee-free-choice-house"
    assert extend("yatzy-forced").fingerprint == fd.book("yatzy-forced").fingerprint


def test_file_keeps_everything_it_does_not_change() -> None:
    ours = load(CHANCE, ALIKE, "[alike]", 'box = "five_of_a_kind"', 'ladder = [{ boxes = "any", worth = "plain" }]')
    assert (ours.dice, ours.faces, ours.rolls, ours.save_rolls) == (5, 6, 3, False)
    assert (str(ours.order), str(ours.start), ours.bonuses, ours.colours) == ("free", "draw", (), ())
    assert (ours.variant, ours.notes, ours.summary, ours.source) == (True, (), "", "")
    assert (str(ours.sheet.layout), ours.sheet.columns, ours.sheet.upper) == ("players", 6, "Upper section")
    step = JokerStep(TargetBoxes.ANY, ScoreAs.PLAIN, FaceBox.EITHER, extra=None)
    assert ours.alike == AlikePolicy(
        "five_of_a_kind",
        "Joker rules",
        0,
        repeat=True,
        applies=ActiveWhen.FILLED,
        joker_steps=(step,),
        rising=(),
        at_most=None,
    )


def test_groups_that_share_a_face() -> None:
    ours = extend("yahtzee", "[boxes.full_house]", "same_face = true")
    assert options(ours, FOURS)["full_house"] == 25
    assert options(fd.book("yahtzee"), FOURS)["full_house"] == 0
    assert options(ours, "44455")["full_house"] == 25
    assert options(ours, "44445")["full_house"] == 0
    ours = extend("yatzy", "[boxes.two_pairs]", "same_face = true")
    assert options(ours, "44441")["two_pairs"] == 16
    assert options(fd.book("yatzy"), "44441")["two_pairs"] == 0
    assert options(ours, "44551")["two_pairs"] == 18
    ours = load(box("a", "aa", "groups, sizes = [1, 1, 1]", "9"), CHANCE, head=["dice = 4", "faces = 3"])
    assert [options(ours, dice)["a"] for dice in ("1123", "1122")] == [9, 0]


def test_joker_choices() -> None:
    ours = with_ladder('{ boxes = "any", worth = "joker" }')
    found = options(ours, FOURS, {"five_of_a_kind": 50})
    assert [found.pop(key) for key in LOWER] == [20, 20, 25, 30, 40, 20]
    assert found == {"aces": 0, "twos": 0, "threes": 0, "fours": 20, "fives": 0, "sixes": 0}
    ours = with_ladder('{ boxes = "lower", worth = "joker" }', '{ boxes = "upper", worth = "plain" }')
    assert set(options(ours, FOURS, {"five_of_a_kind": 50})) == set(LOWER)
    lower_full = dict.fromkeys(LOWER, 0) | {"five_of_a_kind": 50, "aces": 0}
    assert options(ours, FOURS, lower_full) == {"twos": 0, "threes": 0, "fours": 20, "fives": 0, "sixes": 0}
    ours = extend("yahtzee", "alike = false")
    assert len(options(ours, FOURS, {"five_of_a_kind": 50})) == 12
    assert ours.fingerprint == fd.book("yahtzee-plain").fingerprint


@for_each(("repeat", "second"), [("true", 100), ("false", 0)])
def test_extra_is_paid_once_or_repeatedly(repeat: str, second: int) -> None:
    ours = extend("yahtzee", "[alike]", f"repeat = {repeat}")
    game = fd.Game.new(ours, ["Ann"], dice=fd.dice.scripted("66666 55555 44444"))
    for key in ("five_of_a_kind", "fives", "fours"):
        game.roll()
        game.mark(key)
    assert game.position.cards[0].extra_total == 100 + second


@for_each(("applies", "legal"), [("filled", {"fours"}), ("scored", set(LOWER) | {"fours", "aces"})])
def test_ladder_applies_to_filled_or_scored_box(applies: str, legal: set[str]) -> None:
    ours = extend("yahtzee", "[alike]", f'applies = "{applies}"')
    held = {"five_of_a_kind": 0, "twos": 0, "threes": 0, "fives": 0, "sixes": 0}
    assert set(options(ours, FOURS, held)) == legal


def test_rung_may_ask_for_an_open_or_filled_face_box() -> None:
    lower = '{ boxes = "lower", worth = "joker", face_box = "filled" }'
    ours = with_ladder(lower, '{ boxes = "any", worth = "plain" }')
    assert options(ours, FOURS, {"five_of_a_kind": 0})["full_house"] == 0
    assert options(ours, FOURS, {"five_of_a_kind": 0, "fours": 8})["full_house"] == 25
    lower_full = dict.fromkeys(LOWER, 0) | {"five_of_a_kind": 50, "fours": 8}
    assert set(options(ours, FOURS, lower_full)) == {"aces", "twos", "threes", "fives", "sixes"}


def test_bonus_boxes_and_order_can_be_changed() -> None:
    ours = extend("yahtzee", "bonus.threshold = 60", "bonus.points = 50")
    held = {"fives": 15, "sixes": 30, "fours": 16}
    assert fd.Scorecard.of(ours, held).upper_bonus == 50
    assert fd.Scorecard.of(extend("yahtzee", "bonus = false"), held).upper_bonus == 0
    two_pairs = box("two_pairs", "2p", "groups, sizes = [2, 2]", '"matching"')
    ours = extend("yahtzee", "boxes.chance = false", two_pairs)
    assert options(ours, "66551") == options(fd.book("yahtzee"), "66551", {"chance": 23}) | {"two_pairs": 22}
    assert ours.boxes[-1].key == "two_pairs"
    keys = [box.key for box in reversed(fd.book("yatzy").boxes)]
    ours = extend("yatzy-forced", f"sequence = {keys}".replace("'", '"'))
    assert options(ours, "66666") == {"five_of_a_kind": 50}
    ours = load(UPPER, CHANCE, head=["fixed_order = true"])
    assert options(ours, FOURS) == {"aces": 0}
    assert options(ours, FOURS, {"aces": 1, "twos": 0, "threes": 9}) == {"fours": 20}


IN_ORDER = (
    ALIKE,
    face_box(1),
    box("full_house", "fh", "groups, sizes = [3, 2]", "25"),
    face_box(4),
    box("small_straight", "ss", "run, length = 4", "30"),
    CHANCE,
    "[alike]",
    'box = "five_of_a_kind"',
    "extra = 100",
)


@for_each(
    ("dice", "held", "expected"),
    [
        # The order leaves one box; the ladder says what it is worth.
        (FOURS, {}, {"five_of_a_kind": 50}),
        (FOURS, {"aces": 0}, {"full_house": 25}),
        ("11111", {}, {"aces": 5}),
        ("11111", {"aces": 5, "full_house": 0}, {"fours": 0}),
        (FOURS, {"aces": 5, "full_house": 0, "fours": 4}, {"small_straight": 30}),
        ("22222", {"aces": 5, "full_house": 0, "fours": 4, "small_straight": 0}, {"chance": 10}),
    ],
)
def test_fixed_order_with_a_ladder(dice: str, held: dict[str, int], expected: dict[str, int]) -> None:
    rungs = ('{ boxes = "face", worth = "plain" }', '{ boxes = "lower", worth = "joker" }')
    ladder = f'ladder = [{", ".join(rungs)}, {{ boxes = "upper", worth = "zero" }}]'
    ours = load(*IN_ORDER, ladder, head=["fixed_order = true"])
    filled = {"five_of_a_kind": 50} | held if held or dice == "11111" else held
    assert options(ours, dice, filled) == expected


def test_fixed_order_and_ladders() -> None:
    rungs = '[{ boxes = "any", worth = "plain", face_box = "open" }, { boxes = "any", worth = "joker" }]'
    ours = load(*IN_ORDER, f"ladder = {rungs}", head=["fixed_order = true"])
    before_full_house = {"five_of_a_kind": 50, "aces": 0}
    assert options(ours, FOURS, before_full_house) == {"full_house": 0}
    assert options(ours, "11111", before_full_house) == {"full_house": 25}
    assert options(ours, "22222", before_full_house) == {"full_house": 25}
    # Upper boxes lie above the box for all dice alike here, so a ladder that forgets them is never stuck.
    ladder = 'ladder = [{ boxes = "lower", worth = "plain" }]'
    parts = [UPPER, ALIKE, CHANCE, "[alike]", 'box = "five_of_a_kind"', ladder]
    assert load(*parts, head=["fixed_order = true"]).alike is not None
    with pytest.raises(fd.BookError, match="leaves no box"):
        load(*parts)


def test_book_with_three_dice() -> None:
    ours = load(
        *(face_box(face) for face in (1, 2, 3)),
        box("pair", "1p", "groups, sizes = [2]", '"matching"'),
        box("row", "rw", "run, length = 3", "15"),
        box("three_alike", "3a", "alike", "30"),
        CHANCE,
        head=["dice = 3"],
    )
    lower = {"pair": 6, "row": 0, "three_alike": 30, "chance": 9}
    assert options(ours, "333") == {"aces": 0, "twos": 0, "threes": 9} | lower
    assert options(ours, "456")["row"] == 15
    assert options(ours, "135")["row"] == 0
    game = fd.Game.new(ours, ["Ann"], dice=fd.dice.seeded(1))
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    assert game.outcome is not None


def test_book_with_six_dice_and_twenty_boxes() -> None:
    maxi = fd.book("maxi-yatzy")
    assert (maxi.dice, len(maxi.boxes)) == (6, 20)
    worth = {
        "555666": {"villa": 33, "full_house": 28, "two_pairs": 22},
        "666666": {"six_of_a_kind": 100, "two_pairs": 0, "tower": 0},
        "555566": {"tower": 32},
        "445566": {"three_pairs": 30},
        "123456": {"full_straight": 21},
        "112345": {"small_straight": 15},
        "223456": {"large_straight": 20},
    }
    assert {dice: {key: options(maxi, dice)[key] for key in keys} for dice, keys in worth.items()} == worth


def test_changed_patterns_and_notes_drop_old_details() -> None:
    ours = extend("yahtzee", "[boxes.large_straight]", 'pattern = "exactly"', "faces = [2, 3, 4, 5, 6]")
    assert options(ours, "23456")["large_straight"] == 40
    assert options(ours, "12345")["large_straight"] == 0
    base = notes(fd.book("yahtzee"))
    assert {"joker", "chips", "holds_now", "minimums", "full_house", "start"} <= base
    assert base - notes(extend("yahtzee", "[alike]", "extra = 50")) == {"chips", "holds_now"}
    assert base - notes(extend("yahtzee", "[alike]", 'name = "Jokers"')) == set()
    assert base - notes(extend("yahtzee", "alike = false")) == {"joker", "chips", "holds_now"}
    assert base - notes(extend("yahtzee", "[boxes.full_house]", "points = 30")) == {"full_house"}
    assert base - notes(extend("yahtzee", "boxes.full_house = false")) == {"full_house"}
    assert base - notes(extend("yahtzee", "[boxes.chance]", "points = 30")) == set()
    assert base == notes(extend("yahtzee", "rolls = 2"))
    restated = extend("yahtzee", "[alike]", "extra = 50", "[notes.chips]", 'text = "Fifty for each."')
    kept = {note.key: note for note in restated.notes}
    assert kept["chips"].text == "Fifty for each."
    assert kept["chips"].title == "More bonuses than chips"
    assert "holds_now" not in kept
    assert "solo" not in notes(extend("yahtzee", "notes.solo = false"))
    ours = load(CHANCE, "[notes.a]", 'title = "A"', 'text = """\n  one\n  two """')
    assert ours.notes[0].text == "one two"
    assert not ours.notes[0].ours


# Notes


def notes(book: fd.RuleBook) -> set[str]:
    return {note.key for note in book.notes}


@for_each("wrong", ["boxes = 3", "notes = false", "boxes = false", "notes = 3", "notes.joker = 3"])
def test_part_of_another_type_is_refused(wrong: str) -> None:
    with pytest.raises(fd.BookError, match="must be a table"):
        extend("yahtzee", wrong)


@for_each(
    ("offers", "available", "place"),
    [((), 1, -1), ((1, 2), 4, -1), ((1, 2), 3, 0), ((1, 2, 6), 2, 1), ((1, 2, 6), 4, 2), ((-1,), 0, -1)],
)
def test_first_offer_with_an_available_box_counts(offers: tuple[int, ...], available: int, place: int) -> None:
    assert first_available(offers, available) == place
