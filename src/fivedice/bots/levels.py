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
from fivedice.message import Either

PLAY = "1"  # how the bots choose: another number as soon as a level would choose differently anywhere


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of player."""

    name: str
    about: str  # the kind of the message that describes it
    sight: Literal["points", "par", "exact"]
    blur: float


ALL = (
    Level("random", "bots.random", "points", inf),
    Level("greedy", "bots.greedy", "points", 2.0),
    Level("casual", "bots.casual", "points", 1.0),
    Level("steady", "bots.steady", "par", 1.02),
    Level("sharp", "bots.sharp", "exact", 0.88),
    Level("perfect", "bots.perfect", "exact", 0.0),
)


def find(name: str) -> Level:
    """The level of a name."""
    for level in ALL:
        if level.name == name:
            return level
    raise MalformedError("bots.unknown", bot=quote(name), known=Either(tuple(each.name for each in ALL)))
