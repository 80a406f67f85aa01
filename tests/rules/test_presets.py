"""Well-known house rules: each does what its description says over every shipped book that it fits."""

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files

import pytest

import fivedice as fd
from fivedice.core.rules.catalog import PRESETS, apply, lines_for, preset, presets_for
from fivedice.text.formatting import translate_text
from for_each import for_each
from long import few
from rules.houses import ALIKE, CHANCE, extend, face_box, load, options

FITTING = [(key, each.key) for key in fd.SHIPPED for each in presets_for(fd.book(key))]


def fill_card(book: fd.RuleBook, *unfilled: str, alike: int | None = None) -> dict[str, int]:
    """Return a card with zeros in all but some boxes, and `five` or its points in the box for equal dice."""
    place = book.alike_box
    assert place is not None
    held = {box.key: 0 for box in book.boxes if box.key not in unfilled}
    return held | {book.boxes[place].key: book.worth(dice_of(book, 6)).plain[place] if alike is None else alike}


def dice_of(book: fd.RuleBook, face: int) -> fd.Roll:
    return fd.Roll((face,) * book.dice)


def legal(book: fd.RuleBook, face: int, held: dict[str, int]) -> dict[str, int]:
    return options(book, str(face) * book.dice, held)


def boxes(book: fd.RuleBook, section: str) -> list[str]:
    place = book.alike_box
    return [box.key for at, box in enumerate(book.boxes) if box.section == section and at != place]


def is_forced(book: fd.RuleBook, base: fd.RuleBook) -> None:
    upper, lower = boxes(book, "upper"), boxes(book, "lower")
    for alike in (None, 0):
        fives = fill_card(book, "fives", *lower, alike=alike)
        assert legal(book, 5, fives) == {"fives": 5 * book.dice}
        worth = dict(zip(book.index, book.worth(dice_of(book, 5)).joker, strict=True))
        assert legal(book, 5, fill_card(book, "aces", *lower, alike=alike)) == {key: worth[key] for key in lower}
        assert all(worth[key] > 0 for key in lower), "a joker counts everywhere"
        rest = [key for key in upper if key != "fives"]
        assert legal(book, 5, fill_card(book, *rest, alike=alike)) == dict.fromkeys(rest, 0)
    assert book.bonus == base.bonus


def is_free(book: fd.RuleBook, base: fd.RuleBook) -> None:
    worth = book.worth(dice_of(book, 5))
    for alike in (None, 0):
        for closed, points in (((), worth.plain), (("fives",), worth.joker)):
            left = [key for key in (*boxes(book, "upper"), *boxes(book, "lower")) if key not in closed]
            expected = dict(zip(book.index, points, strict=True))
            assert legal(book, 5, fill_card(book, *left, alike=alike)) == {key: expected[key] for key in left}
    assert book.bonus == base.bonus


def has_chips(book: fd.RuleBook, base: fd.RuleBook) -> None:
    policy = book.alike
    assert policy is not None
    last = boxes(book, "lower")[-1]
    for face in range(1, 7):
        for before in (0, 1, 5):
            held = fill_card(book, last)
            card = fd.Scorecard.of(book, held, before)
            assert {entry.bonus for entry in card.options(dice_of(book, face)).values()} == {100}
        unpaid = fd.Scorecard.of(book, fill_card(book, last, alike=0)).options(dice_of(book, face))
        assert {entry.bonus for entry in unpaid.values()} == {0}
    steps = base.alike.joker_steps if base.alike else ()
    assert [step.boxes for step in policy.joker_steps] == [step.boxes for step in steps]


def is_upper_first(book: fd.RuleBook, base: fd.RuleBook) -> None:
    upper = [box.key for box in book.boxes if box.section == "upper"]
    lower = [box.key for box in book.boxes if box.section == "lower"]
    dice = "123456"[: book.dice]
    assert list(options(book, dice)) == upper
    assert list(options(book, dice, dict.fromkeys(upper[:-1], 0))) == upper[-1:]
    assert list(options(book, dice, dict.fromkeys(upper, 0))) == lower
    assert book.boxes == base.boxes


def is_yams(book: fd.RuleBook, base: fd.RuleBook) -> None:
    assert worths(book, "44425") == {"three_of_a_kind": 12, "four_of_a_kind": 0}
    assert worths(book, "44442") == {"three_of_a_kind": 12, "four_of_a_kind": 16}
    assert worths(book, "66655", "full_house") == {"full_house": 25}
    assert worths(book, "12345", "small_straight", "large_straight") == {"small_straight": 30, "large_straight": 0}
    assert worths(book, "23456", "small_straight", "large_straight") == {"small_straight": 0, "large_straight": 40}
    assert worths(book, "12346", "small_straight") == {"small_straight": 0}
    assert book.alike is None
    assert book.bonus == base.bonus


