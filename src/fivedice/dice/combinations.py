"""Every roll and keep of a number of dice, with their weights: what chance can do, listed."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from fivedice.dice.multiset import Keep, Roll


@lru_cache(maxsize=64)
def rolls(dice: int, faces: int = 6) -> tuple[Roll, ...]:
    """All distinct rolls, in ascending order: 252 for five dice."""
    return tuple(Roll(combo) for combo in combinations_with_replacement(range(1, faces + 1), dice))


@lru_cache(maxsize=64)
def keeps(dice: int, faces: int = 6) -> tuple[Keep, ...]:
    """All distinct keeps of at most `dice` dice, smaller ones first: 462 for five dice."""
    sizes = range(dice + 1)
    values = range(1, faces + 1)
    return tuple(Keep(combo) for size in sizes for combo in combinations_with_replacement(values, size))


def keeps_of(roll: Roll) -> tuple[Keep, ...]:
    """The distinct keeps inside one roll, the whole roll included."""
    sizes = range(len(roll) + 1)
    return tuple(Keep(combo) for size in sizes for combo in sorted(set(combinations(roll.faces, size))))


def ways(dice: Roll | Keep) -> int:
    """In how many orders these faces can fall: the weight of a throw out of faces ** dice."""
    return factorial(len(dice)) // prod(map(factorial, dice.counts.values()))
