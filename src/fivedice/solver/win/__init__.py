"""Playing to win: the highest total wins, and a tie of n players is worth 1/n to each.

`win` returns every player's share of the win in a position, and advice. It is exact for two players with few boxes
left, who both play to win to the end, and where only one player has turns left. It is also exact before the first roll
of a game whose share is stored. Otherwise it is *planned*: the others are assumed to play for points, and the plan is
the best answer to the exact chances of their final totals, without looking at their cards again. Early in a game such a
plan takes minutes, so there only *this turn* is played to win, and all later turns for points.

`best_response` is the plan from any card, `ceiling` an upper bound for a player who does look at the other's card, and
`equilibrium` the exact whole game of a book that is small enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from fivedice.core.dice import Keep
from fivedice.core.game import Position, Scorecard
from fivedice.core.game.position import check_is_position
from fivedice.core.rules import AnyBook, RuleBook, book as find_book
from fivedice.errors import IllegalCard, IllegalError
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.odds import Odds
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import TIE, Option, Solution, find_solution, rank_options, solve
from fivedice.solver.win.duels import MOST_MEMORY, Duel, estimate, find_stored_share
from fivedice.solver.win.one_turn_lookahead import ending, look
from fivedice.solver.win.opponents import shares, trim_sure_wins
from fivedice.solver.win.plans import Plan, shares_of_totals
from fivedice.solver.win.trios import trio
from fivedice.solver.win.turn_answers import NOTHING, How, WorkLimits, answer_turn, evaluate_turn

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

MOST_LANES = 4_000_000  # of a duel that is worked out while a player waits: a second on two cores
MOST_PLANNED = 500_000  # lanes of a plan: a tenth of a second
MOST_SECONDS = 3600  # of one core, for a whole game


@dataclass(frozen=True, slots=True)
class WinAdvice:
    """One choice, and the share of the win that it leaves.

    >>> card = "1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50"
    >>> fd.win(fd.read_position(f"crag {card} 0 666 0")).advise()
    [WinAdvice(keep=None, box='three_of_a_kind', share=1.0, loss=0.0, best=True)]
    """

    keep: Keep | None
    box: str | None
    share: float
    loss: float  #: share less than the best; 0.0 for all that tie with it
    best: bool  #: whether it is the best, or ties with it


class Win:
    """The shares of the win in a position, and advice. `how` says what the answer assumes.

    >>> card = "1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50"
    >>> found = fd.win(fd.read_position(f"crag {card} 0 666 0"))
    >>> found.exact, found.share, found.shares, found.advise()[0].box
    (True, 1.0, (1.0,), 'three_of_a_kind')
    """

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
        """Return whether the shares are those of perfect play to win by all players."""
        return self.how is How.EXACT

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Return the share of every seat; they add up to one. A player who has left has 0."""
        mine, rest = self._position.seat, iter(self._others())
        each = {seat: self.share if seat == mine else next(rest) for seat in self._position.seats_in}
        return tuple(each.get(seat, 0.0) for seat in range(len(self._position.cards)))

    def advise(self) -> list[WinAdvice]:
        """Return every keep (while there are rolls left) and every legal box, best first; nothing before the first
        roll.
        """
        best = rank_options(self._found, TIE) if self._found else []
        return [WinAdvice(each.keep, each.box, each.value, each.loss, each.best) for each in best]


def win(
    position: Position,
    solution: Solution | AnyBook | None = None,
    *,
    most: int = MOST_LANES,
    patient: bool = False,
    progress: Progress | None = None,
) -> Win:
    """Return the shares of the win in a position, at any moment of a turn, and advice.

    `solution` is that of the book, or the book; by default it is solved. `most` limits the work of an exact answer.
    With `patient` there is a plan to the end wherever the answer is not exact; early in a game that takes minutes and
    two gigabytes. Without it, a plan is made only where it takes a moment, and else for this turn alone.
    `progress(done, total)` is called during the work.

    Raises `IllegalError` for a book that saves rolls, and `MalformedError` for anything but a position.

    >>> ann = "1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50"
    >>> bob = "1s:1,2s:4,3s:6,4s:8,5s:10,6s:12,os:20,es:20,ls:0,hs:0,13:26,cr:50"
    >>> [round(share, 3) for share in fd.win(fd.read_position(f"crag {ann}|{bob} 0 - 2")).shares]
    [0.9, 0.1]
    """
    check_is_position(position)
    if position.book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=position.book)
    if position.is_over:
        return _finished_win(position)
    opening = _stored_opening(position)
    if opening is not None:
        return Win(position, opening, lambda: [1.0 - opening], How.EXACT, [])
    limits = WorkLimits(most, inf if patient else MOST_PLANNED)
    found = answer_turn(position, lambda: find_solution(solution or position.book), limits, progress)
    share, ways = evaluate_turn(position, found.values)
    return Win(position, share, lambda: found.rest(position, share), found.how, ways)


