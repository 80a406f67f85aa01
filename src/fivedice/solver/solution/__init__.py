"""A solved book: the value of a card, and advice for a roll.

A player's *outlook* is the worth of filling a box beyond the points that it pays now. The exact outlook knows the value
of every card that may follow. The others need no solution: the greedy one counts only the points, and the planner
compares every box with its par. All of them weigh the dice of a turn exactly, by the same lattice, so they differ only
in foresight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import AnyDice, Keep, Roll, keeps_of
from fivedice.core.game import Hold, Mark, Position, Scorecard
from fivedice.core.rules import AnyBook, RuleBook, book as find_book
from fivedice.errors import IllegalCard, IllegalError, IllegalMove, quote
from fivedice.message import message
from fivedice.solver.endings import finish, is_quick, known as known_endings, layers_to_keep, prepare, quick_boxes
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook, State, compiled_book
from fivedice.solver.odds import START, Finish, Odds, first_turn_odds, totals
from fivedice.solver.runtime.solution_cache import LayerCache, SolvedTables
from fivedice.solver.runtime.solution_files import VALUES, has_layers, save_layer
from fivedice.solver.runtime.solve_limits import MOST_SUMS, Answers, estimate, takes_long
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.values import turn_values
from fivedice.solver.values.saved_values import Layer, SavedValues, Values, one_table, places
from fivedice.solver.values.shipped_values import shipped_values
from fivedice.solver.values.turn_choices import certain_roll

TIE = 1e-9  # options closer than this are equally good

Option: TypeAlias = tuple[Keep | None, str | None, float]  # a keep or a box, and its worth


@dataclass(frozen=True, slots=True)
class Advice:
    """One choice: keep these dice and throw the rest, or fill a box.

    >>> best = fd.solve("crag").advise(fd.read_position("crag - 0 466 1"))[0]
    >>> best.keep, best.box, round(best.value, 1), best.loss, best.best
    (Keep.parse('66'), None, 150.3, 0.0, True)
    """

    keep: Keep | None
    box: str | None
    value: float  #: expected further points, including those scored now
    loss: float  #: points less than the best; 0.0 for all that tie with it
    best: bool  #: whether it is the best, or ties with it

    @property
    def move(self) -> Hold | Mark:
        """Return the choice as a move, for `game.play`.

        >>> fd.solve("crag").advise(fd.read_position("crag - 0 466 1"))[0].move
        Hold(keep=Keep.parse('66'))
        """
        return Mark(str(self.box)) if self.keep is None else Hold(self.keep)

    def _repr_html_(self) -> str:
        return AdviceList([self])._repr_html_()


class AdviceList(list[Advice]):
    """All choices, best first; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        from fivedice.drawing.svg import html_table  # imported late: only notebooks need it

        heads = [str(message(f"solver.column-{name}")) for name in ("choice", "value", "cost")]
        return html_table(
            heads, [[str(each.keep or each.box), f"{each.value:.4g}", f"{each.loss:.4g}"] for each in self]
        )


def state_of(card: Scorecard) -> State:
    """Return the part of a card on which its future depends."""
    compiled = compiled_book(card.book)
    marks = [card.marks[place] for place in compiled.order]
    mask = sum(1 << box for box, points in enumerate(marks) if points is not None)
    totals = [
        sum(points for box, points in enumerate(marks) if points and counting >> box & 1)
        for counting in (compiled.counted, *compiled.sums.masks)
    ]
    alikes = compiled.payments.alikes
    alike = min(1 + card.bonuses, alikes - 1) if card.alike_scored else 0
    flag = alike + alikes * int(compiled.sums.numbers(np.array(totals[1:], dtype=np.int64)))
    return State(mask, min(totals[0], compiled.threshold), flag, card.saved)


def check_turn(card: Scorecard, roll: Roll, rolls_left: int) -> None:
    """Raise `IllegalMove` for a roll, or a number of rolls left, that this card cannot have."""
    card.book.check_roll(roll)
    if card.is_full:
        raise IllegalMove("solver.full-card")
    most = card.book.rolls + card.saved - 1
    if not 0 <= rolls_left <= most:
        raise IllegalMove("solver.rolls-left", most=most, rolls=rolls_left)


