"""Choices, what they cost and what may come of them, as messages. All numbers are theirs, rounded once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.coaching.win_hints import MATTERS
from fivedice.message import Chance, Either, Message, Series, message
from fivedice.rules import ScoreAs

if TYPE_CHECKING:
    from fivedice.coaching.goals import Goal
    from fivedice.coaching.hint_reasons import Reason
    from fivedice.coaching.rolled_turn import Aim, Choice
    from fivedice.coaching.win_hints import Stakes
    from fivedice.dice import Keep, Roll
    from fivedice.game import Ruling, Scorecard

_IN_A_LINE = 4  # aims that one line names
_WORTH_A_LINE = 0.005  # a chance
_BONUS_DIFFERS = 0.02
_NEXT_TO_NOTHING = 0.05  # points
_TIES = 2  # that are named
_TWO_PAIRS = 4  # dice
_NAMED_FACES = range(1, 7)  # that have a name when several dice show them
_NAMED_NUMBERS = range(2, 7)
Aimed: TypeAlias = Literal["points", "target", "win"]  # what a hint is for
WIN_KINDS = frozenset({"win", "win-agreed", "win-nearly"})  # of reasons
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
    """Scores 3 or more Fours 37%, Full House 22%, upper bonus 61%."""
    named = [aim for aim in aims[:_IN_A_LINE] if aim.chance >= _WORTH_A_LINE]
    told = [message("coach.aim" if place else "coach.aim-scores", **_aim(aim)) for place, aim in enumerate(named)]
    if bonus is not None and bonus >= _WORTH_A_LINE:
        told.append(message("coach.aim-bonus", chance=Chance(bonus)))
    return message("coach.aims", aims=Series(tuple(told)))


def _aim(aim: Aim) -> dict[str, object]:
    """The chance of ending the turn with it in its box, which is less than that of rolling it."""
    return {"aim": aim.message, "chance": Chance(aim.chance)}


def rule(ruling: Ruling) -> Message | None:
    """How the rules decide where all dice alike go, if they do."""
    if ruling.joker_step is None:
        return None
    closed = ruling.available & ~ruling.boxes
    if closed:
        place = (closed & -closed).bit_length() - 1
        return ruling.reasons[ruling.card.book.boxes[place].key]
    policy = ruling.card.book.alike
    if policy is None or ruling.joker_step.worth not in {ScoreAs.JOKER, ScoreAs.WILD}:
        return None
    return message("coach.joker", rule=policy)


def headline(card: Scorecard, roll: Roll, best: Choice, why: Reason, target: int | None) -> Message:
    """What to do, as the first thing to read: Keep the two fours."""
    if why.kind == "lost":
        return message("coach.do-nothing", target=target)
    if best.box is not None:
        return _to_score(card, roll, best.box)
    faces = () if best.keep is None else best.keep.faces
    if not faces:
        return message("coach.do-roll-all")
    if len(set(faces)) == 1 and faces[0] in _NAMED_FACES:
        return message(f"coach.do-keep-{faces[0]}", count=len(faces), number=_number(len(faces)))
    if len(faces) == _TWO_PAIRS and len(set(faces[::2])) == len(set(faces)) == 2:
        return message("coach.do-keep-pairs")
    return message("coach.do-keep", dice=best.keep)


def _to_score(card: Scorecard, roll: Roll, box: str) -> Message:
    entry = card.options(roll)[box]
    kind = f"coach.do-score{'-bonus' if entry.bonus else ''}{'-joker' if entry.joker else ''}"
    return message(kind, box=card.book.box(box), points=entry.points, bonus=entry.bonus)


def _number(count: int) -> Message | int:
    return message(f"coach.number-{count}") if count in _NAMED_NUMBERS else count


def price(choice: Choice, *, first: bool, goal: Aimed) -> Message:
    """What a choice costs, in a list."""
    if choice.best:
        return message("coach.choice-best" if first else "coach.choice-as-good")
    return message("coach.choice-costs-all", cost=(points if goal == "points" else percentage_points)(choice.cost))


def fact(choice: Choice, why: Reason) -> Message:
    """The one thing to know of a choice, in the terms in which the best one is best."""
    if why.kind in WIN_KINDS:
        return message(f"coach.fact-win{'-box' if choice.box else ''}", do=choice.label, chance=Chance(choice.value))
    if choice.box is not None:
        return choice.label
    if why.kind == "bonus" and choice.bonus is not None:
        return message("coach.aim-bonus", chance=Chance(choice.bonus))
    aims = [aim for aim in choice.scores if why.aim and (aim.kind, aim.box) == (why.aim.kind, why.aim.box)]
    for aim in (*aims, *choice.scores):
        return message("coach.fact-aim", **_aim(aim))
    return choice.label


def why(choices: Sequence[Choice], because: Reason, goal: Aimed) -> Iterator[Message]:
    """What the others cost, sentence by sentence."""
    if because.kind in {"lost", "only", "any"}:
        return
    ties = [each for each in choices[1:] if each.best]
    if ties:
        yield _as_good(ties)
    elif len(choices) > 1:
        yield from _against(choices[0], choices[1], goal)


def _as_good(ties: Sequence[Choice]) -> Message:
    named = [inside(each) for each in ties[:_TIES]]
    others = [message("coach.another")] if len(ties) > _TIES else []
    return message("coach.as-good", others=Either((*named, *others)))


def _against(best: Choice, second: Choice, goal: Aimed) -> Iterator[Message]:
    """What the runner-up costs, and where: this turn, later, or in the bonus."""
    yield message("coach.next", do=inside(second))
    if goal != "points":
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


def about_win(card: Scorecard, roll: Roll, measured: Stakes, goal: Goal) -> Iterator[Message]:
    """A word about the win beside a hint for points."""
    if measured.decided is not None:
        yield message(f"coach.win-{measured.decided}")
        return
    known = {"chance": measured.chance, "other": Chance(measured.by_points.share)}
    if measured.agreed:
        yield message("coach.also-win", **known)
    elif goal.kind == "points" and measured.given_up >= MATTERS:
        best = measured.best
        yield message("coach.not-to-win", **known, do=option(card, roll, best.keep, best.box))
    else:
        yield message("coach.nearly-win", **known)
    yield measured.assumption
