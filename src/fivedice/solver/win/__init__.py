"""Playing to win: the highest total wins, and a tie of n is worth 1/n to each of them.

`win` says what a position is worth to everybody, and what to do. With few boxes left and two players it is exact: both
play to win, in turn, to the end. So it is where only one player has turns left. Before that it is *planned*: the others
are taken to play on for points, and their exact chances as they stand are answered as well as anybody can who does not
look at them again. Early in a game such a plan takes minutes, so there it is made for *this turn* alone, and all play
for points after it. `best_response` is the answer from any card, `ceiling` what nobody can surpass who does look, and
`equilibrium` the whole game of a book that is small enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from fivedice.dice import Keep
from fivedice.errors import IllegalError
from fivedice.game import Position, Scorecard
from fivedice.game.position import check_is_position
from fivedice.rules import AnyBook, book as find_book
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.odds import Odds
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import TIE, Option, Solution, ranked, solve
from fivedice.solver.win.duels import Duel, work_of
from fivedice.solver.win.field import cut, shares
from fivedice.solver.win.looking import ending, look
from fivedice.solver.win.plans import Plan, shares_of_totals
from fivedice.solver.win.trios import trio
from fivedice.solver.win.turn_answers import NOTHING, How, Limits, answered, turn_of

__all__ = [
    "BestResponse",
    "Equilibrium",
    "How",
    "Win",
    "WinAdvice",
    "best_response",
    "ceiling",
    "ending",
    "equilibrium",
    "look",
    "win",
]

MOST_LANES = 4_000_000  # of a duel that is worked out while somebody waits: a second of two cores
MOST_PLANNED = 500_000  # of a plan: a tenth of a second
MOST_GAME = 200_000_000  # of a whole game
_MOST_BOXES = 8  # of one: beyond this not even the pairs are counted


@dataclass(frozen=True, slots=True)
class WinAdvice:
    """One thing to do now, and the share of the win that it leaves."""

    keep: Keep | None
    box: str | None
    share: float
    loss: float  #: against the best; 0.0 for all that tie with it
    best: bool


class Win:
    """What a position is worth to all who play to win."""

    def __init__(
        self, position: Position, share: float, others: Callable[[], Sequence[float]], how: How, found: list[Option]
    ) -> None:
        self.how = how
        self.share = share  #: of the seat on turn
        self._position = position
        self._others = others
        self._found = found

    def __repr__(self) -> str:
        return f"<Win of {self.share:.4f}, {self.how}>"

    @property
    def exact(self) -> bool:
        """Whether the shares are those of perfect play to win, by all."""
        return self.how is How.EXACT

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
    patient: bool = False,
    progress: Progress | None = None,
) -> Win:
    """The shares of a position, at any moment of a turn. `most` bounds the work for which an exact answer is tried.

    The patient get a plan to the end wherever the answer is not exact; it takes minutes early in a game, and two
    gigabytes. Others get one where it is a matter of a moment, and before that one for this turn.
    """
    check_is_position(position)
    if position.book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=position.book)
    if position.is_over:
        return _settled(position)
    limits = Limits(most, inf if patient else MOST_PLANNED)
    found = answered(position, lambda: solve(position.book) if solution is None else solution, limits, progress)
    share, ways = turn_of(position, found.values)
    return Win(position, share, lambda: found.rest(position, share), found.how, ways)


def _of_totals(totals: Sequence[int]) -> tuple[float, ...]:
    best = max(totals)
    return tuple((total == best) / totals.count(best) for total in totals)


def _settled(position: Position) -> Win:
    seats = position.seats_in
    won = dict(zip(seats, _of_totals([position.cards[seat].total for seat in seats]), strict=True))
    mine = won.pop(position.seat, 0.0)
    return Win(position, mine, lambda: list(won.values()), How.EXACT, [])


@dataclass(frozen=True, eq=False, repr=False)
class BestResponse:
    """The best answer to a field that does not look: its share of the win, and the play that has it."""

    share: float
    plan: Plan

    def __repr__(self) -> str:
        return f"<BestResponse with a share of {self.share:.4f}>"


def best_response(
    book: AnyBook,
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
    book: AnyBook,
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


def equilibrium(book: AnyBook, players: int = 2, *, progress: Progress | None = None) -> Equilibrium:
    """The exact shares of a whole game, in which all play to win and see each other's cards.

    For two players, and for rules that are small enough, such as those with a fixed order of boxes; with such an order
    also for three, in minutes. Who of three has equal choices takes the first: see `trios`.
    """
    if players not in {2, 3}:
        raise IllegalError("solver.equilibrium-players", count=players)
    book = find_book(book)
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
