"""Perfect play of a small book that saves rolls, worked out a second time: by recursion over positions alone.

Values are of the points still to come. It knows nothing of tables, lattices or compiled books.
"""

from functools import cache

from fivedice.core.dice import Keep, Roll, keeps_of, rolls, ways
from rules.second_houses import SAVING


@cache
def card_worth(filled: int, saved: int) -> float:
    """Which points are on the card does not matter in this book."""
    if filled == SAVING.full:
        return 0.0
    return _thrown(filled, SAVING.rolls + saved - 1, Keep(()))


@cache
def _thrown(filled: int, left: int, keep: Keep) -> float:
    """Return the value of keeping these dice, with that many rolls left afterwards."""
    cup = SAVING.dice - len(keep)
    falls = [(ways(fall), roll_worth(filled, left, Roll(keep.faces + fall.faces))) for fall in rolls(cup, SAVING.faces)]
    return sum(weight * worth for weight, worth in falls) / SAVING.faces**cup


@cache
def roll_worth(filled: int, left: int, roll: Roll) -> float:
    worth = SAVING.worth(roll).plain
    scored = [
        points + card_worth(filled | 1 << place, left) for place, points in enumerate(worth) if not filled >> place & 1
    ]
    again = [_thrown(filled, left - 1, keep) for keep in keeps_of(roll) if len(keep) < SAVING.dice] if left else []
    return max(scored + again)
