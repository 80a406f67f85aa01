"""Rulings: the legal boxes, the closed ones, and the sentence that gives the reason."""

import pytest

import fivedice as fd
from fivedice.core.dice import rolls
from fivedice.core.game import Ruling, judge
from fivedice.message import message
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load

FOURS = fd.Roll.parse("44444")


def closed(book: str | fd.RuleBook, dice: str, held: dict[str, int]) -> dict[str, str]:
    return fd.Scorecard.of(fd.book(book), held).ruling(fd.Roll.parse(dice)).closed


def test_reasons_for_closed_boxes() -> None:
    assert closed("yahtzee", "12345", {"chance": 15}) == {"chance": "Chance already has 15."}
    reasons = closed("yahtzee", "44444", {"five_of_a_kind": 50})
    assert reasons["chance"] == "4-4-4-4-4 must go in Fours, which is open (Joker Rules)."
    assert len(reasons) == 12
    reasons = closed("yahtzee", "44444", {"five_of_a_kind": 50, "fours": 12})
    wanted = "Fours is scored, so 4-4-4-4-4 must go in an open box of the Lower Section (Joker Rules)."
    assert reasons["sixes"] == wanted
    assert reasons["fours"] == "Fours already has 12."
    assert set(reasons) == {"aces", "twos", "threes", "fours", "fives", "sixes", "five_of_a_kind"}
    reasons = closed("yardzee", "66666", {"five_of_a_kind": 50, "sixes": 18})
    wanted = "Sixes is scored, so 6-6-6-6-6 must go in an open box of the Upper Section (Additional Yardzees)."
    assert reasons["chance"] == wanted
    reasons = closed("yatzy-forced", "44444", {"aces": 0})
    assert reasons["fours"] == "Boxes are scored from the top. Twos comes next."
    assert reasons["aces"] == "Ones already has 0."


def test_rung_without_a_face_box_does_not_mention_one() -> None:
    book = load(
        face_box(1),
        ALIKE,
        CHANCE,
        "[alike]",
        'box = "five_of_a_kind"',
        'ladder = [{ boxes = "lower", worth = "plain" }, { boxes = "any", worth = "plain" }]',
    )
    reasons = closed(book, "44444", {"five_of_a_kind": 50})
    assert reasons["aces"] == "4-4-4-4-4 must go in an open box of the Lower section (Joker rules)."
    open_face = closed(book, "11111", {"five_of_a_kind": 50})
    assert open_face["aces"] == "1-1-1-1-1 must go in an open box of the Lower section (Joker rules)."


def test_rulings_cover_every_box_with_jokers_and_extras() -> None:
    for key in fd.SHIPPED:
        book = fd.book(key)
        first = book.boxes[0].key
        for held in ({}, {first: 0}):
            for roll in fd.dice.rolls(book.dice):
                ruling = fd.Scorecard.of(book, held).ruling(roll)
                assert ruling.legal.keys() | ruling.closed.keys() == set(book.index)
                assert not ruling.legal.keys() & ruling.closed.keys()
                assert all(reason.endswith(".") for reason in ruling.closed.values())
    ruling = fd.Scorecard.of(fd.book("yahtzee"), {"fours": 12}).ruling(FOURS)
    assert "chance" in ruling
    assert "Chance" in ruling
    assert "4s" not in ruling
    assert ruling.check("yz") == fd.Entry(50)
    with pytest.raises(fd.IllegalMove, match="Fours already has 12"):
        ruling.check("fours")
    with pytest.raises(fd.IllegalError, match="has no box 'nines'"):
        ruling.check("nines")
    card = fd.Scorecard.of(fd.book("yahtzee"), {"fours": 12, "five_of_a_kind": 0})
    assert {key for key, entry in card.options(FOURS).items() if entry.joker} == {
        "full_house",
        "small_straight",
        "large_straight",
    }
    once = extend("yahtzee", "[alike]", "repeat = false")
    held = {"five_of_a_kind": 50, "aces": 5}
    assert fd.Scorecard.of(once, held, 0).options(FOURS) == {"fours": fd.Entry(20, 100)}
    assert fd.Scorecard.of(once, held, 1).options(FOURS) == {"fours": fd.Entry(20, 0)}
    paid = extend("yahtzee", "[alike]", "ladder = []")
    options = fd.Scorecard.of(paid, {"five_of_a_kind": 50}).options(FOURS)
    assert len(options) == 12
    assert {entry.bonus for entry in options.values()} == {100}
    assert options["full_house"].points == 0


