"""Bots that play as people do: by rules of thumb, with the mistakes that people make.

Every mistake changes how the boxes are valued, and nothing is random: a player who forgets the bonus values every box
without it, and then takes the option that looks best.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias

from fivedice.core.game import Hold, Mark, Position
from fivedice.core.notation import write_card
from fivedice.errors import IllegalMove
from fivedice.players.bots.levels import Habit, Level, Mood

if TYPE_CHECKING:
    from fivedice.core.rules import RuleBook

Choice: TypeAlias = Hold | Mark


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
