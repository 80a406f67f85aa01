"""The levels, from the weakest to the strongest, as numbers: how far a bot looks, and how well it sees.

`sight` is what it takes a box to be worth: the points, the points against the par of the box, or the exact value.
`blur` is by how many points an option may be worse and still be taken for a good one now and then: an option that
loses x points is e ** (-x / blur) times as likely as the best. Both together are tuned so that the means of the
levels are spread evenly; `python -m fivedice.bots.measure` says what they are. Blur falls from level to level, because
in a book that leaves nothing to plan, such as one with a fixed order of boxes, it alone tells the levels apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from fivedice.errors import MalformedError, quote


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of player."""

    name: str
    about: str
    sight: Literal["points", "par", "exact"]
    blur: float


ALL = (
    Level("random", "does anything that is allowed", "points", inf),
    Level("greedy", "grabs what pays now, misses a lot", "points", 2.0),
    Level("casual", "takes what pays most now", "points", 1.0),
    Level("steady", "plans by rule of thumb", "par", 1.02),
    Level("sharp", "knows the odds, slips now and then", "exact", 0.88),
    Level("perfect", "plays for the highest mean, exactly", "exact", 0.0),
)


def find(name: str) -> Level:
    """The level of a name."""
    for level in ALL:
        if level.name == name:
            return level
    raise MalformedError(f"there is no bot {quote(name)}; the levels are {', '.join(each.name for each in ALL)}")
