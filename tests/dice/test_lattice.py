"""All rolls and keeps, with their weights."""

from itertools import product

from fivedice.core.dice import Keep, Roll, keeps, keeps_of, rolls, ways
from for_each import for_each


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
