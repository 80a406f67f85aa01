"""The words of a hint: choices, their costs, their aims, and why the best choice is best.

Every number comes from the hint and is rounded once. A reason claims something that is true of every other choice, or
names the choice that it compares with. "Best chance" of a roll means that no other choice has a higher chance if the
rest of the turn is played for that roll; of the upper bonus, if everything after it is played best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.core.dice import Keep, Roll
from fivedice.core.rules import FaceSum, ScoreAs, Summed
from fivedice.message import Chance, Either, Message, Series, message

if TYPE_CHECKING:
    from fivedice.coaching.hints import Aim, AimKind, Choice, RolledTurn
    from fivedice.core.game import Ruling, Scorecard
    from fivedice.core.rules import Box, RuleBook
    from fivedice.solver import Advice

BEST = 5  # choices in a hint
GoalKind: TypeAlias = Literal["points", "target", "win"]
ReasonKind = Literal[
    "only",  # there is no other choice
    "any",  # all choices are equally good
    "lost",  # the total to reach is out of reach
    "reach",  # the best chance of the total to reach
    "win",  # the best chance to win, where another choice is the best for points
    "win-agreed",  # the best chance to win and the best for points
    "win-nearly",  # the best chance to win, where the best for points is almost as good
    "bonus",  # the best chance of the upper bonus
    "one-die",  # one more die with one of these faces makes the box
    "further",  # enough of a face is there, and every further die with it counts
    "aim",  # the best chance of this end of the turn
    "safe",  # this end of the turn is certain, and better ones are possible
    "likely",  # a likely end of the turn, where another choice has a higher chance of it and less of the rest
    "roll-all",  # no die is worth keeping
    "full",  # the box cannot score more
    "stop",  # another roll costs points on average
    "save",  # the rolls are worth more in later turns
    "pays-most",  # no other box scores more now
    "more-now",  # it scores more now than the second best
    "least",  # a zero in the box where it costs least
    "saves",  # the second best is worth more later
    "saves-all",  # every other open box is worth more later
    "average",  # the most points on average
]
_WIN_KINDS = frozenset({"win", "win-agreed", "win-nearly"})
_FIRST = {  # the same at the start of a sentence
    "coach.keep": "coach.keep-first",
    "coach.roll-all": "coach.roll-all-first",
    "coach.score": "coach.score-first",
}
_MOST_AIMS = 4  # in one line
_SHOWN_CHANCE = 0.005  # a line leaves out lower chances
_BONUS_COSTS = 0.02  # a smaller difference in the chance of the bonus is not mentioned
_TINY_COST = 0.05  # points
_TINY_SHARE = 0.0005
_MOST_TIES = 2  # equally good choices that are named
_TWO_PAIRS = 4  # dice
_NAMED_FACES = range(1, 7)  # faces that have a name in the plural
_NAMED_NUMBERS = range(2, 7)
_NAMED_CHANCE = 0.05  # a reason never names an aim with a lower chance
_NAMED_PART = 1 / 3  # nor one with less than this part of the chance and the points of the others
_BONUS_DIFFERS = 0.005  # a difference in the chance of the bonus that can be a reason
_BONUS_LIKELY = 0.2  # a lower chance of the bonus is not a reason
_MOST_FACES = 2  # that complete a box with one die
_MOST_OTHERS = 1  # dice that are rolled together with the one that completes a box


# --- choices and their costs ---


def label(card: Scorecard, roll: Roll, keep: Keep | None, box: str | None) -> Message:
    """Name a choice: keep 4-4, Full House for 25."""
    if keep is not None:
        return message("coach.keep", dice=keep) if keep.faces else message("coach.roll-all", count=card.book.dice)
    return _entry("coach.entry", card, roll, box or "")


def option(card: Scorecard, roll: Roll, keep: Keep | None, box: str | None) -> Message:
    """Name a choice with its verb: score Full House for 25."""
    name = label(card, roll, keep, box)
    return name if box is None else message("coach.score", entry=name)


def _entry(kind: str, card: Scorecard, roll: Roll, box: str) -> Message:
    entry = card.options(roll)[box]
    form = f"{kind}{'-bonus' if entry.bonus else ''}{'-joker' if entry.joker else ''}"
    return message(form, box=card.book.box(box), points=entry.points, bonus=entry.bonus)


def in_sentence(choice: Choice) -> Message:
    """Return a choice as a part of a sentence."""
    return choice.label if choice.box is None else message("coach.score", entry=choice.label)


def start_sentence(choice: Choice) -> Message:
    """Return a choice as the start of a sentence."""
    inside = in_sentence(choice)
    return Message(_FIRST[inside.kind], inside.args)


def points(number: float) -> Message:
    """Return a number of points."""
    return _count("coach.points", number)


def percentage_points(difference: float) -> Message:
    """Return the difference of two chances."""
    return _count("coach.percentage-points", 100 * difference)


def _count(kind: str, number: float) -> Message:
    shown = round(float(number), 1)
    return message(kind, points=shown, count=1 if shown == 1 else 2)


def rule(ruling: Ruling) -> Message | None:
    """Return how the rules restrict a roll with all dice the same, if they do."""
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


def headline(card: Scorecard, roll: Roll, best: Choice, reason: Reason, target: int | None) -> Message:
    """Say what to do: Keep the two fours."""
    if reason.kind == "lost":
        return message("coach.do-nothing", target=target)
    if best.box is not None:
        return _entry("coach.do-score", card, roll, best.box)
    faces = () if best.keep is None else best.keep.faces
    if not faces:
        return message("coach.do-roll-all")
    if len(set(faces)) == 1 and faces[0] in _NAMED_FACES:
        return message(f"coach.do-keep-{faces[0]}", count=len(faces), number=_number(len(faces)))
    if len(faces) == _TWO_PAIRS and len(set(faces[::2])) == len(set(faces)) == 2:
        return message("coach.do-keep-pairs")
    return message("coach.do-keep", dice=best.keep)


def _number(count: int) -> Message | int:
    return message(f"coach.number-{count}") if count in _NAMED_NUMBERS else count


def is_tiny(cost: float, goal: GoalKind) -> bool:
    """Return whether a cost would be shown as 0.0."""
    return cost < (_TINY_COST if goal == "points" else _TINY_SHARE)


def price(choice: Choice, *, first: bool, goal: GoalKind) -> Message:
    """Return the cost of a choice in a list; `first` if it heads the list."""
    if choice.best:
        return message("coach.choice-best" if first else "coach.choice-as-good")
    if is_tiny(choice.cost, goal):
        return message("coach.choice-costs-little")
    return message("coach.choice-costs-all", cost=(points if goal == "points" else percentage_points)(choice.cost))


def fact(choice: Choice, reason: Reason) -> Message:
    """Return the most important number of a choice, of the kind that the best choice is best in."""
    if reason.kind in _WIN_KINDS:
        return message(f"coach.fact-win{'-box' if choice.box else ''}", do=choice.label, chance=Chance(choice.value))
    if choice.box is not None:
        return choice.label
    if reason.kind == "bonus" and choice.bonus is not None:
        return message("coach.aim-bonus", chance=Chance(choice.bonus))
    aims = [aim for aim in choice.scores if reason.aim and (aim.kind, aim.box) == (reason.aim.kind, reason.aim.box)]
    for aim in (*aims, *choice.scores):
        return message("coach.fact-aim", **_aim_values(aim))
    return choice.label


def explain_costs(choices: Sequence[Choice], reason: Reason, goal: GoalKind) -> Iterator[Message]:
    """Say what the next best choices cost, sentence by sentence."""
    if reason.kind in {"lost", "only", "any"}:
        return
    ties = [each for each in choices[1:] if each.best]
    if ties:
        named = [in_sentence(each) for each in ties[:_MOST_TIES]]
        others = [message("coach.another")] if len(ties) > _MOST_TIES else []
        yield message("coach.as-good", others=Either((*named, *others)))
    elif len(choices) > 1:
        yield from _explain_cost(choices[0], choices[1], goal)


def _explain_cost(best: Choice, second: Choice, goal: GoalKind) -> Iterator[Message]:
    """Say what the second best choice costs, and where: this turn, later, or in the bonus."""
    yield message("coach.next", do=in_sentence(second))
    if is_tiny(second.cost, goal):
        yield message("coach.cost-nothing")
        return
    if goal != "points":
        yield message("coach.cost", cost=percentage_points(second.cost))
        return
    yield cost_in_parts(best, second)
    if best.bonus is not None and second.bonus is not None and abs(best.bonus - second.bonus) >= _BONUS_COSTS:
        yield message("coach.cost-bonus", chance=Chance(second.bonus), best=Chance(best.bonus))


def cost_in_parts(best: Choice, second: Choice) -> Message:
    """Split a cost into this turn and later, so that the parts as shown add up to the cost as shown."""
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


# --- aims ---


def aims_line(aims: Sequence[Aim], bonus: float | None) -> Message:
    """List aims and their chances: Scores 3 or more Fours 37%, Full House 22%, upper bonus 61%."""
    named = [aim for aim in aims[:_MOST_AIMS] if aim.chance >= _SHOWN_CHANCE]
    parts = [
        message("coach.aim" if place else "coach.aim-scores", **_aim_values(aim)) for place, aim in enumerate(named)
    ]
    if bonus is not None and bonus >= _SHOWN_CHANCE:
        parts.append(message("coach.aim-bonus", chance=Chance(bonus)))
    return message("coach.aims", aims=Series(tuple(parts)))


def _aim_values(aim: Aim) -> dict[str, object]:
    """Return an aim and the chance to score it, which is lower than the chance to roll it."""
    return {"aim": aim.message, "chance": Chance(aim.chance)}


def aim_without_box(book: RuleBook, kind: AimKind, extras: tuple[int, ...]) -> Message:
    """Name a zero in any box, or one of the extra bonuses that may be paid now."""
    if kind == "zero":
        return message("coach.aim-zero")
    if book.alike is None:  # only its policy pays extra bonuses
        raise AssertionError(book)
    return message("coach.aim-again", box=book.box(book.alike.box), bonus=Either(extras))


def aim_in_box(book: RuleBook, kind: AimKind, box: Box, count: int | None) -> Message:
    """Name a score in a box; `count` is how many dice of its face an upper box wants."""
    if count is None:
        return message("coach.aim-box", box=box)
    form = "" if box.name.isalpha() else "-in"  # "3 Fours", but "3 in Number of 4"
    if kind == "few":
        few = {1: "one", 2: "one-or-two"}.get(count - 1, "few")
        return message(f"coach.aim-{few}{form}", box=box, most=count - 1)
    return message(f"coach.aim-{'all' if count == book.dice else 'or-more'}{form}", box=box, count=count)


# --- why the best choice is best ---


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a choice is best: the kind of reason, the values in its sentence, and the aim that it is about."""

    kind: ReasonKind
    args: Mapping[str, object] = field(default_factory=dict)
    aim: Aim | None = None

    @property
    def message(self) -> Message:
        return message(f"coach.because-{self.kind}", **self.args)


