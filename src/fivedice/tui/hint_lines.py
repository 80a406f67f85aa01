"""The coach at the terminal: the best few choices and why, what everyone may expect, and training.

In training the coach asks once about a costly move; the same move again is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from fivedice.coaching import training
from fivedice.coaching.game_odds import Beat, GameOdds, to_beat, worth_chasing
from fivedice.coaching.training import plays_alone, to_expect, to_judge, trains
from fivedice.dice import Keep
from fivedice.errors import FivediceError
from fivedice.table.state import TableState
from fivedice.tui.game_lines import name
from fivedice.tui.own_store import TERMINAL
from fivedice.words import Chance, points, word

if TYPE_CHECKING:
    from fivedice.coaching.hints import Coaching
    from fivedice.coaching.rolled_turn import Choice
    from fivedice.game import Position
    from fivedice.rules import RuleBook
    from fivedice.solver import Solution
    from fivedice.solver.spread import Followed
    from fivedice.tui.session import Session

SHOWN = 5

Progress = Callable[[int, int], None]


def hints(session: Session, progress: Progress | None = None) -> list[str]:
    """Why the best is best, then the best few with what each costs and aims at. Solves the book if need be."""
    told = _coached(session, progress)
    said = filter(None, [told.rule, told.sentence, told.details])
    return [*said, word("coach.choices-head"), *_lines(told.choices)]


def _coached(session: Session, progress: Progress | None) -> Coaching:
    from fivedice.coaching.hints import coach  # numpy and perhaps numba: only those who ask wait for them

    position, roll = to_judge(session.state, TERMINAL)
    solution, tables = _prepared(position.book, progress)
    bonuses = None if tables is None else tables.bonus
    return coach(solution, position.card, roll, position.rolls_left, best=SHOWN, bonuses=bonuses)


def expectations(session: Session, progress: Progress | None = None) -> list[str]:
    """The expected total of everyone with its spread, who will win, and the score to beat of a solo player."""
    from fivedice.analysis.race import race

    position = to_expect(session.state)
    solution, _ = _prepared(position.book, progress)
    best = session.best if plays_alone(session.state, TERMINAL) else None
    beat = None if best is None else _to_beat(position, solution, best.total + 1, progress)
    names = [name(session.state, seat) for seat in range(len(session.state.seats))]
    return list(_odds_lines(GameOdds(race(position, solution), beat), names))


def _to_beat(position: Position, solution: Solution, target: int, progress: Progress | None) -> Beat:
    from fivedice.solver.chase import chase

    card = position.card
    hunt = chase(card.book, card=card, most=target, progress=progress) if worth_chasing(card) else None
    return to_beat(position, solution, target, hunt)


def _prepared(book: RuleBook, progress: Progress | None) -> tuple[Solution, Followed | None]:
    """The solution, and where it leads if that does not take minutes."""
    from fivedice.solver import solve
    from fivedice.solver.runtime import solve_limits as limits
    from fivedice.solver.spread import follow, followed

    solution = solve(book, progress=progress)
    return solution, followed(solution) if limits.takes_long(book) else follow(solution, progress)


def _odds_lines(odds: GameOdds, names: Sequence[str]) -> Iterator[str]:
    yield word("coach.odds-head")
    kind = "coach.odds-total-and-win" if len(names) > 1 else "coach.odds-total"
    for player, each in zip(names, odds.race.players, strict=True):
        yield word(kind, name=player, mean=round(each.mean), spread=round(each.sd), chance=Chance(each.share))
    if odds.beat is not None:
        yield word("coach.odds-beat", best=odds.beat.target - 1, chance=Chance(odds.beat.normal.chance))
        if odds.beat.chased is None:
            yield word("coach.odds-chased-later")
        else:
            yield word("coach.odds-chased", chance=Chance(odds.beat.chased))
    yield word("coach.odds-exact" if odds.exact else "coach.odds-estimated")


def _lines(choices: Sequence[Choice]) -> Iterator[str]:
    """Each choice with its expected points and its cost, then what they aim at."""
    width = max(len(choice.words) for choice in choices)
    for choice in choices:
        cost = word("coach.choice-best") if choice.best else word("coach.choice-costs", cost=choice.cost)
        yield f"{choice.words:<{width}} {points(choice.value):>6}  {cost}"
    yield from (word("coach.choice-aims", do=choice.label, aims=choice.line) for choice in choices if choice.line)


class Training:
    """The limit in use, and the move that was asked about last."""

    def __init__(self, limit: int = training.OFF) -> None:
        self.limit = limit
        self._asked: tuple[int, Keep | str] | None = None

    def next_limit(self) -> str:
        """Go on to the next limit, and say what that is."""
        self.limit = training.after(self.limit)
        return self.words()

    def words(self) -> str:
        return str(training.told(self.limit))

    def caution(self, state: TableState, move: Keep | str, *, patient: bool) -> str | None:
        """What speaks against a move, once. A book that is not solved yet is only waited for by the patient."""
        asked = (state.version, move)
        if not trains(state, self.limit) or self._asked == asked:
            self._asked = None
            return None
        found = _spoken_against(state, move, self.limit, patient=patient)
        self._asked = asked if found else None
        return found


def _spoken_against(state: TableState, move: Keep | str, limit: int, *, patient: bool) -> str | None:
    from fivedice.solver import solve
    from fivedice.solver.runtime import solve_limits as limits
    from fivedice.solver.solution import known

    wait = patient and not limits.takes_long(state.book)
    try:
        position, roll = to_judge(state, TERMINAL)
        solution = solve(state.book) if wait else known(state.book)
        found = None if solution is None else training.caution(solution, position, roll, move, limit)
    except FivediceError:
        return None  # it will be refused, and that says more
    return None if found is None else str(found.message)
