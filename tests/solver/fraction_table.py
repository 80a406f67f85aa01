"""Several players in turn, all to win, in fractions: the independent answer for tiny books.

It plays the game as the engine does and shares no code with the solver. The player on turn takes the highest share of
their own; of equal ones the first, in the order of `fraction_solver.Turn.best`, which matters from three players on.
"""

from collections.abc import Iterator
from fractions import Fraction

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Scorecard
from solver.fraction_solver import keeps_inside, score_box, throws

Shares = tuple[Fraction, ...]


class Table:
    """Remembers every state that it has seen; seats play in turn."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Shares] = {}

    def shares(self, cards: tuple[Scorecard, ...], seat: int) -> Shares:
        """At the start of a turn; a full card is passed over."""
        if all(card.is_full for card in cards):
            return share_win([card.total for card in cards])
        while cards[seat].is_full:
            seat = (seat + 1) % len(cards)
        key = (cards, seat)
        if key not in self._known:
            self._known[key] = self.keep(cards, seat, Keep(()), cards[seat].book.rolls, {})
        return self._known[key]

    def keep(
        self, cards: tuple[Scorecard, ...], seat: int, keep: Keep, left: int, known: dict[object, Shares]
    ) -> Shares:
        """Throw the other dice, with `left` rolls left, this one included."""
        if (keep, left) not in known:
            falls = throws(cards[seat].book, keep)
            parts = [(chance, self.best(cards, seat, roll, left - 1, known)) for roll, chance in falls]
            known[keep, left] = tuple(
                sum((chance * part[place] for chance, part in parts), Fraction(0)) for place in range(len(cards))
            )
        return known[keep, left]

    def best(
        self, cards: tuple[Scorecard, ...], seat: int, roll: Roll, left: int, known: dict[object, Shares]
    ) -> Shares:
        if (roll, left, "best") not in known:
            found = max(self._choices(cards, seat, roll, left, known), key=lambda each: each[seat])
            known[roll, left, "best"] = found
        return known[roll, left, "best"]

    def _choices(
        self, cards: tuple[Scorecard, ...], seat: int, roll: Roll, left: int, known: dict[object, Shares]
    ) -> Iterator[Shares]:
        for box in cards[seat].options(roll):
            after = (*cards[:seat], score_box(cards[seat], box, roll), *cards[seat + 1 :])
            yield self.shares(after, (seat + 1) % len(cards))
        if left:
            for keep in keeps_inside(roll.faces)[1:]:
                yield self.keep(cards, seat, keep, left, known)


def share_win(totals: list[int]) -> Shares:
    best = max(totals)
    return tuple(Fraction(total == best, totals.count(best)) for total in totals)