@for_each("dice", ["1234", "123456", "12347"])
def test_roll_of_other_dice_is_refused(dice: str) -> None:
    with pytest.raises(fd.IllegalError, match=f"Yahtzee uses 5 dice, each 1 to 6. You entered {'-'.join(dice)}."):
        judge(fd.Scorecard.empty(fd.book("yahtzee")), fd.Roll.parse(dice))


def test_reasons_are_values() -> None:
    book = fd.book("yahtzee")
    card = fd.Scorecard.of(book, {"five_of_a_kind": 50, "chance": 15})
    reasons = card.ruling(FOURS).reasons
    assert reasons["chance"] == message("game.box-filled", box=book.box("chance"), points=15)
    assert reasons["aces"] == message(
        "game.forced-to-face", roll=FOURS, boxes=(book.box("fours"),), count=1, rule=book.alike
    )


def test_two_boxes_of_a_number_are_named_together() -> None:
    second = box("more_fours", "44", "face, face = 4", '"matching"', "upper")
    steps = 'ladder = [{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "plain" }]'
    policy = ("[alike]", 'box = "five_of_a_kind"')
    book = load(face_box(4), second, ALIKE, CHANCE, *policy, steps)
    held = {"five_of_a_kind": 50}
    assert closed(book, "44444", held)["chance"] == (
        "4-4-4-4-4 must go in Fours and More Fours, which are open (Joker rules)."
    )
    steps = 'ladder = [{ boxes = "lower", worth = "plain" }, { boxes = "any", worth = "plain" }]'
    book = load(face_box(4), second, face_box(1), ALIKE, CHANCE, *policy, steps)
    assert closed(book, "44444", held | {"fours": 4, "more_fours": 4})["aces"] == (
        "Fours and More Fours are scored, so 4-4-4-4-4 must go in an open box of the Lower section (Joker rules)."
    )


def test_keys_names_and_avoidable_zeros() -> None:
    card = fd.Scorecard.empty(fd.book("yahtzee"))
    with pytest.raises(AssertionError):
        _ = Ruling(card, FOURS, available=card.book.full, boxes=1, joker_step=None, bonus=0).closed
    with pytest.raises(fd.BookError, match=r"house\.toml, line"):
        load(box("first", "aa", "anything", name="second"), box("second", "bb", "anything", name="Third"))
    book = fd.book("yahtzee")
    ruling = fd.Scorecard.of(book, {"chance": 20}).ruling(fd.Roll.parse("12346"))
    assert ruling.wastes("fives")  # Aces and others would score
    assert not ruling.wastes("aces")  # it scores
    assert not ruling.wastes("chance")  # it is filled
    only_zeros = dict.fromkeys([key for key in book.index if key != "fives"], 0)
    assert not fd.Scorecard.of(book, only_zeros).ruling(fd.Roll.parse("12346")).wastes("fives")
    ruling = fd.Scorecard.of(fd.book("yatzy"), {"aces": 3}).ruling(fd.Roll.parse("11111"))
    assert str(ruling.reason("aces")) == ruling.closed["aces"] == "Ones already has 3."


def test_cached_rulings_of_a_book_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.core.game.legality._MOST_REMEMBERED", 10)
    book = load(face_box(1), CHANCE)
    card = fd.Scorecard.empty(book)
    first, remembered = [], []
    for roll in rolls(5):
        first.append(card.options(roll))
        remembered.append(len(book.entries))
    assert [card.options(roll) for roll in rolls(5)] == first
    assert (min(remembered), max(remembered)) == (1, 10)