def parse_turn(card: Scorecard | Position, roll: AnyDice | None, rolls_left: int | None) -> tuple[Scorecard, Roll, int]:
    """Read a turn from a position with its dice, or from a card, a roll and the number of rolls left.

    Raises `IllegalMove` if something is missing or impossible.
    """
    given: object = card
    if isinstance(card, Position) and roll is None and rolls_left is None:
        given, roll, rolls_left = card.card, card.roll, card.rolls_left
    if not isinstance(given, Scorecard) or roll is None or rolls_left is None:
        raise IllegalMove("solver.turn-not-given", given=quote(card))
    rolled = Roll.read(roll)
    check_turn(given, rolled, rolls_left)
    return given, rolled, rolls_left


def options(book: RuleBook, values: NDArray[np.float64], roll: Roll, rolls_left: int) -> list[Option]:
    """Return every legal box and, while there are rolls left, every keep.

    `values` has the values of all rolls in all boxes; where rolls are saved, for 0, 1, ... rolls left.
    """
    grid, order = compiled_book(book).lattice, compiled_book(book).order
    levels = values if values.ndim > 2 else values[None]
    here = levels[min(rolls_left, len(levels) - 1), grid.row[roll.faces] - grid.first_roll]
    legal = np.flatnonzero(here > -np.inf).tolist()
    boxes: list[Option] = [(None, book.boxes[order[box]].key, float(here[box])) for box in legal]
    if not rolls_left:
        return boxes
    keeps, _ = turn_values.turn_ahead(grid, levels.max(axis=2), rolls_left)
    return boxes + [(keep, None, float(keeps[grid.row[keep.faces]])) for keep in keeps_within(roll)]


def rank_options(found: list[Option], tie: float = TIE) -> list[Advice]:
    """Sort options, best first; options within `tie` of the best count as equally good."""
    found.sort(key=lambda option: -option[2])
    best = found[0][2]
    return AdviceList(
        Advice(keep, box, value, 0.0 if best - value <= tie else best - value, best - value <= tie)
        for keep, box, value in found
    )


@lru_cache(maxsize=4096)
def keeps_within(roll: Roll) -> tuple[Keep, ...]:
    """Return the distinct keeps that leave at least one die to throw."""
    return keeps_of(roll)[:-1]


_tables, _layers = SolvedTables(VALUES), LayerCache()


def solve(book: AnyBook, *, cache: bool = True, progress: Progress | None = None) -> Solution:
    """Return the strategy with the highest mean for one player, solved exactly.

    `book` is a rule book, its key or the path of its file. With `cache`, the solution is taken from memory, from disk
    or from the package if it is there, and stored; without, it is always solved anew. `progress(done, total)` is called
    during the work; an exception from it stops the work.

    Raises `UnknownBook` for an unknown key, and `IllegalError` for a book that is too large.

    >>> round(fd.solve("crag").value(fd.Scorecard.empty("crag")), 2)
    149.85
    """
    book = find_book(book)
    compiled = compiled_book(book)
    if not compiled.complete:
        raise IllegalError("solver.too-many-totals", most=MOST_SUMS)
    if compiled.save_rolls:
        return Solution(book, compiled, SavedValues(compiled, _solve_layers(book, cache, progress)))
    if not cache:
        return Solution(book, compiled, _solve_values(compiled, progress))
    work = lambda: (_solve_values(compiled, progress),)  # noqa: E731
    tables = _tables.get(book.fingerprint, compiled.shape, work, progress, partial(_load_shipped, book))
    return Solution(book, compiled, *tables)


def find_solution(given: Solution | AnyBook) -> Solution:
    """Return a solution as it is, or solve the book that is given instead. Raise as `solve` does."""
    return given if isinstance(given, Solution) else solve(given)


def known(book: RuleBook) -> Solution | None:
    """Return the solution if it is in memory, on disk or shipped, else None; nothing is solved."""
    compiled = compiled_book(book)
    if compiled.save_rolls:
        layers = _layers.known(book.fingerprint, _sizes(compiled))
        return None if layers is None else Solution(book, compiled, SavedValues(compiled, layers))
    tables = _tables.known(book.fingerprint, compiled.shape, partial(_load_shipped, book))
    return None if tables is None else Solution(book, compiled, *tables)


