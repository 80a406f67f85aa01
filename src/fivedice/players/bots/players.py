"""The players of the levels, and one that only wants to reach a total.

Human-like levels play by rules of thumb, with the mistakes that people make. Every mistake changes how the boxes are
valued, and nothing is random: a player who forgets the bonus values every box without it, and then takes the option
that looks best. The other levels weigh all options. The champion plays to win: it plans every turn anew and is exact in
the last rounds.

The choice of a level depends only on its own card and dice, so that every game can be replayed even if others change
their cards, for example by taking a score back. Only the champion looks at all cards.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import exp, inf
from typing import TYPE_CHECKING, Protocol, TypeAlias

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position, Scorecard
from fivedice.core.notation import write_card
from fivedice.errors import IllegalError, IllegalMove
from fivedice.players.bots.levels import FIRST_PLAY, Habit, Level, Mood, find_level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fivedice.core.dice import Roll
    from fivedice.core.rules import RuleBook
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase
    from fivedice.solver.solution import Outlook


Choice: TypeAlias = Hold | Mark
Weighed: TypeAlias = list[tuple[Choice, float]]


class Bot(Protocol):
    """Any object with a method `choose` can play."""

    def choose(self, position: Position) -> Hold | Mark:
        """Return the dice to keep, as `Hold`, or the box to fill, as `Mark`.

        `position` has dice on the table; the choice must be legal in it.

        >>> class First:
        ...     def choose(self, position):
        ...         return next(choice for choice in position.choices() if isinstance(choice, fd.Mark))
        >>> fd.simulate("yatzy", 1, bot=First()).games
        1
        """
        ...


def player_of(level: Level, book: RuleBook, salt: str = "") -> Bot:
    """Return a bot of a level. To add a kind of player, add a sight and a line here."""
    if level.sight == "win":
        return Champion(LevelBot(find_level("perfect"), book, ""))
    return HumanLikeBot(level, book, salt) if level.sight == "thumb" else LevelBot(level, book, salt)


def has_values(book: RuleBook) -> bool:
    """Return whether the exact values of a book can be had within seconds, or are stored already."""
    from fivedice.solver.runtime.solve_limits import Answers, estimate, takes_long

    if estimate(book).answers is Answers.NOTHING:
        return False
    if not takes_long(book):
        return True
    from fivedice.solver.model.book_arrays import compiled_book
    from fivedice.solver.runtime.solution_files import has_table
    from fivedice.solver.solution import is_stored

    return is_stored(book) if book.save_rolls else has_table(book.fingerprint, compiled_book(book).shape)


@dataclass(frozen=True, eq=False, repr=False)
class LevelBot:
    """Weighs every option of a position by its level's sight, and picks one; with `blur`, not always the best."""

    level: Level
    book: RuleBook
    salt: str
    outlook: Outlook | None = None  # by default that of its level

    def __repr__(self) -> str:
        return f"<Player {self.level.name!r} of {self.book.key!r}>"

    def choose(self, position: Position) -> Choice:
        """Return the dice to keep, or the box to fill."""
        options = self.weigh(position)
        if self.level.blur == 0:
            return pick_first_best(options)
        turn = f"{position.book.key} {write_card(position.card)} {position.seat} {position.dice} {position.rolls_left}"
        return _pick(options, self.level.blur, unit_number(f"{self.salt}/{self.level.name}/{turn}"))

    def weigh(self, position: Position) -> Weighed:
        """Return every choice of the position with its worth to this level.

        Raises `IllegalMove` before the roll, or for another book.
        """
        roll = position.roll
        if roll is None:
            raise IllegalMove("bots.dice-not-rolled")
        if position.book != self.book:
            raise IllegalMove("bots.other-book", own=self.book, book=position.book)
        if self.level.blur == inf:
            return [(choice, 0.0) for choice in position.choices()]
        return self._mind.weigh(position.card, roll, position.rolls_left)

    @cached_property
    def _mind(self) -> Mind:
        return Mind(self.book, self.outlook or _outlook(self.level, self.book))


