"""The coach in words. Everything said here is a number of the choices, rounded once; nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fivedice.coaching.aims import NUMBERS, Aim
from fivedice.rules import ScoreAs

if TYPE_CHECKING:
    from fivedice.coaching.hints import Choice
    from fivedice.dice import Keep, Roll
    from fivedice.game import Ruling, Scorecard

_IN_A_LINE = 4  # aims that one line names
_IN_A_SENTENCE = 2
_WORTH_NAMING = 0.05  # a chance below this is not what a choice is about
_BONUS_DIFFERS = 0.02
_NEXT_TO_NOTHING = 0.05  # points
_TIES = 2  # that are named


def choice(card: Scorecard, roll: Roll, keep: Keep | None, box: str | None) -> str:
    """What to do, in a few words that may stand inside a sentence."""
    if keep is not None:
        return f"keep {dice(keep)}" if keep.faces else f"roll all {NUMBERS[card.book.dice]} again"
    entry = card.options(roll)[box or ""]
    joker = ", as a joker" if entry.joker else ""
    extra = f" and {entry.bonus} extra" if entry.bonus else ""
    return f"{card.book.box(box or '').name} for {entry.points}{extra}{joker}"


def doing(each: Choice) -> str:
    """The same as the subject of a sentence: 'keeping 4-4 costs ...'."""
    if each.box is not None:
        return each.words
    verb, rest = each.words.split(" ", 1)
    return f"{verb}ing {rest}"


def dice(keep: Keep) -> str:
    return "-".join(map(str, keep.faces))


def percent(chance: float) -> str:
    """Whole percents; what is possible is never 0%, what is not certain never 100%."""
    if 0 < chance < 0.005:
        return "under 1%"
    if 0.995 <= chance < 1 - 1e-9:
        return "over 99%"
    return f"{100 * chance:.0f}%"


def points(number: float) -> str:
    shown = f"{number:.1f}"
    return f"{shown} point" if shown == "1.0" else f"{shown} points"


def share(number: float) -> str:
    """A difference of two chances."""
    shown = f"{100 * number:.1f}"
    return f"{shown} percentage point" if shown == "1.0" else f"{shown} percentage points"


def line(aims: Sequence[Aim], bonus: float | None) -> str:
    """'37% for three Fours or more, 22% for Full House, upper bonus 61%'."""
    parts = [_aim(aim) for aim in aims[:_IN_A_LINE] if aim.chance >= 0.005]
    if bonus is not None:
        parts.append(f"upper bonus {percent(bonus)}")
    return ", ".join(parts)


def _aim(aim: Aim) -> str:
    word = {"rest": "ends in", "zero": "ends in", "few": ""}.get(aim.kind, "for")
    return " ".join(part for part in (percent(aim.chance), word, aim.words) if part)


def rule(ruling: Ruling) -> str | None:
    """How the rules decide where all dice alike go, if they do."""
    if ruling.joker_step is None:
        return None
    closed = ruling.available & ~ruling.boxes
    if closed:
        place = (closed & -closed).bit_length() - 1
        return ruling.closed[ruling.card.book.boxes[place].key]
    policy = ruling.card.book.alike
    if policy is None or ruling.joker_step.worth is not ScoreAs.JOKER:
        return None
    return f"All dice alike stand in for any pattern here ({policy.name})."


def sentence(choices: Sequence[Choice], *, only: bool, target: int | None) -> str:
    """Why the first of the choices is best."""
    first = choices[0]
    if target is not None and first.value <= 0:
        return f"{target} is out of reach, whatever you do."
    said = _begin(first)
    if only:
        return f"{said}: there is no other choice."
    said += _aims_at(first)
    if target is not None:
        said += f". That is {percent(first.value)} to reach {target}"
    ties = [each for each in choices[1:] if each.best]
    if ties:
        return f"{said}. {_as_good(ties)}"
    return f"{said}." if len(choices) == 1 else f"{said}. {_against(first, choices[1], target)}"


def _begin(best: Choice) -> str:
    text = best.words if best.box is None else f"score {best.words}"
    return text[0].upper() + text[1:]


def _aims_at(best: Choice) -> str:
    scores = [aim for aim in best.aims if aim.kind in {"score", "extra"}]
    aims = [aim for aim in scores if aim.chance >= _WORTH_NAMING] or scores[:1]
    named = [f"{percent(aim.chance)} for {aim.words}" for aim in aims[:_IN_A_SENTENCE]]
    if best.bonus is not None:
        named.append(f"upper bonus {percent(best.bonus)}")
    return f": {', '.join(named)}" if named else ""


def _as_good(ties: Sequence[Choice]) -> str:
    named = [doing(each) for each in ties[:_TIES]]
    others = ["other choices"] if len(ties) > _TIES else []
    return f"Just as good: {' or '.join(named + others)}."


def _against(best: Choice, second: Choice, target: int | None) -> str:
    """What the runner-up costs, and where: in this turn, in those after it, or in the bonus."""
    if target is not None:
        return f"The next best, {doing(second)}, costs {share(second.cost)}."
    if second.cost < _NEXT_TO_NOTHING:
        return f"The next best, {doing(second)}, costs next to nothing."
    return f"The next best, {doing(second)}, costs {points(second.cost)}: {_where(best, second)}."


def _where(best: Choice, second: Choice) -> str:
    now = second.now - best.now
    later = -second.cost - now
    parts = [f"{_more(now)} in this turn", f"{_more(later)} after it"]
    parts = [part for part, size in zip(parts, (now, later), strict=True) if abs(size) >= _NEXT_TO_NOTHING]
    joined = ", but " if now * later < 0 else " and "
    if best.bonus is not None and second.bonus is not None and abs(best.bonus - second.bonus) >= _BONUS_DIFFERS:
        return f"{joined.join(parts)} (upper bonus {percent(second.bonus)})"
    return joined.join(parts)


def _more(size: float) -> str:
    return f"{abs(size):.1f} {'more' if size > 0 else 'fewer'}"
