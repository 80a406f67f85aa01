"""What a book does when all dice are alike and their own box is filled: a ladder of rungs.

From the top, the first rung that has an available box decides: those boxes are the legal ones, at the rung's
worth. Every joker rule we know is such a ladder. The solver reads the offers and the conditions from here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Reach(StrEnum):
    """Which boxes a rung speaks of."""

    FACE = "face"  # the box that counts the face the dice show
    UPPER = "upper"
    LOWER = "lower"
    ANY = "any"


class Price(StrEnum):
    """What the dice are worth in them."""

    PLAIN = "plain"
    JOKER = "joker"
    ZERO = "zero"


class FaceBox(StrEnum):
    """A rung may hold only while the face box is still open, or only once it is filled."""

    EITHER = "either"
    OPEN = "open"
    FILLED = "filled"


class Applies(StrEnum):
    """When the ladder holds: once the box is filled at all, or only if it holds points."""

    FILLED = "filled"
    SCORED = "scored"


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of the ladder."""

    boxes: Reach
    worth: Price
    face_box: FaceBox = FaceBox.EITHER

    def offer(self, face: int, upper: int, *, face_open: bool) -> int:
        """The boxes (a mask) that this rung speaks of, open or not; `face` and `upper` are masks too."""
        if self.face_box is not FaceBox.EITHER and (self.face_box is FaceBox.OPEN) != face_open:
            return 0
        return {Reach.FACE: face, Reach.UPPER: upper, Reach.LOWER: ~upper, Reach.ANY: -1}[self.boxes]


@dataclass(frozen=True, slots=True)
class AlikePolicy:
    """All dice alike: the box they belong in, what further ones pay, and where they must go then."""

    box: str
    name: str  # what the book calls the rule, for citing it
    extra: int  # paid for each further one while the box holds points
    repeat: bool  # False: paid once a game
    applies: Applies
    ladder: tuple[Rung, ...]

    def holds(self, *, filled: bool, scored: bool) -> bool:
        """Whether the ladder decides, by whether the box is filled and whether it holds points."""
        return scored if self.applies is Applies.SCORED else filled

    def pays(self, *, scored: bool, before: bool) -> int:
        """The extra for one more, by whether the box holds points and whether an extra was paid before."""
        return self.extra if scored and (self.repeat or not before) else 0

    def offers(self, face: int, upper: int, *, face_open: bool) -> tuple[int, ...]:
        """What each rung speaks of, from the top."""
        return tuple(rung.offer(face, upper, face_open=face_open) for rung in self.ladder)

    def decide(self, available: int, face: int, upper: int, *, face_open: bool) -> tuple[Rung, int] | None:
        """The rung that decides and the boxes it leaves; None where the ladder has run out."""
        offers = self.offers(face, upper, face_open=face_open)
        place = first_available(offers, available)
        return None if place < 0 else (self.ladder[place], offers[place] & available)


def first_available(offers: Sequence[int], available: int) -> int:
    """The place of the first offer that has an available box, or -1. Plain, because the solver compiles it as well."""
    for place, offer in enumerate(offers):
        if offer & available:
            return place
    return -1
