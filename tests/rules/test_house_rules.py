"""What a house book can say: each wish is a few lines, and shows in the boxes that a roll may fill."""

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


def test_one_line_is_a_house_rule() -> None:
    ours = extend("yahtzee", "rolls = 4")
    assert (ours.key, ours.name, ours.variant, ours.rolls) == ("yahtzee-house", "Yahtzee (house rules)", True, 4)
    assert ours.boxes == fd.book("yahtzee").boxes
    assert ours.fingerprint != fd.book("yahtzee").fingerprint


def test_what_a_file_does_not_say_is_as_usual() -> None:
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


def test_a_variant_can_be_extended_too() -> None:
    ours = extend("yahtzee-free-choice", "rolls = 4")
    assert ours.alike == fd.book("yahtzee-free-choice").alike
    assert ours.key == "yahtzee-free-choice-house"
    assert extend("yatzy-forced").fingerprint == fd.book("yatzy-forced").fingerprint


def test_five_alike_as_a_natural_full_house() -> None:
    ours = extend("yahtzee", "[boxes.full_house]", "same_face = true")
    assert options(ours, FOURS)["full_house"] == 25
    assert options(fd.book("yahtzee"), FOURS)["full_house"] == 0
    assert options(ours, "44455")["full_house"] == 25
    assert options(ours, "44445")["full_house"] == 0


def test_two_pairs_from_four_alike() -> None:
    ours = extend("yatzy", "[boxes.two_pairs]", "same_face = true")
    assert options(ours, "44441")["two_pairs"] == 16
    assert options(fd.book("yatzy"), "44441")["two_pairs"] == 0
    assert options(ours, "44551")["two_pairs"] == 18


def test_as_many_groups_as_the_dice_have_numbers() -> None:
    ours = load(box("a", "aa", "groups, sizes = [1, 1, 1]", "9"), CHANCE, head=["dice = 4", "faces = 3"])
    assert [options(ours, dice)["a"] for dice in ("1123", "1122")] == [9, 0]


def test_a_free_choice_joker() -> None:
    ours = with_ladder('{ boxes = "any", worth = "joker" }')
    found = options(ours, FOURS, {"five_of_a_kind": 50})
    assert [found.pop(key) for key in LOWER] == [20, 20, 25, 30, 40, 20]
    assert found == {"aces": 0, "twos": 0, "threes": 0, "fours": 20, "fives": 0, "sixes": 0}


def test_a_joker_in_the_lower_section_only() -> None:
    ours = with_ladder('{ boxes = "lower", worth = "joker" }', '{ boxes = "upper", worth = "plain" }')
    assert set(options(ours, FOURS, {"five_of_a_kind": 50})) == set(LOWER)
    lower_full = dict.fromkeys(LOWER, 0) | {"five_of_a_kind": 50, "aces": 0}
    assert options(ours, FOURS, lower_full) == {"twos": 0, "threes": 0, "fours": 20, "fives": 0, "sixes": 0}


def test_no_joker_and_no_extra() -> None:
    ours = extend("yahtzee", "alike = false")
    assert len(options(ours, FOURS, {"five_of_a_kind": 50})) == 12
    assert ours.fingerprint == fd.book("yahtzee-plain").fingerprint


@for_each(("repeat", "second"), [("true", 100), ("false", 0)])
def test_the_extra_once_only_or_repeated(repeat: str, second: int) -> None:
    ours = extend("yahtzee", "[alike]", f"repeat = {repeat}")
    game = fd.Game.new(ours, ["Ann"], dice=fd.dice.scripted("66666 55555 44444"))
    for key in ("five_of_a_kind", "fives", "fours"):
        game.roll()
        game.mark(key)
    assert game.position.cards[0].extra_total == 100 + second


@for_each(("applies", "legal"), [("filled", {"fours"}), ("scored", set(LOWER) | {"fours", "aces"})])
def test_the_ladder_holds_for_a_zero_or_only_for_points(applies: str, legal: set[str]) -> None:
    ours = extend("yahtzee", "[alike]", f'applies = "{applies}"')
    held = {"five_of_a_kind": 0, "twos": 0, "threes": 0, "fives": 0, "sixes": 0}
    assert set(options(ours, FOURS, held)) == legal


def test_a_rung_may_ask_whether_the_face_box_is_open_or_filled() -> None:
    lower = '{ boxes = "lower", worth = "joker", face_box = "filled" }'
    ours = with_ladder(lower, '{ boxes = "any", worth = "plain" }')
    assert options(ours, FOURS, {"five_of_a_kind": 0})["full_house"] == 0
    assert options(ours, FOURS, {"five_of_a_kind": 0, "fours": 8})["full_house"] == 25
    lower_full = dict.fromkeys(LOWER, 0) | {"five_of_a_kind": 50, "fours": 8}
    assert set(options(ours, FOURS, lower_full)) == {"aces", "twos", "threes", "fives", "sixes"}


def test_another_bonus() -> None:
    ours = extend("yahtzee", "bonus.threshold = 60", "bonus.points = 50")
    held = {"fives": 15, "sixes": 30, "fours": 16}
    assert fd.Scorecard.of(ours, held).upper_bonus == 50
    assert fd.Scorecard.of(extend("yahtzee", "bonus = false"), held).upper_bonus == 0