def find_reason(turn: RolledTurn, ranks: Sequence[Advice], target: int | None) -> Reason:
    """Find why the first of all choices is best. `ranks` are all choices, best first."""
    best = turn.choice(ranks[0])
    if target is not None:
        if best.value <= 0:
            return Reason("lost")
        return Reason("reach", {"target": target, "chance": Chance(best.value)})
    if len(ranks) == 1:
        return Reason("only")
    second = next((each for each in ranks if not each.best), None)
    if second is None:
        return Reason("any")
    if best.box is not None:
        return _reason_to_score(turn, best, ranks, second)
    if best.keep is not None and not best.keep.faces:
        return Reason("roll-all")
    return _reason_to_keep(turn, best, turn.choice(second))


def _reason_to_keep(turn: RolledTurn, best: Choice, second: Choice) -> Reason:
    """Find the true claim that gains most points on the second best choice."""
    safe = next((aim for aim in best.scores if aim.chance >= 1 - turn.tie), None)
    if safe is not None:
        return _aim_reason("safe", safe)
    claims = sorted(_claims(turn, best, second), key=lambda claim: -claim[0])
    for gain, claim in claims:
        special = _one_die(turn, best, claim) or _further(turn, claim)
        if gain > turn.tie and (special is not None or _is_true(turn, best, claim)):
            return special or claim
    for aim in _aims_to_name(turn, best):  # the kept dice raise the chance of one that the roll does not show yet
        chances = turn.best_chances(turn.rolls_with(aim))
        if not turn.shows(aim) and chances[best.keep or Keep(())] > chances[Keep(())] + turn.tie:
            return _aim_reason("likely", aim)
    return Reason("average")


