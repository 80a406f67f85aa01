"""The fingerprint changes exactly when play changes."""

from importlib.resources import files
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

import fivedice as fd
from fivedice.core.rules.book_facts import differences
from fivedice.core.rules.playability import situations
from for_each import for_each
from rules.houses import ALIKE, CHANCE, box, extend, face_box, load
from support.books import COSMETIC, MORE_PLAY, PLAY

cosmetic_edits = st.lists(st.sampled_from(COSMETIC), unique=True)
play_edits = st.frozensets(st.sampled_from(PLAY), max_size=3)


@for_each("edit", COSMETIC)
def test_cosmetic_edits_keep_the_fingerprint(edit: str) -> None:
    assert extend("yahtzee", edit).fingerprint == fd.book("yahtzee").fingerprint


@for_each("edit", [*PLAY, *MORE_PLAY])
def test_play_edits_change_the_fingerprint(edit: str) -> None:
    assert extend("yahtzee", edit).fingerprint != fd.book("yahtzee").fingerprint


@for_each("edit", COSMETIC)
def test_cosmetic_edits_are_no_difference(edit: str) -> None:
    assert differences(extend("yahtzee", edit), fd.book("yahtzee")) == ()


TOPICS = {"bonus": "bonus", "boxes": "box", "order": "order", "save_rolls": "rolls", "bonuses": "more-bonuses"}


@for_each("edit", [*PLAY, *MORE_PLAY])
def test_play_edits_are_differences_described_both_ways(edit: str) -> None:
    (only,) = differences(extend("yahtzee", edit), fd.book("yahtzee"))
    line = edit.split(" = ")[0]
    topic = ("joker" if line in {"alike.ladder", "alike.applies"} else "extra") if line.startswith("alike") else line
    assert only.topic.kind == f"rules.topic-{TOPICS.get(topic.split('.')[0], topic)}"
    assert str(only.ours) != str(only.theirs)


def test_single_play_edits_have_distinct_fingerprints() -> None:
    assert len({extend("yahtzee", edit).fingerprint for edit in (*PLAY, *MORE_PLAY)}) == len(PLAY) + len(MORE_PLAY)


@pytest.mark.campaign
def test_pairs_of_play_edits_have_distinct_fingerprints() -> None:
    prints = {extend("yahtzee", *edits).fingerprint for size in (0, 1, 2) for edits in combinations(PLAY, size)}
    assert len(prints) == 1 + len(PLAY) + len(PLAY) * (len(PLAY) - 1) // 2


@pytest.mark.campaign
@settings(max_examples=40)
@given(cosmetic_edits, play_edits)
def test_mixed_edits_are_distinguished_by_play_only(cosmetic: list[str], play: frozenset[str]) -> None:
    shown = [edit for edit in cosmetic if not (edit.startswith("sequence") and "boxes.large_straight = false" in play)]
    assert extend("yahtzee", *shown, *sorted(play)).fingerprint == extend("yahtzee", *sorted(play)).fingerprint


def test_upper_first_is_play_even_without_jokers() -> None:
    assert extend("yatzy", 'order = "upper_first"').fingerprint != fd.book("yatzy").fingerprint


@for_each("line", ["threshold = 101", "points = 51", 'section = "upper"'])
def test_further_bonus_terms_are_play(line: str) -> None:
    usual = ("[bonuses.low]", 'name = "Low"', 'section = "lower"', "threshold = 100", "points = 50")
    other = (line if part.split(" = ")[0] == line.split(" = ")[0] else part for part in usual)
    assert extend("yatzy", *usual).fingerprint != extend("yatzy", *other).fingerprint


def test_house_rules_keep_their_fingerprints() -> None:
    assert {edit: extend("yahtzee", edit).fingerprint for edit in MORE_PLAY} == dict(
        zip(MORE_PLAY, HOUSE_GOLDEN, strict=True)
    )


