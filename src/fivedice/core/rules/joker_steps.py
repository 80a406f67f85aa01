"""The joker rules: what happens when all dice are the same and their own box is filled. The file calls them `ladder`.

The first step that has an available box decides: its boxes are the legal ones, and it says how they score. All known
joker rules are such lists. The solver uses the same steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from fivedice.core.rules.names import Names


class TargetBoxes(StrEnum):
    """The boxes that a step offers."""

    FACE = "face"  # the box that counts the face of the dice
    UPPER = "upper"
    LOWER = "lower"
    ANY = "any"


class ScoreAs(StrEnum):
    """How the dice score in these boxes."""

    PLAIN = "plain"
    JOKER = "joker"
    ZERO = "zero"
    WILD = "wild"  # a joker that also scores in any upper box, as if all dice showed its face


class FaceBox(StrEnum):
    """Whether a step applies while the box of the face is open, once it is filled, or in both cases."""

    EITHER = "either"
    OPEN = "open"
    FILLED = "filled"


class ActiveWhen(StrEnum):
    """When the steps apply: once the box is filled, or only if it has points."""

    FILLED = "filled"
    SCORED = "scored"


@dataclass(frozen=True, slots=True)
class JokerStep:
    """One step of the joker rules. Boxes are masks: bit i stands for the i-th box of the sheet."""

    boxes: TargetBoxes
    worth: ScoreAs
    face_box: FaceBox = FaceBox.EITHER
    extra: int | None = None  # paid with this step instead of the policy's extra

    def offer(self, face: int, upper: int, *, face_open: bool) -> int:
        """Return the boxes that this step offers, open or not. `face` and `upper` are masks of boxes."""
        if self.face_box is not FaceBox.EITHER and (self.face_box is FaceBox.OPEN) != face_open:
            return 0
        masks = {TargetBoxes.FACE: face, TargetBoxes.UPPER: upper, TargetBoxes.LOWER: ~upper, TargetBoxes.ANY: -1}
        return masks[self.boxes]


@dataclass(frozen=True, slots=True, repr=False)
class AlikePolicy:
    """The rules for all dice the same: their box, the extra bonus for further ones, and where those must be scored."""

    box: str
    name: str  # the name of the rule, for messages
    extra: int  # the bonus for a further one while the box has points
    repeat: bool  # False: paid once per game
    applies: ActiveWhen
    joker_steps: tuple[JokerStep, ...]  # tried in order
    rising: tuple[int, ...] = ()  # the amounts from the second on; the last repeats
    at_most: int | None = None  # the most that a game pays; None is no limit
    names: Names = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<AlikePolicy {self.name!r}: box {self.box!r}, extra {self.extra}>"

    @property
    def extras(self) -> tuple[int, ...]:
        """Return what the first, the second and each further extra bonus pays; the last amount repeats."""
        return self.extra, *self.rising

    @property
    def most(self) -> int | None:
        """Return how many extra bonuses a game can pay, or None without a limit."""
        return self.at_most if self.repeat else 1

    @property
    def pays_extra(self) -> bool:
        """Return whether there is any extra bonus."""
        return any(self.extras) or any(step.extra for step in self.joker_steps)

    @property
    def pays_by_step(self) -> bool:
        """Return whether steps pay amounts of their own, so that the number of payments does not give their sum."""
        return any(step.extra for step in self.joker_steps)

    def holds(self, *, filled: bool, scored: bool) -> bool:
        """Return whether the steps apply, given whether the box is filled and whether it has points."""
        return scored if self.applies is ActiveWhen.SCORED else filled

    def pays(self, *, scored: bool, before: int, step: JokerStep | None = None) -> int:
        """Return the next extra bonus.

        `scored` is whether the box has points, `before` how many were paid before, `step` the step that decides.
        """
        if not scored or (self.most is not None and before >= self.most):
            return 0
        if step is not None and step.extra is not None:
            return step.extra
        return self.extras[min(before, len(self.extras) - 1)]

    def paid(self, count: int) -> int:
        """Return the sum of this many extra bonuses, if no step pays an amount of its own."""
        return sum(self.pays(scored=True, before=before) for before in range(count))

    def offers(self, face: int, upper: int, *, face_open: bool) -> tuple[int, ...]:
        """Return the boxes that each step offers, in order."""
        return tuple(step.offer(face, upper, face_open=face_open) for step in self.joker_steps)

    def decide(self, available: int, face: int, upper: int, *, face_open: bool) -> tuple[JokerStep, int] | None:
        """Return the step that decides and the boxes it leaves, or None if no step has an available box."""
        offers = self.offers(face, upper, face_open=face_open)
        place = first_available(offers, available)
        return None if place < 0 else (self.joker_steps[place], offers[place] & available)


def first_available(offers: Sequence[int], available: int) -> int:
    """Return the index of the first offer with an available box, or -1.

    It is plain Python so that Numba can compile it.
    """
    for place, offer in enumerate(offers):
        if offer & available:
            return place
    return -1