def test_a_box_more_and_a_box_less() -> None:
    two_pairs = box("two_pairs", "2p", "groups, sizes = [2, 2]", '"matching"')
    ours = extend("yahtzee", "boxes.chance = false", two_pairs)
    assert options(ours, "66551") == options(fd.book("yahtzee"), "66551", {"chance": 23}) | {"two_pairs": 22}
    assert ours.boxes[-1].key == "two_pairs"


def test_another_order_of_the_sheet() -> None:
    keys = [box.key for box in reversed(fd.book("yatzy").boxes)]
    ours = extend("yatzy-forced", f"sequence = {keys}".replace("'", '"'))
    assert options(ours, "66666") == {"five_of_a_kind": 50}


def test_a_fixed_order() -> None:
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
def test_a_fixed_order_together_with_a_ladder(dice: str, held: dict[str, int], expected: dict[str, int]) -> None:
    rungs = ('{ boxes = "face", worth = "plain" }', '{ boxes = "lower", worth = "joker" }')
    ladder = f'ladder = [{", ".join(rungs)}, {{ boxes = "upper", worth = "zero" }}]'
    ours = load(*IN_ORDER, ladder, head=["fixed_order = true"])
    filled = {"five_of_a_kind": 50} | held if held or dice == "11111" else held
    assert options(ours, dice, filled) == expected


def test_in_a_fixed_order_the_face_box_may_still_lie_ahead() -> None:
    rungs = '[{ boxes = "any", worth = "plain", face_box = "open" }, { boxes = "any", worth = "joker" }]'
    ours = load(*IN_ORDER, f"ladder = {rungs}", head=["fixed_order = true"])
    before_full_house = {"five_of_a_kind": 50, "aces": 0}
    assert options(ours, FOURS, before_full_house) == {"full_house": 0}
    assert options(ours, "11111", before_full_house) == {"full_house": 25}
    assert options(ours, "22222", before_full_house) == {"full_house": 25}


def test_a_ladder_in_a_fixed_order_is_only_asked_for_boxes_below_its_own() -> None:
    """Upper boxes lie above the box for all dice alike here, so a ladder that forgets them is never stuck."""
    ladder = 'ladder = [{ boxes = "lower", worth = "plain" }]'
    parts = [UPPER, ALIKE, CHANCE, "[alike]", 'box = "five_of_a_kind"', ladder]
    assert load(*parts, head=["fixed_order = true"]).alike is not None
    with pytest.raises(fd.BookError, match="leaves no box"):
        load(*parts)


def test_three_dice() -> None:
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


def test_six_dice_with_twenty_boxes() -> None:
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


def test_a_new_pattern_does_not_inherit_the_details_of_the_old_one() -> None:
    ours = extend("yahtzee", "[boxes.large_straight]", 'pattern = "exactly"', "faces = [2, 3, 4, 5, 6]")
    assert options(ours, "23456")["large_straight"] == 40
    assert options(ours, "12345")["large_straight"] == 0


# Notes


def notes(book: fd.RuleBook) -> set[str]:
    return {note.key for note in book.notes}


def test_notes_about_changed_lines_are_dropped() -> None:
    base = notes(fd.book("yahtzee"))
    assert {"joker", "chips", "holds_now", "minimums", "full_house", "start"} <= base
    assert base - notes(extend("yahtzee", "[alike]", "extra = 50")) == {"chips", "holds_now"}
    assert base - notes(extend("yahtzee", "[alike]", 'name = "Jokers"')) == set()
    assert base - notes(extend("yahtzee", "alike = false")) == {"joker", "chips", "holds_now"}
    assert base - notes(extend("yahtzee", "[boxes.full_house]", "points = 30")) == {"full_house"}
    assert base - notes(extend("yahtzee", "boxes.full_house = false")) == {"full_house"}
    assert base - notes(extend("yahtzee", "[boxes.chance]", "points = 30")) == set()
    assert base == notes(extend("yahtzee", "rolls = 2"))


def test_a_restated_note_stays_and_a_note_can_be_removed() -> None:
    restated = extend("yahtzee", "[alike]", "extra = 50", "[notes.chips]", 'text = "Fifty for each."')
    kept = {note.key: note for note in restated.notes}
    assert kept["chips"].text == "Fifty for each."
    assert kept["chips"].title == "More bonuses than chips"
    assert "holds_now" not in kept
    assert "solo" not in notes(extend("yahtzee", "notes.solo = false"))


def test_prose_is_folded_into_one_line() -> None:
    ours = load(CHANCE, "[notes.a]", 'title = "A"', 'text = """\n  one\n  two """')
    assert ours.notes[0].text == "one two"
    assert not ours.notes[0].ours


@for_each("wrong", ["boxes = 3", "notes = false", "boxes = false", "notes = 3", "notes.joker = 3"])
def test_a_part_that_is_replaced_by_something_else_is_refused(wrong: str) -> None:
    with pytest.raises(fd.BookError, match="must be a table"):
        extend("yahtzee", wrong)


@for_each(
    ("offers", "available", "place"),
    [((), 1, -1), ((1, 2), 4, -1), ((1, 2), 3, 0), ((1, 2, 6), 2, 1), ((1, 2, 6), 4, 2), ((-1,), 0, -1)],
)
def test_the_first_offer_with_an_available_box_counts(offers: tuple[int, ...], available: int, place: int) -> None:
    assert first_available(offers, available) == place
