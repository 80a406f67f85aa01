"""Playing to win: the highest total wins, and a tie of n is worth 1/n to each of them.

`win` says what a position is worth to everybody, and what to do. With few boxes left and two players it is exact: both
play to win, in turn, to the end. So it is where only one player has turns left. Before that it is *planned*: the others
are taken to play on for points, and their exact chances as they stand are answered as well as anybody can who does not
look at them again. `best_response` is that answer from any card, `ceiling` what nobody can surpass who does look, and
`equilibrium` the whole game of a book that is small enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fivedice.dice import Keep
from fivedice.errors import IllegalError
from fivedice.game import Position, Scorecard
from fivedice.rules import RuleBook
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.odds import Odds
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import TIE, Option, Solution, options, ranked, solve, state_of
from fivedice.solver.values import turn_values
from fivedice.solver.win.duels import Duel, work_of
from fivedice.solver.win.field import cut, shares, shares_left
from fivedice.solver.win.plans import Plan, banked, shares_of_totals
from fivedice.solver.win.trios import trio

MOST_LANES = 4_000_000  # of a duel that is worked out while somebody waits: a second of two cores
MOST_GAME = 200_000_000  # the same for a whole game
NOTHING = 1e-7  # highest totals that are worth all but this are worth all: of their own they are as rare


@dataclass(frozen=True, slots=True)
class WinAdvice:
    """One thing to do now, and the share of the win that it leaves."""

    keep: Keep | None
    box: str | None
    share: float
    loss: float  # against the best; 0.0 for all that tie with it
    best: bool


class Win:
    """What a position is worth to all who play to win."""

    def __init__(
        self, position: Position, share: float, others: Callable[[], Sequence[float]], exact: bool, found: list[Option]
    ) -> None:
        self.exact = exact  # else planned: the others play on for points, and the answer is not looked at again
        self.share = share  # of the seat on turn
        self._position = position
        self._others = others
        self._found = found

    def __repr__(self) -> str:
        return f"<Win of {self.share:.4f}, {'exact' if self.exact else 'planned'}>"

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Of all seats; they add up to one. Who has left has none."""
        mine, rest = self._position.seat, iter(self._others())
        each = {seat: self.share if seat == mine else next(rest) for seat in self._position.seats_in}
        return tuple(each.get(seat, 0.0) for seat in range(len(self._position.cards)))

    def advise(self) -> list[WinAdvice]:
        """Every keep (while there are rolls left) and every legal box, best first; nothing before the first roll."""
        best = ranked(self._found, TIE) if self._found else []
        return [WinAdvice(each.keep, each.box, each.value, each.loss, each.best) for each in best]


def win(
    position: Position,
    solution: Solution | None = None,
    *,
    most: int = MOST_LANES,
    progress: Progress | None = None,
) -> Win:
    """The shares of a position, at any moment of a turn. `most` bounds the work for which an exact answer is tried."""
    book = position.cards[0].book
    if book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=book)
    if position.is_over:
        return _settled(position)
    others = [position.cards[seat] for seat in position.seats_in if seat != position.seat]
    if all(card.is_full for card in others):
        return _last(position, others, progress)
    if len(others) == 1 and _is_small(position, others[0], most):
        return _duel(position, others[0], progress)
    return _planned(position, others, solve(book) if solution is None else solution, progress)


def _is_small(position: Position, other: Scorecard, most: int) -> bool:
    still = [each.marks.count(None) for each in (position.card, other)]
    if still[0] - still[1] not in {0, 1} or (not other.book.fixed_order and still[0] > _MOST_BOXES):
        return False
    return work_of(compiled_book(other.book), *_pair(position.card, other)) <= most


_MOST_BOXES = 8  # beyond this not even the pairs are counted


def _pair(card: Scorecard, other: Scorecard) -> tuple[tuple[State, State], int]:
    return (state_of(card), state_of(other)), banked(other) - banked(card)


def _of_totals(totals: Sequence[int]) -> tuple[float, ...]:
    best = max(totals)
    return tuple((total == best) / totals.count(best) for total in totals)


def _settled(position: Position) -> Win:
    seats = position.seats_in
    won = dict(zip(seats, _of_totals([position.cards[seat].total for seat in seats]), strict=True))
    mine = won.pop(position.seat, 0.0)
    return Win(position, mine, lambda: list(won.values()), True, [])


def _last(position: Position, others: Sequence[Scorecard], progress: Progress | None) -> Win:
    """Only one player has turns left: a chase, in which a tie counts for what it is worth."""
    plan = Plan(position.card, shares([{card.total: 1.0} for card in others]), progress)
    found = _turn(position, plan.box_values(position.card))
    best = max(card.total for card in others)
    rest = [(card.total == best) / [each.total for each in others].count(best) for card in others]
    return Win(position, found[0], lambda: [(1.0 - found[0]) * each for each in rest], True, found[1])