def test_order_and_names_of_further_bonuses_are_cosmetic() -> None:
    low = 'bonuses.{} = {{ name = "{}", section = "lower", threshold = 100, points = 50 }}'
    high = 'bonuses.{} = {{ name = "{}", boxes = ["chance", "sixes"], threshold = 40, points = 9 }}'
    one = extend("yahtzee", low.format("a", "A"), high.format("b", "B"))
    other = extend("yahtzee", high.format("x", "X"), low.format("y", "Y"))
    assert one.fingerprint == other.fingerprint
    named = low.format("a", "A").replace(
        'section = "lower"', f"boxes = {[box.key for box in one.boxes if box.section == 'lower']}"
    )
    assert extend("yahtzee", named, high.format("b", "B")).fingerprint == one.fingerprint


def test_bonus_over_equivalent_boxes_is_the_same() -> None:
    """Wherever they stand on the sheet."""
    sheet = [*(box(key, f"a{key}", "anything") for key in "abc"), face_box(6)]
    prints = {
        load(
            *order, "[bonuses.x]", 'name = "X"', f'boxes = ["{key}", "sixes"]', "threshold = 40", "points = 9"
        ).fingerprint
        for order in (sheet, sheet[::-1])
        for key in "abc"
    }
    assert len(prints) == 1
    without = load(*sheet, "[bonuses.x]", 'name = "X"', 'boxes = ["a"]', "threshold = 20", "points = 9")
    assert without.fingerprint not in prints


def test_box_keys_and_sheet_order_are_cosmetic_unless_order_is_a_rule() -> None:
    source = (files("fivedice.core.rules") / "books" / "yahtzee.toml").read_text(encoding="utf-8")
    renamed = source.replace("five_of_a_kind", "kniffel").replace("boxes.aces", "boxes.einser")
    assert fd.load_book(renamed).fingerprint == fd.book("yahtzee").fingerprint
    assert fd.rules.canonical_order(fd.book("yatzy-forced")) == tuple(range(15))
    assert fd.rules.canonical_order(fd.book("yatzy")) != tuple(range(15))
    keys = [box.key for box in fd.book("yatzy").boxes]
    swapped = ", ".join(f'"{key}"' for key in [keys[1], keys[0], *keys[2:]])
    assert extend("yatzy-forced", f"sequence = [{swapped}]").fingerprint != fd.book("yatzy-forced").fingerprint
    assert extend("yatzy", f"sequence = [{swapped}]").fingerprint == fd.book("yatzy").fingerprint


@for_each(
    "idle",
    [
        'ladder = [{ boxes = "any", worth = "plain" }]',
        'ladder = [{ boxes = "any", worth = "plain", face_box = "open" }, { boxes = "any", worth = "plain" }]',
        "ladder = []",
        "repeat = false\nladder = []",
        'applies = "scored"\nladder = []',
    ],
)
def test_idle_policy_equals_none(idle: str) -> None:
    assert extend("yahtzee", "[alike]", "extra = 0", idle).fingerprint == fd.book("yahtzee-plain").fingerprint


def test_equivalent_patterns_and_idle_conditions_are_cosmetic() -> None:
    paid = extend("yahtzee", "[alike]", "extra = 1", "ladder = []")
    assert paid.fingerprint != fd.book("yahtzee-plain").fingerprint
    assert paid.fingerprint != extend("yahtzee", "[alike]", "extra = 2", "ladder = []").fingerprint
    small_run = box("row", "rw", "run, length = 6", "15")
    exact_row = box("row", "rw", "exactly, faces = [1, 2, 3, 4, 5, 6]", "15")
    six = ["dice = 6"]
    assert load(small_run, CHANCE, head=six).fingerprint == load(exact_row, CHANCE, head=six).fingerprint
    paid = ["[alike]", 'ladder = [{ boxes = "any", worth = "plain" }]']
    scored = extend("yahtzee", *paid, 'applies = "scored"')
    assert (
        scored.fingerprint == extend("yahtzee", *paid).fingerprint == extend("yahtzee", "alike.ladder = []").fingerprint
    )
    assert scored.fingerprint != fd.book("yahtzee-plain").fingerprint


