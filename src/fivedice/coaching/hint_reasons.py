"""Why the best choice is best, in one short sentence: a value that is worked out from the exact numbers.

Each kind claims something that is true of every other choice, or names the one that it is about. "Best chance" of a
roll: no other choice has a higher one for those who go for it. Of the upper bonus: no other choice has a higher one if
everything after it is played best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fivedice.coaching.rolled_turn import Aim, Choice, RolledTurn, aims_of, choice_of, wanted_in
from fivedice.dice import Keep, Roll
from fivedice.message import Chance, Either, Message, message
from fivedice.rules import FaceSum, Summed
from fivedice.solver import Advice
from fivedice.solver.solution import TIE

Kind = Literal[
    "only",  # nothing else can be done
    "any",  # everything is as good
    "lost",  # the total to reach is out of reach
    "reach",  # the best chance of the total to reach
    "win",  # the best chance to win, where another choice is the best for points
    "win-agreed",  # and where it is the best for points too
    "win-nearly",  # and where the best for points is all but as good
    "bonus",  # the best chance for the upper bonus
    "one-die",  # one more die of these faces makes the box
    "further",  # enough of a face is there, and every further die of it counts
    "aim",  # the best chance for this end of the turn
    "safe",  # this end of the turn is certain, and better ones are possible
    "likely",  # what may come of it, where another choice has more of that and less of the rest
    "roll-all",  # no die is worth keeping
    "full",  # the box cannot score more
    "stop",  # another roll costs points on average
    "save",  # the rolls are worth more in later turns
    "pays-most",  # no other box scores more now
    "more-now",  # more than the runner-up scores now
    "least",  # a zero, where it costs least
    "saves",  # the runner-up is worth more later
    "saves-all",  # every other open box is
    "average",  # the most points on average
]
_WORTH_NAMING = 0.05  # a chance below this is not what a choice is about
_BESIDE = 1 / 3  # nor one below this part of the others
_BONUS_DIFFERS = 0.005
_BONUS_LIKELY = 0.2  # a bonus below this is not worth a word
_MOST_FACES = 2  # that one die may show to make a box: more is not one die short of it
_MOST_OTHERS = 1  # dice that are thrown beside it


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind, what its sentence names, and the end of the turn that it is about."""

    kind: Kind
    args: Mapping[str, object] = field(default_factory=dict)
    aim: Aim | None = None

    @property
    def message(self) -> Message:
        return message(f"coach.because-{self.kind}", **self.args)


def reason(turn: RolledTurn, ranks: Sequence[Advice], target: int | None) -> Reason:
    """For everything that can be done, best first."""
    best = choice_of(turn, ranks[0])
    if target is not None:
        return _towards(best, target)
    if len(ranks) == 1:
        return Reason("only")
    second = next((each for each in ranks if not each.best), None)
    if second is None:
        return Reason("any")
    if best.box is not None:
        return _for_box(turn, best, ranks, second)
    if best.keep is not None and not best.keep.faces:
        return Reason("roll-all")
    return _for_keep(turn, best, choice_of(turn, second))


def _towards(best: Choice, target: int) -> Reason:
    if best.value <= 0:
        return Reason("lost")
    return Reason("reach", {"target": target, "chance": Chance(best.value)})


# --- dice to keep ---


def _for_keep(turn: RolledTurn, best: Choice, second: Choice) -> Reason:
    """What speaks most for it, in points against the runner-up."""
    safe = next((aim for aim in best.scores if aim.chance >= 1 - TIE), None)
    if safe is not None:
        return _said("safe", safe)
    claims = sorted(_claims(turn, best, second), key=lambda claim: -claim[0])
    for gain, claim in claims:
        special = _one_die(turn, best, claim) or _further(turn, claim)
        if gain > TIE and (special is not None or _holds(turn, best, claim)):
            return special or claim
    likely = next((aim for aim in _worth_naming(turn, best) if _helps(turn, best, aim)), None)
    return Reason("average") if likely is None else _said("likely", likely)


def _worth_naming(turn: RolledTurn, choice: Choice) -> list[Aim]:
    """What it is about: not what hardly happens, nor what is little beside the other ends that are still to come."""
    coming = [aim for aim in choice.scores if not _is_there(turn, aim)] or choice.scores
    chance = _BESIDE * max((aim.chance for aim in coming), default=0.0)
    points = _BESIDE * max((aim.points for aim in coming), default=0.0)
    likely = [aim for aim in choice.scores if aim.chance >= _WORTH_NAMING]
    return [aim for aim in likely if aim.chance >= chance or aim.points >= points]


def _is_there(turn: RolledTurn, aim: Aim) -> bool:
    """Whether the roll as it lies is what this aim is about: nobody needs a chance of that."""
    return bool(_shows(turn, aim)[turn.place])


def _helps(turn: RolledTurn, best: Choice, aim: Aim) -> bool:
    """Whether the dice that are kept are any good for it."""
    sought = turn.sought(_shows(turn, aim))
    return not _is_there(turn, aim) and sought[best.keep or Keep(())] > sought[Keep(())] + TIE


