"""A slow solver in fractions, for tiny books: the independent answer that the fast one is checked against.

It plays the game as the engine does, through `Scorecard.options`, and shares no code with the kernels, the compiled
book or the lattice. All that it asks of a finished card is its total, so one search serves two aims: the highest
mean, and the best chance of reaching a target.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from fivedice.core.dice import Keep, Roll, rolls, ways
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook

Aim: TypeAlias = Callable[[int], Fraction]  # what a final total is worth
Choice: TypeAlias = Keep | str  # a keep, or the key of a box


class Search:
    """Expectimax towards one aim; remembers every card and every point of a turn that it has seen."""

    def __init__(self, book: RuleBook, aim: Aim, *, additive: bool) -> None:
        self.book = book
        self.aim = aim
        self._additive = additive  # points already scored only add to the worth, so fewer facts distinguish cards
        self._cards: dict[tuple[object, ...], Fraction] = {}

    def worth(self, card: Scorecard) -> Fraction:
        """Of a card at the start of a turn; where additive, beyond the worth of its points."""
        if card.is_full:
            return self._settled(card, card)
        key = self._key(card)
        if key not in self._cards:
            turn = Turn(self, card)
            self._cards[key] = turn.keep(Keep(()), self.book.rolls + card.saved)
        return self._cards[key]

    def after(self, card: Scorecard, box: str, roll: Roll, left: int = 0) -> Fraction:
        filled = score_box(card, box, roll, left)
        gained = self._settled(filled, card) if self._additive else Fraction(0)
        return gained + self.worth(filled)

    def _settled(self, card: Scorecard, since: Scorecard) -> Fraction:
        return self.aim(card.total) - (self.aim(since.total) if self._additive else 0)

    def _key(self, card: Scorecard) -> tuple[object, ...]:
        totals = tuple(card.counted(card.book.bonus_mask(bonus)) for bonus in card.book.bonuses)
        kept = (card.filled, totals, card.alike_scored, card.bonuses, card.saved)
        return kept if self._additive else (*kept, card.total)


class Turn:
    """All that can happen in one turn on one card."""

    def __init__(self, search: Search, card: Scorecard) -> None:
        self._search = search
        self._card = card
        self._keeps: dict[tuple[Keep, int], Fraction] = {}
        self._best: dict[tuple[Roll, int], tuple[Fraction, Choice]] = {}
        self._boxes: dict[tuple[Roll, int], tuple[Fraction, Choice]] = {}

    def keep(self, keep: Keep, left: int) -> Fraction:
        """Throw the other dice, with `left` rolls left, this one included."""
        key = keep, left
        if key not in self._keeps:
            thrown = throws(self._search.book, keep)
            self._keeps[key] = sum((chance * self.best(roll, left - 1)[0] for roll, chance in thrown), Fraction(0))
        return self._keeps[key]

    def best(self, roll: Roll, left: int) -> tuple[Fraction, Choice]:
        """The best worth and the choice that gives it; of equal ones the first: boxes as on the sheet, then keeps.

        These in the order in which one comes upon them by putting dice back one at a time, the lowest face first.
        """
        key = roll, left
        if key not in self._best:
            self._best[key] = max(self._choices(roll, left), key=lambda choice: choice[0])
        return self._best[key]

    def _choices(self, roll: Roll, left: int) -> Iterator[tuple[Fraction, Choice]]:
        yield self._best_box(roll, left if self._search.book.save_rolls else 0)
        if left:
            for keep in keeps_inside(roll.faces)[1:]:
                yield self.keep(keep, left), keep

    def _best_box(self, roll: Roll, left: int) -> tuple[Fraction, Choice]:
        key = roll, left
        if key not in self._boxes:
            boxes = self._card.options(roll)
            worths = ((self._search.after(self._card, box, roll, left), box) for box in boxes)
            self._boxes[key] = max(worths, key=lambda choice: choice[0])
        return self._boxes[key]


def value(card: Scorecard) -> Fraction:
    """Expected further points of optimal play."""
    return _for_points(card.book).worth(card)


def chance(card: Scorecard, target: int) -> Fraction:
    """The best chance of a final total of `target` or more."""
    return Search(card.book, lambda total: Fraction(total >= target), additive=False).worth(card)


def distribution(card: Scorecard) -> dict[int, Fraction]:
    """Final totals and their chances when the mean is played for; ties go to the first choice, as in `Turn.best`."""
    known: dict[Scorecard, dict[int, Fraction]] = {}
    return _distribution(_for_points(card.book), card, known)


@lru_cache(maxsize=4096)
def throws(book: RuleBook, keep: Keep) -> list[tuple[Roll, Fraction]]:
    """Return the possible rolls after throwing all dice but `keep`."""
    count = book.dice - len(keep)
    if count == 0:
        return [(Roll(keep.faces), Fraction(1))]
    every = rolls(count, book.faces)
    return [(Roll(keep.faces + thrown.faces), Fraction(ways(thrown), book.faces**count)) for thrown in every]


@lru_cache(maxsize=4096)
def keeps_inside(faces: tuple[int, ...]) -> tuple[Keep, ...]:
    """All keeps inside these dice, themselves first."""
    places = (faces.index(face) for face in sorted(set(faces)))
    fewer = (keeps_inside(faces[:place] + faces[place + 1 :]) for place in places)
    return tuple(dict.fromkeys([Keep(faces), *(keep for keeps in fewer for keep in keeps)]))


def score_box(card: Scorecard, box: str, roll: Roll, left: int = 0) -> Scorecard:
    """Return the card after scoring the roll with that many rolls left."""
    entry = card.options(roll)[box]
    return card.write(card.book.index[box], entry.points, bonus=entry.bonus, saved=left)


def _for_points(book: RuleBook) -> Search:
    return Search(book, Fraction, additive=True)


def _distribution(search: Search, card: Scorecard, known: dict[Scorecard, dict[int, Fraction]]) -> dict[int, Fraction]:
    if card.is_full:
        return {card.total: Fraction(1)}
    if card not in known:
        totals: dict[int, Fraction] = defaultdict(Fraction)
        for filled, probability in _outcomes(search, card).items():
            for total, part in _distribution(search, filled, known).items():
                totals[total] += probability * part
        known[card] = dict(totals)
    return known[card]


def _outcomes(search: Search, card: Scorecard) -> dict[Scorecard, Fraction]:
    """The cards that optimal play may leave after this turn: chances pushed forward from throw to throw."""
    turn = Turn(search, card)
    held: dict[Keep, Fraction] = {Keep(()): Fraction(1)}
    cards: dict[Scorecard, Fraction] = defaultdict(Fraction)
    for left in range(search.book.rolls + card.saved - 1, -1, -1):
        after: dict[Keep, Fraction] = defaultdict(Fraction)
        for keep, probability in held.items():
            for roll, part in throws(search.book, keep):
                choice = turn.best(roll, left)[1]
                if isinstance(choice, Keep):
                    after[choice] += probability * part
                else:
                    cards[score_box(card, choice, roll, left)] += probability * part
        held = after
    return cards