def _outlook(level: Level, book: RuleBook) -> Outlook:
    """Return the outlook of a level; levels of the first play go by par where the values are not available."""
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known, outlook  # imported late because it needs numpy, perhaps the solver

    if level.sight in {"points", "par"}:
        return outlook(book, "points" if level.sight == "points" else "par")
    if level.sight == "exact" and (not has_values(book) or (takes_long(book) and known(book) is None)):
        raise IllegalError("bots.no-perfect", rules=book)  # perfect play never falls back to par
    return outlook(book, "exact", patient=False)


_USEFUL = 3  # saved rolls that a later turn can use, roughly; after the last turn they are worth nothing


@dataclass(frozen=True, eq=False)
class Mind:
    """An outlook, asked about cards and rolls instead of arrays."""

    book: RuleBook
    outlook: Outlook

    def weigh(self, card: Scorecard, roll: Roll, rolls_left: int) -> Weighed:
        """Return every legal box and, while there are rolls left, every keep, each with its worth."""
        from fivedice.solver.solution import options, state_of

        values, useful = self.outlook.leaves(state_of(card), rolls_left), _USEFUL * (card.marks.count(None) - 1)
        for left in range(useful + 1, len(values)):
            values[left] -= (left - useful) * self.outlook.saved
        return [(choice(keep, box), value) for keep, box, value in options(self.book, values, roll, rolls_left)]


def choice(keep: Keep | None, box: str | None) -> Choice:
    """Return a keep or a box as a move."""
    return Mark(str(box)) if keep is None else Hold(keep)


def pick_first_best(options: Weighed) -> Choice:
    """Return the first of the equally good options, so that rounding on this machine does not matter."""
    from fivedice.solver.solution import TIE

    best = max(worth for _, worth in options)
    return next(option for option, worth in options if best - worth <= TIE)


def _pick(options: Weighed, blur: float, unit: float) -> Choice:
    """Return a random option, better ones more likely; `unit` is the random number, from 0 up to 1."""
    best = max(worth for _, worth in options)
    weights = list(accumulate(exp((worth - best) / blur) for _, worth in options))
    return options[min(bisect(weights, unit * weights[-1]), len(options) - 1)][0]


_NEAR = 6  # open boxes up to which a chase takes only a moment


@dataclass(frozen=True, eq=False)
class Chaser:
    """Takes the best chance of the target and, of equal chances, the highest mean.

    Without a finished chase, its first choice early in a game works one out from there. That takes some seconds to half
    a minute and up to a gigabyte of memory.
    """

    book: RuleBook
    target: int
    hunt: Chase | None
    _chases: list[Chase] = field(default_factory=list)  # the one that it has worked out itself

    def choose(self, position: Position) -> Hold | Mark:
        """Return the move that leaves the best chance."""
        weighed = LevelBot(find_level("perfect", FIRST_PLAY), self.book, "").weigh(position)
        roll = position.roll
        if roll is None:
            raise IllegalMove("bots.dice-not-rolled")
        advice = self._find_chase(position.card).advise(position.card, roll, position.rolls_left, self.target)
        best = {choice(each.keep, each.box) for each in advice if each.best}
        return pick_first_best([option for option in weighed if option[0] in best])

    def _find_chase(self, card: Scorecard) -> Chase:
        if self.hunt is not None:
            return self.hunt
        if card.marks.count(None) <= _NEAR:
            return _cached_chase_from(card, self.target)
        if not any(known.covers(card) for known in self._chases):
            self._chases[:] = [_chase_from(card, self.target)]  # another game: the last chase is not needed again
        return self._chases[0]


def _chase_from(card: Scorecard, target: int) -> Chase:
    from fivedice.solver.chase import chase

    return chase(card.book, card=card, least=target, most=target)


_cached_chase_from = lru_cache(maxsize=64)(_chase_from)  # near the end: a turn needs it several times


