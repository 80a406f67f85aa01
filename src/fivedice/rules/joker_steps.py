"""What a book does when all dice are alike and their own box is filled: joker steps, the `ladder` of the file.

The first step that has an available box decides: those boxes are the legal ones, at what the step says they score.
Every joker rule we know is such a list.
"""

from __future__ import annotations

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

    def targets(self, face: int, upper: int) -> int:
        """The boxes that the step speaks of, given those of the face and those of the upper section."""
        return {
            TargetBoxes.FACE: face,
            TargetBoxes.UPPER: upper,
            TargetBoxes.LOWER: ~upper,
            TargetBoxes.ANY: -1,
        }[self.boxes]

    def selects(self, available: int, face: int, upper: int, *, face_open: bool) -> int:
        """The available boxes that this step offers."""
        if self.face_box is not FaceBox.EITHER and (self.face_box is FaceBox.OPEN) != face_open:
            return 0
        return available & self.targets(face, upper)


@dataclass(frozen=True, slots=True)
class AlikePolicy:
    """All dice alike: the box they belong in, what further ones pay, and where they must go then."""

    box: str
    name: str  # what the book calls the rule, for citing it
    extra: int  # paid for each further one while the box holds points
    repeat: bool  # False: paid once a game
    applies: ActiveWhen
    joker_steps: tuple[JokerStep, ...]  # tried in order

    def is_active(self, *, filled: bool, scored: bool) -> bool:
        """Whether the steps hold, by what the box of the policy has: anything at all, or points."""
        return bool(self.joker_steps) and (filled if self.applies is ActiveWhen.FILLED else scored)

    def decide(self, available: int, face: int, upper: int, *, face_open: bool) -> tuple[JokerStep, int] | None:
        """The step that decides and the boxes it leaves; None where all steps have run out."""
        for step in self.joker_steps:
            boxes = step.selects(available, face, upper, face_open=face_open)
            if boxes:
                return step, boxes
        return None
