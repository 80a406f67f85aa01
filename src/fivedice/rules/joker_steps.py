"""What a book does when all dice are alike and their own box is filled: a ladder of rungs.

From the top, the first rung that has an available box decides: those boxes are the legal ones, at the rung's
worth. Every joker rule we know is such a ladder.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TargetBoxes(StrEnum):
    """Which boxes a rung speaks of."""

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
    """A rung may hold only while the face box is still open, or only once it is filled."""

    EITHER = "either"
    OPEN = "open"
    FILLED = "filled"


class ActiveWhen(StrEnum):
    """When the ladder holds: once the box is filled at all, or only if it holds points."""

    FILLED = "filled"
    SCORED = "scored"


@dataclass(frozen=True, slots=True)
class JokerStep:
    """One step of the ladder."""

    boxes: TargetBoxes
    worth: ScoreAs
    face_box: FaceBox = FaceBox.EITHER

    def selects(self, available: int, face: int, upper: int, *, face_open: bool) -> int:
        """The available boxes (a mask) that this rung offers; `face` and `upper` are masks too."""
        if self.face_box is not FaceBox.EITHER and (self.face_box is FaceBox.OPEN) != face_open:
            return 0
        reach = {TargetBoxes.FACE: face, TargetBoxes.UPPER: upper, TargetBoxes.LOWER: ~upper, TargetBoxes.ANY: -1}[
            self.boxes
        ]
        return available & reach


@dataclass(frozen=True, slots=True)
class AlikePolicy:
    """All dice alike: the box they belong in, what further ones pay, and where they must go then."""

    box: str
    name: str  # what the book calls the rule, for citing it
    extra: int  # paid for each further one while the box holds points
    repeat: bool  # False: paid once a game
    applies: ActiveWhen
    joker_steps: tuple[JokerStep, ...]  # tried in order

    def decide(self, available: int, face: int, upper: int, *, face_open: bool) -> tuple[JokerStep, int] | None:
        """The rung that decides and the boxes it leaves; None where the ladder has run out."""
        for rung in self.joker_steps:
            boxes = rung.selects(available, face, upper, face_open=face_open)
            if boxes:
                return rung, boxes
        return None