def _aim_reason(kind: ReasonKind, aim: Aim) -> Reason:
    return Reason(kind, _aim_values(aim), aim)


def _claims(turn: RolledTurn, best: Choice, second: Choice) -> Iterator[tuple[float, Reason]]:
    """Yield what the best choice may be better in, and the points that it gains there on the second best."""
    bonus = turn.card.book.bonus
    if bonus is not None and best.bonus is not None and second.bonus is not None:
        more = best.bonus - second.bonus
        if more >= _BONUS_DIFFERS and best.bonus >= _BONUS_LIKELY:
            yield bonus.points * more, Reason("bonus", {"chance": Chance(best.bonus)})
    aims = second.aims if second.box is None else turn.aims(turn.after_scoring(second.box))
    others = {(aim.kind, aim.box): aim.points for aim in aims}
    for aim in _aims_to_name(turn, best):
        yield aim.points - others.get((aim.kind, aim.box), 0.0), _aim_reason("aim", aim)


def _aims_to_name(turn: RolledTurn, choice: Choice) -> list[Aim]:
    """Return the aims, without unlikely ones and ones that matter little compared with the others."""
    coming = [aim for aim in choice.scores if not turn.shows(aim)] or choice.scores
    chance = _NAMED_PART * max((aim.chance for aim in coming), default=0.0)
    points = _NAMED_PART * max((aim.points for aim in coming), default=0.0)
    likely = [aim for aim in choice.scores if aim.chance >= _NAMED_CHANCE]
    return [aim for aim in likely if aim.chance >= chance or aim.points >= points]