def _load_shipped(book: RuleBook) -> tuple[NDArray[np.float64]] | None:
    table = shipped_values(compiled_book(book), book.fingerprint)
    return None if table is None else (table,)


def is_stored(book: RuleBook) -> bool:
    """Return whether a book that saves rolls was solved before, without loading its gigabytes."""
    return book.save_rolls and has_layers(book.fingerprint, _sizes(compiled_book(book)))


class Solution:
    """A solved book, which gives values, advice and odds.

    `book` is the rule book, `table` holds the value of every state, and `compiled` says what its axes mean.

    >>> fd.solve("crag")
    <Solution of 'crag'>
    """

    def __init__(self, book: RuleBook, compiled: CompiledBook, table: Values) -> None:
        self.book = book
        self.compiled = compiled
        self.table = table

    def __repr__(self) -> str:
        return f"<Solution of {self.book.key!r}>"

    @property
    def states(self) -> int:
        """Return the number of states in which a turn can start: masks, flags and upper totals that differ.

        >>> fd.solve("crag").states
        8192
        """
        return work_plan.count_states(self.compiled)

    def state(self, card: Scorecard) -> State:
        """Return the row, lane and flag of a card. Raises `IllegalCard` for a card of another book.

        >>> fd.solve("crag").state(fd.Scorecard.empty("crag"))
        State(mask=0, upper=0, flag=0, saved=0)
        """
        if card.book != self.book:
            raise IllegalCard("solver.other-book", rules=self.book, other=card.book)
        return state_of(card)

    def value(self, card: Scorecard) -> float:
        """Return the expected further points of optimal solo play, from the start of a turn.

        Raises `IllegalCard` for a card of another book.

        >>> round(fd.solve("crag").value(fd.Scorecard.empty("crag")), 2)
        149.85
        """
        state = self.state(card)
        mask, flag, lane = np.array([[state.mask], [state.flag], [state.upper]])
        return float(turn_values.values_at(self.table, mask, flag, lane, state.saved)[0]) - card.bonus_total

    def advise(
        self, card: Scorecard | Position, roll: AnyDice | None = None, rolls_left: int | None = None
    ) -> list[Advice]:
        """Return every keep (while there are rolls left) and every legal box, best first.

        Give a position with its dice; or a card, a roll and the number of rolls left. Raises `IllegalMove` for a turn
        that cannot be, and `IllegalCard` for a card of another book.

        >>> fd.solve("crag").advise(fd.read_position("crag - 0 466 1"))[0].keep
        Keep.parse('66')
        """
        here, rolled, left = parse_turn(card, roll, rolls_left)
        return rank_options(options(self.book, self.leaves(here, left), rolled, left))

    def box_values(self, card: Scorecard, rolls_left: int = 0) -> NDArray[np.float64]:
        """Return the further points of every roll in every box, as [rolls, boxes] in the order of the compiled book.

        >>> fd.solve("crag").box_values(fd.Scorecard.empty("crag")).shape
        (56, 13)
        """
        return turn_values.box_values(self.compiled, self.table, self.state(card), rolls_left) - card.bonus_total

    def leaves(self, card: Scorecard, rolls_left: int) -> NDArray[np.float64]:
        """Return the same for 0, 1, ... rolls left, as [levels, rolls, boxes]; one level where rolls are not saved.

        >>> fd.solve("crag").leaves(fd.Scorecard.empty("crag"), 1).shape
        (1, 56, 13)
        """
        return turn_values.leaves(self.compiled, self.table, self.state(card), rolls_left) - card.bonus_total

    def odds(
        self,
        card: Scorecard | None = None,
        roll: AnyDice | None = None,
        rolls_left: int | None = None,
        *,
        progress: Progress | None = None,
    ) -> Odds:
        """Return the distribution of the final total under this strategy, from a card or from a roll within a turn.

        `card` is the empty card by default. With a `roll`, `rolls_left` is how often dice may still be thrown in this
        turn, by default as often as after the first roll. Answers take milliseconds; early in the game they take
        seconds until `prepare` was called once for this book. `progress(done, total)` is called meanwhile.

        Raises `IllegalMove` for a turn that cannot be, `IllegalCard` for a card of another book, and `IllegalError` for
        a book that saves rolls.

        >>> round(fd.solve("crag").odds().at_least(150), 3)
        0.545
        """
        here = Scorecard.empty(self.book) if card is None else card
        one_table(self.table, self.book)  # raises for a book that saves rolls
        self.state(here)  # raises for a card of another book
        if roll is None and here.is_full:
            return _odds_of_full_card(here)
        left = self.book.rolls - 1 if rolls_left is None else rolls_left
        rolled = None if roll is None else Roll.read(roll)
        if rolled is not None:
            check_turn(here, rolled, left)
        elif rolls_left is not None:
            raise IllegalMove("solver.no-roll")
        rolls = None if rolled is None else certain_roll(self.compiled.lattice, rolled.faces)
        return _make_odds(here, self.finish(here, rolls, left, progress=progress))

    def finish(
        self,
        card: Scorecard,
        rolls: NDArray[np.float64] | None = None,
        rerolls: int = 0,
        *,
        progress: Progress | None = None,
    ) -> Finish:
        """Return how optimal play ends, in points from here on: from the start of a turn, or from the chances of all
        rolls.

        >>> round(float(fd.solve("crag").finish(fd.Scorecard.empty("crag")).chances[150]), 4)
        0.0156
        """
        name, state, table = self.book.fingerprint, self.state(card), one_table(self.table, self.book)
        work = partial(finish, name, self.compiled, table, state, rolls, rerolls, progress)
        if rolls is None and state == START:
            return first_turn_odds(name, self.compiled, work, progress)
        return work()

    def prepare(self, progress: Progress | None = None) -> None:
        """Work out and store the data with which `odds` answers quickly early in a game. Books that are too large are
        skipped.

        For 13 to 15 boxes this takes about ten seconds of two cores, a gigabyte of memory, and 300 to 500 MB of disk.
        """
        prepare(self.book.fingerprint, self.compiled, one_table(self.table, self.book), progress)

    @property
    def is_preparable(self) -> bool:
        """Return whether the book is small enough to be prepared; if not, only `quick_boxes` open boxes or fewer are
        quick.

        >>> fd.solve("yahtzee").is_preparable
        True
        """
        return layers_to_keep(self.compiled) is not None

    @property
    def quick_boxes(self) -> int:
        """Return the number of open boxes up to which odds are quick without preparation.

        >>> fd.solve("yahtzee").quick_boxes
        8
        """
        return quick_boxes(self.compiled)

    def is_prepared(self, card: Scorecard, *, read: bool = True) -> bool:
        """Return whether odds from a card, also within a turn, are quick; without `read`, only memory is checked.

        >>> late = fd.notation.read_card("1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50", "crag")
        >>> fd.solve("crag").is_prepared(late)
        True
        """
        if is_quick(self.compiled, self.state(card).mask):
            return True
        table = one_table(self.table, self.book)
        return known_endings(self.book.fingerprint, self.compiled, table, read=read) is not None


