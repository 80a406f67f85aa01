"""Who starts: a roll-off where the book has one, else a fair draw."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fivedice.dice import DiceSource, Place, Roll
from fivedice.errors import IllegalMove
from fivedice.rules import RuleBook, Start


@dataclass(frozen=True, slots=True)
class RollOff:
    """Each seat throws all dice once; the highest total starts, and ties throw again among themselves."""

    book: RuleBook
    seats: int
    throws: tuple[Roll, ...] = ()

    def __post_init__(self) -> None:
        if self.seats < 1:
            raise IllegalMove("game.roll-off-seats", seats=self.seats)

    @property
    def rounds(self) -> tuple[tuple[tuple[int, Roll], ...], ...]:
        """The throws as (seat, roll), a group for each round; the last round may be unfinished."""
        done, contenders, left = [], tuple(range(self.seats)), self.throws
        while left:
            group = tuple(zip(contenders, left, strict=False))
            done.append(group)
            contenders, left = _leaders(group), left[len(contenders) :]
        return tuple(done)

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

    def _standing(self) -> tuple[tuple[int, ...], tuple[tuple[int, Roll], ...]]:
        """The contenders of the last round and what they have thrown in it."""
        rounds = self.rounds
        if not rounds:
            return tuple(range(self.seats)), ()
        contenders = tuple(range(self.seats)) if len(rounds) == 1 else _leaders(rounds[-2])
        return contenders, rounds[-1]


def settle_start(book: RuleBook, seats: int, dice: DiceSource) -> tuple[int, RollOff | None]:
    """Let the dice decide the first seat in the book's way. Real and scripted dice leave it with the first seat."""
    if seats == 1 or not dice.decides_start:
        return 0, None
    if book.start is Start.DRAW:
        return dice.throw(Place(turn=0, roll=1, throw=0), 1, seats)[0] - 1, None
    roll_off = RollOff(book, seats)
    while roll_off.next_seat is not None:
        number = len(roll_off.throws)
        place = Place(turn=0, roll=number + 1, throw=number)
        roll_off = roll_off.throw(Roll(dice.throw(place, book.dice, book.faces)))
    return roll_off.winner or 0, roll_off


def _leaders(group: tuple[tuple[int, Roll], ...]) -> tuple[int, ...]:
    best = max(roll.total for _, roll in group)
    return tuple(seat for seat, roll in group if roll.total == best)
