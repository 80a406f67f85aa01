"""What a book does when all dice are alike and their own box is filled: joker steps, the `ladder` of the file.

The first step that has an available box decides: those boxes are the legal ones, at what the step says they score.
Every joker rule we know is such a list. The solver reads the offers and the conditions from here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class TargetBoxes(StrEnum):
    """Which boxes a step speaks of."""

    FACE = "face"  # the box that counts the face the dice show
    UPPER = "upper"
    LOWER = "lower"
    ANY = "any"


class ScoreAs(StrEnum):
    """What the dice are worth in them."""

    PLAIN = "plain"
    JOKER = "joker"
    ZERO = "zero"
    WILD = "wild"  # a joker that counts in any upper box too, as if all dice showed its face


class FaceBox(StrEnum):
    """A step may hold only while the face box is still open, or only once it is filled."""

    EITHER = "either"
    OPEN = "open"
    FILLED = "filled"


class ActiveWhen(StrEnum):
    """When the steps hold: once the box is filled at all, or only if it holds points."""

    FILLED = "filled"
    SCORED = "scored"


@dataclass(frozen=True, slots=True)
class JokerStep:
    """One step. Boxes are masks here: bit i stands for the i-th line of the sheet."""

    boxes: TargetBoxes
    worth: ScoreAs
    face_box: FaceBox = FaceBox.EITHER
    extra: int | None = None  # paid with this step instead of what the policy pays

    def offer(self, face: int, upper: int, *, face_open: bool) -> int:
        """The boxes that this step speaks of, open or not, given those of the face and of the upper section."""
        if self.face_box is not FaceBox.EITHER and (self.face_box is FaceBox.OPEN) != face_open:
            return 0
        masks = {TargetBoxes.FACE: face, TargetBoxes.UPPER: upper, TargetBoxes.LOWER: ~upper, TargetBoxes.ANY: -1}
        return masks[self.boxes]


@dataclass(frozen=True, slots=True, repr=False)
class AlikePolicy:
    """All dice alike: the box they belong in, what further ones pay, and where they must go then."""

    box: str
    name: str  # what the book calls the rule, for citing it
    extra: int  # paid for a further one while the box holds points
    repeat: bool  # False: paid once a game
    applies: ActiveWhen
    joker_steps: tuple[JokerStep, ...]  # tried in order
    rising: tuple[int, ...] = ()  # what the second pays, the third, and so on; the last of them goes on
    at_most: int | None = None  # how often a game; None is without end

    def __repr__(self) -> str:
        return f"<AlikePolicy {self.name!r}: box {self.box!r}, extra {self.extra}>"

    @property
    def extras(self) -> tuple[int, ...]:
        """What the first, the second, ... pays; the last goes on."""
        return self.extra, *self.rising

    @property
    def most(self) -> int | None:
        """How often an extra is paid in a game; None is without end."""
        return self.at_most if self.repeat else 1

    @property
    def pays_extra(self) -> bool:
        """Whether there is anything to be paid at all."""
        return any(self.extras) or any(step.extra for step in self.joker_steps)

    @property
    def pays_by_step(self) -> bool:
        """Whether the number of payments does not tell what they came to."""
        return any(step.extra for step in self.joker_steps)

    def holds(self, *, filled: bool, scored: bool) -> bool:
        """Whether the steps decide, by whether the box is filled and whether it holds points."""
        return scored if self.applies is ActiveWhen.SCORED else filled

    def pays(self, *, scored: bool, before: int, step: JokerStep | None = None) -> int:
        """The extra for one more, by whether the box holds points, what was paid before, and the step that decides."""
        if not scored or (self.most is not None and before >= self.most):
            return 0
        if step is not None and step.extra is not None:
            return step.extra
        return self.extras[min(before, len(self.extras) - 1)]

    def paid(self, count: int) -> int:
        """What so many payments came to, unless they depend on the step."""
        return sum(self.pays(scored=True, before=before) for before in range(count))

    def offers(self, face: int, upper: int, *, face_open: bool) -> tuple[int, ...]:
        """What each step speaks of, in order."""
        return tuple(step.offer(face, upper, face_open=face_open) for step in self.joker_steps)

    def decide(self, available: int, face: int, upper: int, *, face_open: bool) -> tuple[JokerStep, int] | None:
        """The step that decides and the boxes it leaves; None where all steps have run out."""
        offers = self.offers(face, upper, face_open=face_open)
        place = first_available(offers, available)
        return None if place < 0 else (self.joker_steps[place], offers[place] & available)


def first_available(offers: Sequence[int], available: int) -> int:
    """The place of the first offer that has an available box, or -1. Plain, because the solver compiles it as well."""
    for place, offer in enumerate(offers):
        if offer & available:
            return place
    return -1