def _claims(turn: RolledTurn, best: Choice, second: Choice) -> Iterator[tuple[float, Reason]]:
    bonus = turn.card.book.bonus
    if bonus is not None and best.bonus is not None and second.bonus is not None:
        more = best.bonus - second.bonus
        if more >= _BONUS_DIFFERS and best.bonus >= _BONUS_LIKELY:
            yield bonus.points * more, Reason("bonus", {"chance": Chance(best.bonus)})
    others = {(aim.kind, aim.box): aim.points for aim in _ends_of(second, turn)}
    for aim in _worth_naming(turn, best):
        yield aim.points - others.get((aim.kind, aim.box), 0.0), _said("aim", aim)


def _said(kind: Kind, aim: Aim) -> Reason:
    return Reason(kind, {"aim": aim.message, "chance": Chance(aim.chance)}, aim)


def _ends_of(choice: Choice, turn: RolledTurn) -> Sequence[Aim]:
    return choice.aims if choice.box is None else aims_of(turn.card, turn.scored(choice.box))


def _holds(turn: RolledTurn, best: Choice, claim: Reason) -> bool:
    """Whether no other choice has a higher chance: neither another keep nor a box that is filled now."""
    if claim.aim is None:
        keeps = turn.over_keeps(turn.bonus_of(turn.ends))
        now = max(float(turn.bonus_of(turn.scored(box))[0]) for box in turn.card.options(turn.roll))
    else:
        keeps, now = turn.sought(_shows(turn, claim.aim)), 0.0
        if _is_there(turn, claim.aim):
            return False
    return keeps[best.keep or Keep(())] >= max(*keeps.values(), now) - TIE


def _shows(turn: RolledTurn, aim: Aim) -> NDArray[np.float64]:
    """For every roll whether it is what this aim is about, wherever it may be written."""
    if aim.box is None:
        return turn.alike.astype(np.float64)
    return (turn.points_in(aim.box) >= wanted_in(turn.card.book, aim.box)).astype(np.float64)


def _one_die(turn: RolledTurn, best: Choice, claim: Reason) -> Reason | None:
    """Said instead of a chance, where one more die is enough and only few faces will do."""
    aim = claim.aim
    if aim is None or aim.box is None or best.keep is None:
        return None
    box = turn.card.book.box(aim.box)
    others = turn.card.book.dice - len(best.keep.faces) - 1
    if isinstance(box.pattern, FaceSum) or others > _MOST_OTHERS:
        return None
    faces = [face for face in range(1, turn.card.book.faces + 1) if _makes(turn, (*best.keep.faces, face), box.key)]
    if not 0 < len(faces) <= _MOST_FACES:
        return None
    return Reason("one-die", {"box": box, "faces": Either(tuple(faces))}, aim)


def _further(turn: RolledTurn, claim: Reason) -> Reason | None:
    """Said instead of a chance of what is there already."""
    if claim.aim is None or claim.aim.box is None or not _is_there(turn, claim.aim):
        return None
    box = turn.card.book.box(claim.aim.box)
    if not isinstance(box.pattern, FaceSum) or box.summed is not Summed.MATCHING:
        return None
    return Reason("further", {"face": box.pattern.face, "box": box}, claim.aim)


def _makes(turn: RolledTurn, dice: tuple[int, ...], box: str) -> bool:
    """Whether these dice score in the box, whatever the others show."""
    book = turn.card.book
    for others in combinations_with_replacement(range(1, book.faces + 1), book.dice - len(dice)):
        entry = turn.card.options(Roll((*dice, *others))).get(box)
        if entry is None or not entry.points:
            return False
    return True


# --- a box to score ---


def _for_box(turn: RolledTurn, best: Choice, ranks: Sequence[Advice], second: Advice) -> Reason:
    book = turn.card.book
    box = book.box(best.box or "")
    points = turn.card.options(turn.roll)[box.key].points
    if points and points == book.highest(box):
        return Reason("full", {"box": box})
    if second.box is None:
        if any(each.best and each.box is None for each in ranks):
            return Reason("average")
        return Reason("save", {"count": turn.rolls_left}) if _saves(turn, best) else Reason("stop")
    boxes = [choice_of(turn, each) for each in ranks if each.box is not None]
    runner_up = next(choice for choice in boxes if choice.box == second.box)
    more_now = best.now - runner_up.now
    if more_now < best.later - runner_up.later:
        return _for_later(turn, best, boxes, runner_up)
    if best.now >= max(choice.now for choice in boxes):
        return Reason("pays-most")
    return Reason("more-now", {"count": round(more_now), "box": book.box(second.box)})


def _saves(turn: RolledTurn, best: Choice) -> bool:
    """Whether the rolls that are kept for later make it the best: without them another roll would be."""
    if not turn.card.book.save_rolls or best.box is None:
        return False
    return turn.best_keep > float(turn.level(0)[turn.place].max()) + TIE


def _for_later(turn: RolledTurn, best: Choice, boxes: Sequence[Choice], second: Choice) -> Reason:
    bonus = turn.card.book.bonus
    if bonus is not None and best.bonus is not None and second.bonus is not None:
        more = best.bonus - second.bonus
        chances = [choice.bonus for choice in boxes if choice.bonus is not None]
        by_bonus = 2 * bonus.points * more >= best.later - second.later
        if more >= _BONUS_DIFFERS and best.bonus >= _BONUS_LIKELY and by_bonus and best.bonus >= max(chances) - TIE:
            return Reason("bonus", {"chance": Chance(best.bonus)})
    if best.later >= max(choice.later for choice in boxes) - TIE:
        return Reason("least" if not best.now else "saves-all")
    return Reason("saves", {"box": turn.card.book.box(second.box or "")})
