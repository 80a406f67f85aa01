"""Who starts: a roll-off where the book has one, else a fair draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from fivedice.dice import DiceSource, Place, Roll
from fivedice.errors import IllegalMove
from fivedice.rules import RuleBook, Start

Seats: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[tuple[int, Roll], ...]  # seats with what they threw


@dataclass(frozen=True, slots=True)
class RollOff:
    """Each seat throws all dice once; the highest total starts, and ties throw again among themselves."""

    book: RuleBook
    seats: int
    throws: tuple[Roll, ...] = ()

    def __post_init__(self) -> None:
        if self.seats < 1:
            raise IllegalMove("game.roll-off-seats", seats=self.seats)

    @classmethod
    def of(cls, book: RuleBook, seats: int, throws: Iterable[Roll]) -> RollOff:
        """All throws at once, checked as one after the other would be: that takes the square of their number."""
        roll_off = cls(book, seats, tuple(throws))
        if any(len(contenders) == 1 for contenders, _ in roll_off._played()):
            raise IllegalMove("game.roll-off-over")
        for roll in roll_off.throws:
            book.check_roll(roll)
        return roll_off

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The throws as (seat, roll), a group for each round; the last round may be unfinished."""
        return tuple(group for _, group in self._played())

    @property
    def next_seat(self) -> int | None:
        """Who throws next; None once the start is settled."""
        contenders, thrown = self._standing()
        if len(thrown) == len(contenders):
            contenders, thrown = _leaders(thrown), ()
        return None if len(contenders) == 1 else contenders[len(thrown)]

    @property
    def winner(self) -> int | None:
        """The seat that starts, once it is settled."""
        if self.next_seat is not None:
            return None
        return _leaders(self._standing()[1])[0] if self.throws else 0

    def throw(self, roll: Roll) -> RollOff:
        if self.next_seat is None:
            raise IllegalMove("game.roll-off-over")
        self.book.check_roll(roll)
        return replace(self, throws=(*self.throws, roll))

    def _standing(self) -> tuple[Seats, Round]:
        """The contenders of the last round and what they have thrown in it."""
        *_, last = ((tuple(range(self.seats)), ()), *self._played())
        return last

    def _played(self) -> Iterator[tuple[Seats, Round]]:
        """Each round with its contenders, of whom only the first may have thrown so far."""
        contenders, place = tuple(range(self.seats)), 0
        while place < len(self.throws):
            following = place + len(contenders)
            group = tuple(zip(contenders, self.throws[place:following], strict=False))
            yield contenders, group
            contenders, place = _leaders(group), following


def settle_start(book: RuleBook, seats: int, dice: DiceSource) -> tuple[int, RollOff | None]:
    """Let the dice decide the first seat in the book's way. Real and scripted dice leave it with the first seat."""
    if seats == 1 or not dice.decides_start:
        return 0, None
    if book.start is Start.DRAW:
        return dice.throw(Place(turn=0, roll=1, throw=0), 1, seats)[0] - 1, None
    throws: list[Roll] = []
    contenders: Seats = tuple(range(seats))
    while len(contenders) > 1:
        places = [Place(0, number + 1, number) for number in range(len(throws), len(throws) + len(contenders))]
        thrown = [Roll(dice.throw(place, book.dice, book.faces)) for place in places]
        throws += thrown
        contenders = _leaders(tuple(zip(contenders, thrown, strict=True)))
    return contenders[0], RollOff(book, seats, tuple(throws))


def _leaders(group: Round) -> Seats:
    best = max(roll.total for _, roll in group)
    return tuple(seat for seat, roll in group if roll.total == best)