def is_on_top(book: fd.RuleBook, base: fd.RuleBook) -> None:
    assert worths(book, "44425") == {"three_of_a_kind": 32, "four_of_a_kind": 0}
    assert worths(book, "44442") == {"three_of_a_kind": 32, "four_of_a_kind": 56}
    assert worths(book, "66655", "full_house") == {"full_house": 58}
    assert worths(book, "66666", "five_of_a_kind") == {"five_of_a_kind": 80}
    assert book.alike == base.alike


def worths(book: fd.RuleBook, dice: str, *keys: str) -> dict[str, int]:
    plain = dict(zip(book.index, book.worth(fd.Roll.parse(dice)).plain, strict=True))
    return {key: plain[key] for key in keys or ("three_of_a_kind", "four_of_a_kind")}


WORDS: dict[str, Callable[[fd.RuleBook, fd.RuleBook], None]] = {
    "forced-joker": is_forced,
    "free-joker": is_free,
    "bonus-chips": has_chips,
    "upper-section-first": is_upper_first,
    "yams": is_yams,
    "points-on-top": is_on_top,
}


@for_each(("key", "name"), few(FITTING, len(FITTING) // 4))
def test_preset_does_what_it_says(key: str, name: str) -> None:
    base, laid = fd.book(key), preset(name)
    book = apply(laid, base)
    assert book.extends == key
    assert book.fingerprint != base.fingerprint
    WORDS[name](book, base)
    with pytest.raises(AssertionError):
        WORDS[name](base, base)


def test_every_preset_fits_somewhere_and_has_a_file() -> None:
    assert {name for _, name in FITTING} == set(PRESETS) == set(WORDS)
    folder = files("fivedice.core.rules") / "presets"
    assert {path.name for path in folder.iterdir() if path.name.endswith(".toml")} == {f"{key}.toml" for key in PRESETS}


@for_each("name", PRESETS)
def test_preset_has_name_and_summary(name: str) -> None:
    laid = preset(name)
    assert (laid.key, len(laid.name) <= 24, "\n" in laid.summary) == (name, True, False)
    assert laid.summary.endswith(".")
    written = tomllib.loads((files("fivedice.core.rules") / "presets" / f"{name}.toml").read_text())["summary"]
    assert laid.summary == re.sub(r"\s+", " ", written.strip())
    assert translate_text(laid.name) == laid.name


def test_presets_apply_only_with_effect_and_combine() -> None:
    def offered(key: str) -> set[str]:
        return {each.key for each in presets_for(fd.book(key))}

    assert "forced-joker" not in offered("yahtzee")
    assert "free-joker" not in offered("yahtzee-free-choice")
    assert "bonus-chips" not in offered("yahtzee")
    assert not {"forced-joker", "bonus-chips"} & offered("yatzy-forced"), "nothing follows its last box"
    assert not {"yams", "points-on-top"} & offered("maxi-yatzy"), "they are for five dice"
    small = load(face_box(6), CHANCE)
    assert [each.key for each in presets_for(small)] == ["upper-section-first"]
    with pytest.raises(fd.BookError, match=r"'alike\.box' is missing"):
        apply(preset("bonus-chips"), small)
    ours = fd.load_book('extends = "yahtzee"\nkey = "ours"\nname = "Ours"\nrolls = 4')
    changed = apply(preset("upper-section-first"), ours)
    assert (changed.key, changed.name, changed.rolls, str(changed.order)) == ("ours", "Ours", 4, "upper_first")
    both = apply(preset("upper-section-first"), apply(preset("bonus-chips"), load(face_box(6), ALIKE, CHANCE)))
    assert both.alike is not None
    assert (both.alike.extra, str(both.order)) == (100, "upper_first")


def test_chips_preset_pays_every_step_once() -> None:
    """Where steps of a book pay amounts of their own, those give way."""
    steps = '{ boxes = "face", worth = "plain" }, { boxes = "any", worth = "joker", extra = 0 }'
    ours = extend("yahtzee", f"[alike]\nextra = 50\nladder = [{steps}]")
    chips = preset("bonus-chips")
    assert lines_for(chips, ours)["alike"]["ladder"][1] == {"boxes": "any", "worth": "joker"}
    has_chips(apply(chips, ours), ours)
    assert "ladder" not in chips.lines["alike"], "the preset is as before"
    assert lines_for(chips, fd.book("yahtzee")) == {"alike": {"extra": 100, "repeat": True, "box": "five_of_a_kind"}}
    every = '{ boxes = "face", worth = "plain", extra = 5 }, { boxes = "any", worth = "joker", extra = 0 }'
    ours = extend("yahtzee", f"[alike]\nladder = [{every}]")
    assert lines_for(chips, ours)["alike"]["ladder"] == [
        {"boxes": "face", "worth": "plain"},
        {"boxes": "any", "worth": "joker"},
    ]