def _odds_of_full_card(card: Scorecard) -> Odds:
    """Return the odds of a full card, whose total is certain."""
    held = {box.key: float(points or 0) for box, points in zip(card.book.boxes, card.marks, strict=True)}
    bonus = card.book.bonus
    return Odds(
        {card.total: 1.0}, float(bonus is not None and card.upper_total >= bonus.threshold), held, float(card.bonuses)
    )


def _make_odds(card: Scorecard, end: Finish) -> Odds:
    book, order = card.book, compiled_book(card.book).order
    means = dict(zip(order, end.boxes.tolist(), strict=True))
    marks = enumerate(zip(book.boxes, card.marks, strict=True))
    return Odds(
        pmf=totals(end, card.total - card.bonus_total),
        upper_bonus=end.bonus,
        box_means={box.key: means[place] if points is None else float(points) for place, (box, points) in marks},
        extra_mean=card.bonuses + end.extras,
    )


def _sizes(compiled: CompiledBook) -> tuple[int, ...]:
    return tuple(places(compiled).sizes.tolist())


def _solve_layers(book: RuleBook, cache: bool, progress: Progress | None) -> tuple[Layer, ...]:
    compiled, name = compiled_book(book), book.fingerprint

    def work(keep: Callable[[int, Layer], Layer] | None) -> tuple[Layer, ...]:
        from fivedice.solver.values.saved_values import fill_layers  # imported late because it needs numba

        return fill_layers(compiled, progress, keep)

    if not cache:
        return work(None)
    return _layers.get(name, _sizes(compiled), lambda: work(partial(save_layer, name)), progress)


