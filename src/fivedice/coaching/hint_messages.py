"""Why a choice is best, as messages. Everything told is a number of the choices, rounded once; nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fivedice.message import Chance, Either, Message, Series, message
from fivedice.rules import ScoreAs

if TYPE_CHECKING:
    from fivedice.coaching.aims import Aim
    from fivedice.coaching.hints import Choice
    from fivedice.dice import Keep, Roll
    from fivedice.game import Ruling, Scorecard

_IN_A_LINE = 4  # aims that one line names
_IN_A_SENTENCE = 2
_WORTH_A_LINE = 0.005  # a chance
_WORTH_NAMING = 0.05  # a chance below this is not what a choice is about
_BONUS_DIFFERS = 0.02
_NEXT_TO_NOTHING = 0.05  # points
_TIES = 2  # that are named
_FIRST = {  # at the beginning of a sentence
    "coach.keep": "coach.keep-first",
    "coach.roll-all": "coach.roll-all-first",
    "coach.score": "coach.score-first",
}


def label(card: Scorecard, roll: Roll, keep: Keep | None, box: str | None) -> Message:
    """What to do, in a few words: keep 4-4, Full House for 25."""
    if keep is not None:
        return message("coach.keep", dice=keep) if keep.faces else message("coach.roll-all", count=card.book.dice)
    entry = card.options(roll)[box or ""]
    kind = f"coach.entry{'-bonus' if entry.bonus else ''}{'-joker' if entry.joker else ''}"
    return message(kind, box=card.book.box(box or ""), points=entry.points, bonus=entry.bonus)


def option(card: Scorecard, roll: Roll, keep: Keep | None, box: str | None) -> Message:
    """The same with its verb: score Full House for 25."""
    told = label(card, roll, keep, box)
    return told if box is None else message("coach.score", entry=told)


def inside(choice: Choice) -> Message:
    """A choice as a part of a sentence."""
    return choice.label if choice.box is None else message("coach.score", entry=choice.label)


def first(choice: Choice) -> Message:
    """And as the beginning of one."""
    told = inside(choice)
    return Message(_FIRST[told.kind], told.args)


def points(number: float) -> Message:
    return _counted("coach.points", number)


def percentage_points(difference: float) -> Message:
    """A difference of two chances."""
    return _counted("coach.percentage-points", 100 * difference)


def _counted(kind: str, number: float) -> Message:
    shown = round(float(number), 1)
    return message(kind, points=shown, count=1 if shown == 1 else 2)


def line(aims: Sequence[Aim], bonus: float | None) -> Message:
    """37% for 3 or more Fours, 22% for Full House, upper bonus 61%."""
    return message("coach.aims", aims=_aimed([aim for aim in aims[:_IN_A_LINE] if aim.chance >= _WORTH_A_LINE], bonus))


def _aimed(aims: Sequence[Aim], bonus: float | None) -> Series:
    named = [message("coach.aim", chance=Chance(aim.chance), aim=aim.message) for aim in aims]
    if bonus is not None:
        named.append(message("coach.aim-bonus", chance=Chance(bonus)))
    return Series(tuple(named))


def rule(ruling: Ruling) -> Message | None:
    """How the rules decide where all dice alike go, if they do."""
    if ruling.joker_step is None:
        return None
    closed = ruling.available & ~ruling.boxes
    if closed:
        place = (closed & -closed).bit_length() - 1
        return ruling.reasons[ruling.card.book.boxes[place].key]
    policy = ruling.card.book.alike
    if policy is None or ruling.joker_step.worth is not ScoreAs.JOKER:
        return None
    return message("coach.joker", rule=policy)


def why(choices: Sequence[Choice], *, only: bool, target: int | None) -> Iterator[Message]:
    """Why the first of the choices is best, sentence by sentence."""
    best = choices[0]
    if target is not None and best.value <= 0:
        yield message("coach.out-of-reach", target=target)
        return
    if only:
        yield message("coach.only", do=first(best))
        return
    yield _best(best)
    if target is not None:
        yield message("coach.reach", target=target, chance=Chance(best.value))
    ties = [each for each in choices[1:] if each.best]
    if ties:
        yield _as_good(ties)
    elif len(choices) > 1:
        yield from _against(best, choices[1], target)


def _best(best: Choice) -> Message:
    scores = [aim for aim in best.aims if aim.kind in {"score", "extra"}]
    aims = [aim for aim in scores if aim.chance >= _WORTH_NAMING] or scores[:1]
    aimed = _aimed(aims[:_IN_A_SENTENCE], best.bonus)
    kind = "coach.best" if aimed.items else "coach.best-alone"
    return message(kind, do=first(best), aims=aimed)


def _as_good(ties: Sequence[Choice]) -> Message:
    named = [inside(each) for each in ties[:_TIES]]
    others = [message("coach.another")] if len(ties) > _TIES else []
    return message("coach.as-good", others=Either((*named, *others)))


def _against(best: Choice, second: Choice, target: int | None) -> Iterator[Message]:
    """What the runner-up costs, and where: this turn, later, or in the bonus."""
    yield message("coach.next", do=inside(second))
    if target is not None:
        yield message("coach.cost", cost=percentage_points(second.cost))
        return
    if second.cost < _NEXT_TO_NOTHING:
        yield message("coach.cost-nothing")
        return
    yield cost_in_parts(best, second)
    if best.bonus is not None and second.bonus is not None and abs(best.bonus - second.bonus) >= _BONUS_DIFFERS:
        yield message("coach.cost-bonus", chance=Chance(second.bonus), best=Chance(best.bonus))


def cost_in_parts(best: Choice, second: Choice) -> Message:
    """What it costs this turn and later, so that both add up to the cost as it is shown: one part is derived."""
    cost = round(second.cost, 1)
    later = round((second.value - second.now) - (best.value - best.now), 1)
    now = round(-cost - later, 1)
    if not now or not later:
        kind = "later" if later else "now"
    elif now < 0 and later < 0:
        kind = "both"
    else:
        kind = "more-later" if later > 0 else "more-now"
    return message(f"coach.cost-{kind}", cost=points(cost), now=abs(now), later=abs(later))