def test_equivalent_ladders_have_one_fingerprint() -> None:
    long = (
        '[{ boxes = "face", worth = "joker" }, { boxes = "lower", worth = "joker" }, { boxes = "any", worth = "zero" }]'
    )
    assert extend("yahtzee", f"alike.ladder = {long}").fingerprint == fd.book("yahtzee").fingerprint
    # In a fixed order with the box for all dice alike at the end, nothing is left to force.
    parts = [face_box(1), CHANCE, ALIKE]
    policy = ["[alike]", 'box = "five_of_a_kind"', 'ladder = [{ boxes = "any", worth = "zero" }]']
    order = ["fixed_order = true"]
    assert load(*parts, *policy, head=order).fingerprint == load(*parts, head=order).fingerprint
    assert load(*parts, *policy).fingerprint != load(*parts).fingerprint


@for_each("order", ["free", "sheet"])
def test_policy_without_a_box_forces_nothing(order: str) -> None:
    assert list(situations(load(face_box(1), CHANCE, head=[f'order = "{order}"']))) == []


def test_fixed_order_means_earlier_face_boxes_are_filled() -> None:
    """The joker comes up below the face boxes only, and that is enough to make another game."""
    faces = [face_box(face) for face in range(1, 7)]
    sheet = [
        ALIKE,
        *faces,
        box("full_house", "fh", "groups, sizes = [3, 2]", "25"),
        "[alike]",
        'box = "five_of_a_kind"',
    ]
    while_open = '{ boxes = "any", worth = "plain", face_box = "open" }'
    order = ["fixed_order = true"]
    joker = load(*sheet, f'ladder = [{while_open}, {{ boxes = "any", worth = "joker" }}]', head=order)
    plain = load(*sheet, f'ladder = [{while_open}, {{ boxes = "any", worth = "plain" }}]', head=order)
    assert joker.fingerprint != plain.fingerprint


def test_shipped_books_have_distinct_stable_fingerprints() -> None:
    prints = {key: fd.book(key).fingerprint for key in fd.SHIPPED}
    assert len(set(prints.values())) == len(fd.SHIPPED)
    assert prints == GOLDEN


# Records carry these; a change here makes every recorded game unreadable, so it must be meant.
GOLDEN = {
    "yardzee": "af3c6c10e1ce8c299b602982e1098594",
    "yahtzee": "a11f27b3b0bb654670d510930f2d431d",
    "yatzy": "0add7f1fd52abc00cad621471cb23a8e",
    "yahtzee-classic": "e30aba83376c7744ff9ce6d7c4fdf7ea",
    "yahtzee-free-choice": "d02fd028194ca74501004e4ae76b6ae9",
    "yahtzee-plain": "bc54cd1637b8696c1a605d01e545d122",
    "yatzy-forced": "1ef1cdc1ba6e2c9267f79fadcb857378",
    "maxi-yatzy-plain": "cf90249f5ab9eb2a248a9574da630d2a",  # of records that call it maxi-yatzy, too
    "kniffel": "c7f99445ea12ccba3a67a12c07a03610",
    "kismet": "287937e071bfc5ef847987888cbe48dc",
    "yacht": "92821e1950bdf6fa1181086619025881",
    "crag": "e7f83b6dc5786d6f45c3867d7c8e5761",
    "maxi-yatzy": "3b2aad8955a5ae654f7fece0c18efbdf",
}

HOUSE_GOLDEN = (
    "00fa563f97325c9d06873dd3ae829bd2",
    "4220891f8439d42af51cdbf69a122161",
    "d52aac6bc6b4ab6acb4d3aee36101526",
    "966e1fd237c583ce46468d9e3ed29772",
    "6be336116f119f60b8ede1fa7dc44f47",
    "04b1793334907080a893c28c31913869",
    "1542f7ca1a5f9abb906aba1f7618f992",
    "a60e09810c7820b12432a49c5c85593c",
    "f6b4096820a9e86fe09ceec79bc84fe7",
)