@dataclass(frozen=True, eq=False, repr=False)
class HumanLikeBot:
    """Makes the same choice in the same position; another salt gives it other turns for its mistakes."""

    level: Level
    book: RuleBook
    salt: str = ""

    def __repr__(self) -> str:
        return f"<Person {self.level.name!r} of {self.book.key!r}>"

    def choose(self, position: Position) -> Choice:
        """Return the dice to keep, or the box to fill."""
        return self.choose_in(self.mood(position), position)

    def choose_in(self, mood: Mood, position: Position) -> Choice:
        """Return the choice that these mistakes lead to. Raises `IllegalMove` before the roll, or for another book."""
        roll = position.roll
        if roll is None:
            raise IllegalMove("bots.dice-not-rolled")
        if position.book != self.book:
            raise IllegalMove("bots.other-book", own=self.book, book=position.book)
        from fivedice.players.bots import heuristics  # imported late because it needs numpy

        keep = heuristics.choose_keep(mood, position.card, roll, position.rolls_left)
        return Mark(heuristics.choose_box(mood, position.card, roll)) if keep is None else Hold(keep)

    def mood(self, position: Position) -> Mood:
        """Return the mistakes of this turn; they stay the same from its first roll to its last."""
        turn = f"{self.salt}/{self.level.name}/{self.book.key} {write_card(position.card)} {position.seat}"
        made = {habit for habit, share in self.level.habits if unit_number(f"{habit}/{turn}") < share}
        missed = self.level.share(Habit.OVERLOOKS)
        if not missed:
            return Mood(frozenset(made))
        from fivedice.players.bots.heuristics import thumb

        hidden = thumb(self.book).hidden
        unseen = [number for number, key in hidden if unit_number(f"{Habit.OVERLOOKS}/{key}/{turn}") < missed]
        return Mood(frozenset(made) - {Habit.OVERLOOKS}, tuple(unseen))


def unit_number(text: str) -> float:
    """Return a number from 0 up to 1 that depends only on the text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big") / 2**48


MOST_DUEL = 900_000  # lanes of an exact ending: a fifth of a second on two cores
MOST_PLAN = 800_000  # lanes of a plan to the end


@dataclass(frozen=True, eq=False)
class Champion:
    """Takes the best share of the win and, of equal shares, the highest mean. Alone it plays for the mean."""

    points: LevelBot  # perfect play for points

    def choose(self, position: Position) -> Choice:
        """Return the dice to keep, or the box to fill."""
        weighed = self.points.weigh(position)
        best = self._best(position)
        return pick_first_best(weighed if best is None else [each for each in weighed if each[0] in best])

    def _best(self, position: Position) -> set[Choice] | None:
        from fivedice.solver.solution import TIE
        from fivedice.solver.win.turn_answers import evaluate_turn

        if len(position.seats_in) < 2:
            return None
        values = turn_to_win(position)
        if values is None:
            return None
        share, options = evaluate_turn(position, values)
        return {choice(keep, box) for keep, box, value in options if share - value <= TIE}


def turn_to_win(position: Position) -> NDArray[np.float64] | None:
    """Return the share of the win after every roll in every box, as [rolls, boxes]; None where odds take too long."""
    return _turn(position.cards, position.seats_in, position.seat)


@lru_cache(maxsize=64)  # every decision of a turn needs the same values
def _turn(cards: tuple[Scorecard, ...], seats: tuple[int, ...], seat: int) -> NDArray[np.float64] | None:
    from fivedice.solver.solution import solve
    from fivedice.solver.win.turn_answers import WorkLimits, answer_turn

    book = cards[seat].book
    out = frozenset(range(len(cards))) - set(seats)
    position = Position(cards, seat, Keep(()), book.rolls, out=out)
    solution = solve(book)
    if not has_odds(position, solution):
        return None
    return answer_turn(position, lambda: solution, WorkLimits(MOST_DUEL, MOST_PLAN)).values


def has_odds(position: Position, solution: Solution) -> bool:
    """Return whether the odds of all cards can be had in time, perhaps after preparing the book once."""
    return solution.is_preparable or all(
        position.cards[seat].marks.count(None) <= solution.quick_boxes for seat in position.seats_in
    )
