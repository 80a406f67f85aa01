"""Rolls and keeps are values."""

import copy
import pickle
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, strategies as st

import fivedice as fd
from fivedice.core.dice import Keep, Multiset, Roll, keeps, keeps_of, rolls, ways
from fivedice.core.dice.multiset import keep_of, roll_of
from for_each import for_each

faces = st.lists(st.integers(1, 9), min_size=1, max_size=8)


@for_each("text", ["24466", "66442", "2 4 4 6 6", "2-4-4-6-6", "6,4,2,4,6", " 2 - 4 - 4 - 6 - 6 "])
def test_a_roll_is_read_in_any_order_and_with_separators(text: str) -> None:
    assert Roll.parse(text).faces == (2, 4, 4, 6, 6)


def test_longest_roll_and_quoted_part_of_a_long_text() -> None:
    assert Roll.parse("12345678").faces == (1, 2, 3, 4, 5, 6, 7, 8)
    with pytest.raises(fd.MalformedError) as caught:
        Roll.parse("7" * 5000)
    assert len(str(caught.value)) < 200
    assert "777…" in str(caught.value)


@for_each("text", ["", "-", "0", "1230", "12a", "²3", "١٢", "123456789", "1.2", "+1", "1\n2"])
def test_invalid_roll_is_malformed_and_quoted(text: str) -> None:
    with pytest.raises(fd.MalformedError) as caught:
        Roll.parse(text)
    assert repr(text) in str(caught.value) or text == "-"


@for_each("wrong", [(0,), (10,), (1,) * 9, (1, "2"), (True, 2), (1.0,), (None,)])
def test_faces_outside_the_dice_are_malformed(wrong: tuple[object, ...]) -> None:
    with pytest.raises(fd.MalformedError, match="Enter at most 8 dice, each 1 to 9"):
        Keep(wrong)  # type: ignore[arg-type]


@for_each("made", [roll_of, keep_of])
def test_cached_dice_are_still_checked(made: Callable[[tuple[object, ...]], Multiset]) -> None:
    assert made((6, 1)) is made((1, 6))
    assert made((6, 1)).faces == (1, 6)
    for wrong in ((True, 6), (1, 6.0), (1, None)):
        with pytest.raises(fd.MalformedError):
            made(wrong)


def test_keeps_may_be_empty_and_are_read_from_text_dice_or_faces() -> None:
    assert str(Keep(())) == "-"
    assert Keep.parse("-") == Keep.parse("") == Keep.read([]) == Keep(())
    with pytest.raises(fd.MalformedError):
        Roll(())
    assert Keep.read("64") == Keep.read(Roll.parse("46")) == Keep.read([6, 4]) == Keep.of((4, 6))
    assert Keep(()).alike is None


@given(faces)
def test_text_is_a_fixed_point_and_repr_is_the_notation(dice: list[int]) -> None:
    roll = Roll.of(dice)
    assert Roll.parse(str(roll)) == roll == eval(repr(roll), {"Roll": Roll})  # noqa: S307
    assert roll == Roll.of(reversed(dice))
    assert hash(roll) == hash(Roll.of(reversed(dice)))
    assert list(roll) == sorted(dice)
    assert (len(roll), roll.total) == (len(dice), sum(dice))


@given(faces, faces)
def test_contains_and_without_agree(dice: list[int], others: list[int]) -> None:
    roll, keep = Roll.of(dice), Keep.of(others)
    inside = all(dice.count(face) >= others.count(face) for face in range(1, 10))
    assert roll.contains(keep) == inside
    left = {face: max(0, dice.count(face) - others.count(face)) for face in range(1, 10)}
    assert list(roll.without(keep)) == [face for face, count in left.items() for _ in range(count)]


@given(faces)
def test_alike_returns_the_common_face(dice: list[int]) -> None:
    assert Roll.of(dice).alike == (dice[0] if len(set(dice)) == 1 else None)


def test_roll_differs_from_keep_and_both_are_immutable() -> None:
    assert Roll.parse("44") != Keep.parse("44")
    with pytest.raises(AttributeError):
        Roll.parse("44").faces = (1,)  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):  # Python 3.11 trips over frozen slots in a subclass
        Roll.parse("44").note = "x"  # type: ignore[attr-defined]


@for_each("dice", [Roll.parse("24466"), Keep.parse("44"), Keep(())])
def test_dice_can_be_copied_and_pickled(dice: Multiset) -> None:
    assert copy.deepcopy(dice) == pickle.loads(pickle.dumps(dice)) == dice  # noqa: S301


@for_each(("dice", "faces"), [(1, 6), (2, 6), (3, 4), (5, 6), (4, 9)])
def test_weights_count_every_ordered_throw(dice: int, faces: int) -> None:
    falls = [tuple(sorted(fall)) for fall in product(range(1, faces + 1), repeat=dice)]
    assert {roll.faces: ways(roll) for roll in rolls(dice, faces)} == {fall: falls.count(fall) for fall in set(falls)}
    assert sum(map(ways, rolls(dice, faces))) == faces**dice


def test_keeps_range_from_none_to_all() -> None:
    assert ways(Keep(())) == 1
    everything = keeps(3, 2)
    assert list(map(str, everything)) == ["-", "1", "2", "11", "12", "22", "111", "112", "122", "222"]
    assert [roll.faces for roll in rolls(3, 2)] == [keep.faces for keep in everything if len(keep) == 3]


@for_each("dice", ["24466", "11111", "123456", "7"])
def test_keeps_of_a_roll_are_distinct_and_inside_it(dice: str) -> None:
    roll = Roll.parse(dice)
    inside = keeps_of(roll)
    expected = 1
    for count in roll.counts.values():
        expected *= count + 1
    assert len(inside) == len(set(inside)) == expected
    assert all(roll.contains(keep) for keep in inside)