def _stored_opening(position: Position) -> float | None:
    """Return the share of the player on turn before the first roll of a game of two, if it is stored."""
    cards = [position.cards[seat] for seat in position.seats_in]
    begun = position.roll is not None or any(mark is not None for card in cards for mark in card.marks)
    return None if begun or len(cards) != 2 else find_stored_share(position.book)


def _finished_win(position: Position) -> Win:
    seats = position.seats_in
    totals = [position.cards[seat].total for seat in seats]
    best = max(totals)
    won = dict(zip(seats, tuple((total == best) / totals.count(best) for total in totals), strict=True))
    mine = won.pop(position.seat, 0.0)
    return Win(position, mine, lambda: list(won.values()), How.EXACT, [])


@dataclass(frozen=True, eq=False, repr=False)
class BestResponse:
    """The best answer to opponents whose cards are not looked at: its share of the win, and the plan that has it."""

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
    """Return the plan with the highest share of the win against opponents of whom only the odds are known.

    `book` is a rule book, its key or the path of its file. `field` has the odds of each opponent's final total, or a
    mapping of totals to chances. `card` is the own card, by default the empty one. `progress(done, total)` is called
    during the work, which from the empty card takes some minutes and two gigabytes for a book of 13 to 15 boxes.

    Raises `IllegalError` for a book that saves rolls or is too large, and `IllegalCard` for a card of another book.

    >>> late = fd.notation.read_card("1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50", "crag")
    >>> round(fd.best_response("crag", field=[{180: 1.0}], card=late).share, 4)
    0.1127
    """
    rules = find_book(book)
    totals = [each.pmf if isinstance(each, Odds) else each for each in field]
    plan = Plan(_starting_card(rules, card), trim_sure_wins(shares(totals), NOTHING), progress)
    return BestResponse(plan.value(), plan)


def _starting_card(rules: RuleBook, card: Scorecard | None) -> Scorecard:
    """Return the card to begin with, the empty one by default. Raise `IllegalCard` if it belongs to another book."""
    if card is not None and card.book != rules:
        raise IllegalCard("solver.other-book", rules=rules, other=card.book)
    return Scorecard.empty(rules) if card is None else card


def ceiling(
    book: AnyBook,
    *,
    field: Odds | Mapping[int, float] | None = None,
    card: Scorecard | None = None,
    progress: Progress | None = None,
) -> float:
    """Return an upper bound for the share of the win against one player who plays for points.

    It is the share of a player who knew the other's final total beforehand. `book` is a rule book, its key or the path
    of its file. `field` has the other's odds, by default those from the empty card; `card` is the own card, by default
    the empty one. The work takes as long as that of `best_response`, with the same calls of `progress`.

    Raises `IllegalError` for a book that saves rolls or is too large, and `IllegalCard` for a card of another book.

    >>> late = fd.notation.read_card("1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50", "crag")
    >>> round(fd.ceiling("crag", field={180: 1.0}, card=late), 4)
    0.1127
    """
    rules = find_book(book)
    odds = solve(rules).odds() if field is None else field
    totals = odds.pmf if isinstance(odds, Odds) else odds
    start = _starting_card(rules, card)
    most = len(trim_sure_wins(shares([totals]), NOTHING)) - 1
    worth = shares_of_totals(start, most, progress)
    return sum(chance * float(worth[total]) for total, chance in totals.items() if total <= most)


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The result of a whole game in which all play to win."""

    shares: tuple[float, ...]  #: in the order of play


def equilibrium(
    book: AnyBook, players: int = 2, *, cache: bool = True, progress: Progress | None = None
) -> Equilibrium:
    """Return the exact shares of a whole game in which all players play to win and see each other's cards.

    `book` is a rule book, its key or the path of its file. Two players need rules with few states: a fixed order of
    boxes, the upper section first, or no bonus. With `cache`, the shares are taken from the package if it has them;
    without, they are always worked out, which may take an hour and 8 GB. Three players need a fixed order, and minutes;
    of equal choices each takes the first: see `trios`. `progress(done, total)` is called during the work.

    Raises `IllegalError` for a book that is too large or saves rolls, and for other numbers of players.

    >>> fd.equilibrium("yatzy", players=4)
    Traceback (most recent call last):
    ...
    fivedice.errors.IllegalError: ...
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
    share = find_stored_share(book) if cache else None
    if share is None:
        cost = estimate(compiled, (start, start), 0)
        if cost is None or cost.seconds > MOST_SECONDS or cost.memory > MOST_MEMORY:
            raise IllegalError("solver.equilibrium-too-large", rules=book)
        share = Duel(compiled, (start, start), 0, progress).share
    return Equilibrium((share, 1.0 - share))