def _duel(position: Position, other: Scorecard, progress: Progress | None) -> Win:
    duel = Duel(compiled_book(other.book), *_pair(position.card, other), progress)
    found = _turn(position, duel.box_shares())
    return Win(position, found[0], lambda: [1.0 - found[0]], True, found[1])


def _planned(position: Position, others: Sequence[Scorecard], solution: Solution, progress: Progress | None) -> Win:
    """The best answer to the others as they stand."""
    field = [ending(solution, card, progress) for card in others]
    worth = shares(field)
    found = _answered(position, cut(worth, NOTHING), progress)

    def rest() -> list[float]:
        """What the plan leaves to each: how its worth grows with a utility that has a grain of theirs in it."""
        left = 1.0 - found[0]
        if len(field) == 1:
            return [left]
        grown = [
            (_answered(position, worth + _GRAIN * each, progress)[0] - found[0]) / _GRAIN
            for each in shares_left(field, len(worth))
        ]
        return [max(0.0, each) * left / sum(max(0.0, other) for other in grown) for each in grown]

    return Win(position, found[0], rest, False, found[1])


_GRAIN = 1e-7  # so little that it changes no decision but those that are as good


def _answered(position: Position, worth: NDArray[np.float64], progress: Progress | None) -> tuple[float, list[Option]]:
    return _turn(position, Plan(position.card, worth, progress).box_values(position.card))


def _turn(position: Position, values: NDArray[np.float64]) -> tuple[float, list[Option]]:
    """What the turn is worth as it stands, and every option of the dice on the table."""
    book, grid = position.card.book, compiled_book(position.card.book).lattice
    if position.roll is not None:
        found = options(book, values, position.roll, position.rolls_left)
        return max(value for _, _, value in found), found
    return turn_values.turn_worth(grid, values.max(axis=1), position.dice.faces, position.rolls_left), []


def ending(solution: Solution, card: Scorecard, progress: Progress | None = None) -> dict[int, float]:
    """How a card ends that is played for points: totals and their exact chances."""
    if card.is_full:
        return {card.total: 1.0}
    if not solution.is_prepared(card):
        solution.prepare(progress)
    chances = solution.finish(card, progress=progress).chances
    return {banked(card) + points: float(chances[points]) for points in np.flatnonzero(chances).tolist()}


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The best answer to a field that does not look: its share of the win, and the play that has it."""

    share: float
    plan: Plan


def best_response(
    book: RuleBook,
    *,
    field: Sequence[Odds | Mapping[int, float]],
    card: Scorecard | None = None,
    progress: Progress | None = None,
) -> BestResponse:
    """The blind optimum from a card, else the empty one: the highest share that anybody can have against totals of
    which only the chances are known. `field` has the odds of each of the others, or totals with their chances.

    From the empty card a job of some minutes and two gigabytes for a book of 13 to 15 boxes.
    """
    totals = [each.pmf if isinstance(each, Odds) else each for each in field]
    plan = Plan(Scorecard.empty(book) if card is None else card, cut(shares(totals), NOTHING), progress)
    return BestResponse(plan.value(), plan)


def ceiling(
    book: RuleBook,
    *,
    field: Odds | Mapping[int, float] | None = None,
    card: Scorecard | None = None,
    progress: Progress | None = None,
) -> float:
    """What nobody can surpass against one player who plays for points: the share of somebody who knew the other's final
    total beforehand. `field` has the other's odds, else those from the empty card. As long a job as `best_response`.
    """
    odds = solve(book).odds() if field is None else field
    totals = odds.pmf if isinstance(odds, Odds) else odds
    start = Scorecard.empty(book) if card is None else card
    most = len(cut(shares([totals]), NOTHING)) - 1
    worth = shares_of_totals(start, most, progress)
    return sum(chance * float(worth[total]) for total, chance in totals.items() if total <= most)


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A whole game that everybody plays to win."""

    shares: tuple[float, ...]  # in the order of play


def equilibrium(book: RuleBook, players: int = 2, *, progress: Progress | None = None) -> Equilibrium:
    """The exact shares of a whole game, in which all play to win and see each other's cards.

    For two players, and for rules that are small enough, such as those with a fixed order of boxes; with such an order
    also for three, in minutes. Who of three has equal choices takes the first: see `trios`.
    """
    if players not in {2, 3}:
        raise IllegalError("solver.equilibrium-players", count=players)
    compiled, start = compiled_book(book), State(0, 0, 0)
    if book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=book)
    if players == 3:
        if not book.fixed_order:
            raise IllegalError("solver.equilibrium-order", rules=book)
        return Equilibrium(trio(compiled, progress))
    if (not book.fixed_order and compiled.boxes > _MOST_BOXES) or work_of(compiled, (start, start), 0) > MOST_GAME:
        raise IllegalError("solver.equilibrium-too-large", rules=book)
    share = Duel(compiled, (start, start), 0, progress).share
    return Equilibrium((share, 1.0 - share))
