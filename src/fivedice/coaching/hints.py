"""The coach: the best few things to do, what each costs, what it aims at, and why the best is best.

All numbers are exact. What a choice aims at is how this turn will end if everything after it is played best: the
chance of each box with enough points in it. The messages are made from these numbers alone.

With others a choice has a second measure, the share of the win that it leaves: see `win_hints`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fivedice.coaching import hint_messages as told
from fivedice.coaching.hint_messages import Aimed
from fivedice.coaching.hint_reasons import Kind, Reason, reason
from fivedice.coaching.rolled_turn import Choice, RolledTurn, choice_of
from fivedice.coaching.win_hints import MATTERS
from fivedice.errors import IllegalMove
from fivedice.game import Scorecard, judge
from fivedice.game.card import BonusStatus, bonus_pace
from fivedice.message import Chance, Message, message
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.solution import TIE, check_turn, options, ranked, state_of, turn_given
from fivedice.solver.values.turn_choices import leads, tolerance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fivedice.coaching.goals import Goal
    from fivedice.coaching.win_hints import Stakes
    from fivedice.dice import AnyDice, Keep, Roll
    from fivedice.game import Position
    from fivedice.solver import Advice, Solution
    from fivedice.solver.chase import Chase
    from fivedice.solver.win import WinAdvice

BEST = 5  # options that are shown


@dataclass(frozen=True, slots=True, repr=False)
class Coaching:
    """What the coach says about one roll."""

    choices: tuple[Choice, ...]  #: best first
    reason: Reason  #: why the first is best
    about: Message  #: the first as a headline
    why: tuple[Message, ...]  #: what the others cost, for those who ask
    ruled: Message | None  #: where the rules decide for all dice alike: how
    target: int | None  #: the total to reach, where one is played for
    goal: Aimed = "points"  #: what it is for
    notes: tuple[Message, ...] = ()  #: what was chosen for the player, what it rests on, and the other measure

    def __repr__(self) -> str:
        return f"<Coaching: {self.headline}>"

    @property
    def headline(self) -> str:
        """What to do: Keep the two fours."""
        return str(self.about)

    @property
    def because(self) -> str:
        """Why the first choice is best."""
        return str(self.reason.message)

    @property
    def sentence(self) -> str:
        """Both: what to do and why."""
        return str(message("coach.told", do=self.about, because=self.reason.message))

    @property
    def details(self) -> str:
        """What the next best cost."""
        return " ".join(map(str, self.why))

    @property
    def rule(self) -> str | None:
        """How the rules decide for all dice alike, where they do."""
        return None if self.ruled is None else str(self.ruled)

    @property
    def beside(self) -> str:
        """What it rests on, and what else could be played for."""
        return " ".join(map(str, self.notes))

    @property
    def advised(self) -> Choice | None:
        """What to do, unless it makes no difference any more."""
        return None if self.reason.kind == "lost" else self.choices[0]

    def price(self, choice: Choice) -> str:
        """What a choice costs: best, as good, −2.1 points."""
        return str(told.price(choice, first=choice == self.choices[0], goal=self.goal))

    def fact(self, choice: Choice) -> str:
        """The one thing to know of a choice, beside its cost."""
        return str(told.fact(choice, self.reason))


def coach(
    solution: Solution,
    card: Scorecard | Position,
    roll: AnyDice | None = None,
    rolls_left: int | None = None,
    *,
    best: int = BEST,
    bonuses: NDArray[np.float64] | None = None,
) -> Coaching:
    """The best few choices for the most points; with the table of `bonuses`, the chance of the upper bonus too.

    Give a position with its dice, or a card, a roll and how many rolls are left.
    """
    return _coached(_rolled(solution, *turn_given(card, roll, rolls_left), bonuses), TIE, best, None)


def coach_to_reach(
    chase: Chase, card: Scorecard, roll: Roll, rolls_left: int, target: int, *, best: int = BEST
) -> Coaching:
    """The best few choices for the chance of this total or more."""
    check_turn(card, roll, rolls_left)
    led = leads(compiled_book(card.book), state_of(card))
    turn = RolledTurn(card, roll, rolls_left, chase.box_chances(card, target)[None], chase.tie, led, None)
    return _coached(turn, chase.tie, best, target)


def coach_with_others(
    solution: Solution,
    position: Position,
    goal: Goal,
    measured: Stakes,
    *,
    best: int = BEST,
    bonuses: NDArray[np.float64] | None = None,
) -> Coaching:
    """The best few choices at a table with others: for the win, or for points with a word about the win."""
    roll, decided = _on_table(position), measured.decided
    if decided is None and (goal.kind == "win" or (goal.kind == "auto" and measured.matters)):
        return _coached_to_win(position.card, roll, measured, best, chosen=goal.kind == "auto")
    found = coach(solution, position.card, roll, position.rolls_left, best=best, bonuses=bonuses)
    return replace(found, notes=tuple(told.about_win(position.card, roll, measured, goal)))


def _on_table(position: Position) -> Roll:
    if position.roll is None:
        raise IllegalMove("coach.roll-first")
    return position.roll


def _coached_to_win(card: Scorecard, roll: Roll, measured: Stakes, best: int, *, chosen: bool) -> Coaching:
    if best < 1:
        raise IllegalMove("coach.how-many", count=best)
    first = measured.best
    rest = [each for each in measured.options if each != first]
    choices = tuple(_to_win(card, roll, each) for each in (first, *rest)[:best])
    why = _for_win(card, roll, measured)
    return Coaching(
        choices=choices,
        reason=why,
        about=told.headline(card, roll, choices[0], why, None),
        why=tuple(told.why(choices, why, "win")),
        ruled=told.rule(judge(card, roll)),
        target=None,
        goal="win",
        notes=(*([message("coach.for-win")] if chosen else ()), measured.assumption),
    )


def _to_win(card: Scorecard, roll: Roll, each: WinAdvice) -> Choice:
    label = told.label(card, roll, each.keep, each.box)
    return Choice(each.keep, each.box, label, each.share, each.loss, each.best, now=0.0, aims=(), bonus=None)


def _for_win(card: Scorecard, roll: Roll, measured: Stakes) -> Reason:
    """The share, and what would be done for points."""
    known = {"standing": measured.standing, "chance": measured.chance}
    if measured.agreed:
        return Reason("win-agreed", known)
    other = measured.by_points
    do = told.option(card, roll, other.keep, other.box)
    kind: Kind = "win" if measured.given_up >= MATTERS else "win-nearly"
    return Reason(kind, {**known, "do": do, "other": Chance(other.share)})


def best_choice(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int) -> Choice:
    """The best alone, for those who do not ask why."""
    turn = _rolled(solution, card, roll, rolls_left, None)
    return choice_of(turn, _ranked(turn, TIE)[0])


def cost(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int, move: Keep | str) -> float:
    """The points that a keep or a box loses against the best; 0.0 for all that are as good."""
    advice = solution.advise(card, roll, rolls_left)
    for each in advice:
        if move in (each.keep, each.box):
            return each.loss
    raise IllegalMove("coach.not-a-choice", move=str(move))


def _open(card: Scorecard, bonuses: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """A bonus that is paid already or out of reach is not worth a word."""
    pace = bonus_pace(card)
    return bonuses if pace is not None and pace.status is BonusStatus.OPEN else None


def _rolled(
    solution: Solution, card: Scorecard, roll: Roll, rolls_left: int, bonuses: NDArray[np.float64] | None
) -> RolledTurn:
    check_turn(card, roll, rolls_left)
    led = leads(solution.compiled, state_of(card))
    near = tolerance(solution.compiled)
    return RolledTurn(card, roll, rolls_left, solution.leaves(card, rolls_left), near, led, _open(card, bonuses))


def _ranked(turn: RolledTurn, tie: float) -> list[Advice]:
    return ranked(options(turn.card.book, turn.levels, turn.roll, turn.rolls_left), tie)


def _coached(turn: RolledTurn, tie: float, best: int, target: int | None) -> Coaching:
    if best < 1:
        raise IllegalMove("coach.how-many", count=best)
    ranks = _ranked(turn, tie)
    choices = tuple(choice_of(turn, each) for each in ranks[:best])
    why, goal = reason(turn, ranks, target), _goal(target)
    return Coaching(
        choices=choices,
        reason=why,
        about=told.headline(turn.card, turn.roll, choices[0], why, target),
        why=tuple(told.why(choices, why, goal)),
        ruled=told.rule(judge(turn.card, turn.roll)),
        target=target,
        goal=goal,
    )


def _goal(target: int | None) -> Aimed:
    return "points" if target is None else "target"