def _solve_values(compiled: CompiledBook, progress: Progress | None) -> NDArray[np.float64]:
    from fivedice.solver.values.kernel_inputs import fill  # imported late because it needs numba

    table = fill(compiled, progress)
    table.flags.writeable = False
    return table


Sight: TypeAlias = Literal["points", "par", "exact"]


@dataclass(frozen=True, eq=False)
class Outlook:
    """The worth of filling a box: its points, the card after it by `table`, the `bias` of the box, and saved rolls."""

    compiled: CompiledBook
    table: Values  # [masks, flags, lanes]; one mask if the filled boxes do not matter
    bias: NDArray[np.float64]  # [boxes]
    saved: float = 0.0  # the worth of a saved roll, where the table does not include it

    def box_values(self, state: State, rolls_left: int = 0) -> NDArray[np.float64]:
        """Return the worth of every roll in every box, as [rolls, boxes]; -inf where illegal."""
        found: NDArray[np.float64] = self.leaves(state, rolls_left)[-1]
        return found

    def leaves(self, state: State, rolls_left: int) -> NDArray[np.float64]:
        """Return the same for 0, 1, ... rolls left, as [levels, rolls, boxes]; one level where rolls are not saved."""
        table = self.table
        if isinstance(table, np.ndarray):
            table = np.broadcast_to(table, self.compiled.shape)
        found = turn_values.leaves(self.compiled, table, state, rolls_left) + self.bias
        return found + self.saved * np.arange(len(found))[:, None, None]


def outlook(book: RuleBook, sight: Sight, *, patient: bool = True, progress: Progress | None = None) -> Outlook:
    """Return the outlook of a player with this sight.

    Where an exact solution would take minutes, it is worked out only with `patient`; otherwise, and for books that
    cannot be solved, the outlook goes by par unless a solution is available.
    """
    if sight == "points":
        compiled = compiled_book(book)
        return Outlook(compiled, np.zeros((1, *compiled.shape[1:])), np.zeros(compiled.boxes))
    if sight == "exact" and estimate(book).answers is not Answers.NOTHING:
        solution = solve(book, progress=progress) if patient or not takes_long(book) else known(book)
        if solution is not None:
            return Outlook(solution.compiled, solution.table, np.zeros(solution.compiled.boxes))
    return _by_par(book)


@lru_cache(maxsize=32)
def _by_par(rules: RuleBook) -> Outlook:
    """Return the outlook in which an open box is worth its par, and every counted point its share of the bonus."""
    book = compiled_book(rules)
    counted = np.array([book.counted >> box & 1 for box in range(book.boxes)])
    most, bonus = book.plain.max(axis=0), book.final[0, book.reach]
    share = bonus * counted * most / max(1, int((counted * most).sum()))
    credit = np.minimum(bonus * np.arange(book.lanes) / max(1, book.reach), bonus)
    table, bias = np.tile(credit, (1, book.flags, 1)), -(_pars(book, book.rolls) + share)
    one_more = float((_pars(book, book.rolls + 1) - _pars(book, book.rolls)).mean()) if book.save_rolls else 0.0
    return Outlook(book, table, bias, one_more)


def _pars(book: CompiledBook, rolls: int) -> NDArray[np.float64]:
    """Return the mean of each box if a whole turn is spent on it, as [boxes]."""
    best = book.plain.astype(np.float64)
    for _ in range(rolls - 1):
        best = turn_values.best_rolls(book.lattice, turn_values.keep_values(book.lattice, best))
    return np.array([float(each @ book.lattice.weights) for each in best.T])