def _is_true(turn: RolledTurn, best: Choice, claim: Reason) -> bool:
    """Return whether no other choice has a higher chance: neither another keep nor a box that is scored now."""
    if claim.aim is None:
        keeps = turn.expected_by_keep(turn.bonus_chances(turn.ends))
        now = max(float(turn.bonus_chances(turn.after_scoring(box))[0]) for box in turn.card.options(turn.roll))
    elif turn.shows(claim.aim):
        return False
    else:
        keeps, now = turn.best_chances(turn.rolls_with(claim.aim)), 0.0
    return keeps[best.keep or Keep(())] >= max(*keeps.values(), now) - turn.tie


def _one_die(turn: RolledTurn, best: Choice, claim: Reason) -> Reason | None:
    """Name the faces instead of a chance, where one more die with one of few faces is enough."""
    aim = claim.aim
    if aim is None or aim.box is None or best.keep is None:
        return None
    box = turn.card.book.box(aim.box)
    others = turn.card.book.dice - len(best.keep.faces) - 1
    if isinstance(box.pattern, FaceSum) or others > _MOST_OTHERS:
        return None
    every = range(1, turn.card.book.faces + 1)
    faces = [face for face in every if _always_scores(turn, (*best.keep.faces, face), box.key)]
    if not 0 < len(faces) <= _MOST_FACES:
        return None
    return Reason("one-die", {"box": box, "faces": Either(tuple(faces))}, aim)


def _further(turn: RolledTurn, claim: Reason) -> Reason | None:
    """Say that further dice count, instead of the chance of an aim that the roll shows already."""
    if claim.aim is None or claim.aim.box is None or not turn.shows(claim.aim):
        return None
    box = turn.card.book.box(claim.aim.box)
    if not isinstance(box.pattern, FaceSum) or box.summed is not Summed.MATCHING:
        return None
    return Reason("further", {"face": box.pattern.face, "box": box}, claim.aim)


def _always_scores(turn: RolledTurn, dice: tuple[int, ...], box: str) -> bool:
    """Return whether these dice score in the box, whatever the others show."""
    book = turn.card.book
    for others in combinations_with_replacement(range(1, book.faces + 1), book.dice - len(dice)):
        entry = turn.card.options(Roll((*dice, *others))).get(box)
        if entry is None or not entry.points:
            return False
    return True


def _reason_to_score(turn: RolledTurn, best: Choice, ranks: Sequence[Advice], second: Advice) -> Reason:
    book = turn.card.book
    box = book.box(best.box or "")
    scored = turn.card.options(turn.roll)[box.key].points
    if scored and scored == book.highest(box):
        return Reason("full", {"box": box})
    if second.box is None:
        if any(each.best and each.box is None for each in ranks):
            return Reason("average")
        saves = book.save_rolls and turn.best_keep > turn.value_without_saving + turn.tie
        return Reason("save", {"count": turn.rolls_left}) if saves else Reason("stop")
    boxes = [turn.choice(each) for each in ranks if each.box is not None]
    runner_up = next(choice for choice in boxes if choice.box == second.box)
    more_now = best.now - runner_up.now
    if more_now < best.later - runner_up.later:
        return _reason_for_later(turn, best, boxes, runner_up)
    if best.now >= max(choice.now for choice in boxes):
        return Reason("pays-most")
    return Reason("more-now", {"count": round(more_now), "box": book.box(second.box)})


def _reason_for_later(turn: RolledTurn, best: Choice, boxes: Sequence[Choice], second: Choice) -> Reason:
    bonus = turn.card.book.bonus
    if bonus is not None and best.bonus is not None and second.bonus is not None:
        more = best.bonus - second.bonus
        chances = [choice.bonus for choice in boxes if choice.bonus is not None]
        by_bonus = 2 * bonus.points * more >= best.later - second.later
        is_best = best.bonus >= max(chances) - turn.tie
        if more >= _BONUS_DIFFERS and best.bonus >= _BONUS_LIKELY and by_bonus and is_best:
            return Reason("bonus", {"chance": Chance(best.bonus)})
    if best.later >= max(choice.later for choice in boxes) - turn.tie:
        return Reason("least" if not best.now else "saves-all")
    return Reason("saves", {"box": turn.card.book.box(second.box or "")})
