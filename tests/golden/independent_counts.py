"""Counts and highest scores, worked out without the engine.

The cards are those of the second reading, and every move comes from its `options`. A card is summed up by
what can still matter later:

* which boxes are filled (a bit for each box, in the order of the sheet),
* the upper total, capped where the upper bonus is earned, because no more can be had from it,
* in the books that pay an extra hundred, whether the five-of-a-kind box holds 50. While the box is open or
  holds 0 this is "no", so that the box has three conditions in all: open, 0 and 50.

How the published numbers of such cards come about: an upper half (which of its six boxes are filled, capped
total) can be had in 2,794 ways. A 13-box book has six more boxes that are open or filled, and the
five-of-a-kind box with its three conditions: 2,794 x 2^6 x 3 = 536,448. Yatzy has nine lower boxes that are
open or filled: 2,794 x 2^9 = 1,430,528. Both numbers take in the empty card and also the full cards, from
which no turn starts any more: 64 upper totals, with the box at 0 or 50 (128 cards) or without that
distinction (64 cards). `finished_cards` gives these, for counts without them.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import NamedTuple

from exhaustive.second_reading import BOXES, DICE, EXTRA, options, totals

Dice = tuple[int, ...]

ROLLS: tuple[Dice, ...] = tuple(combinations_with_replacement(range(1, 7), 5))
PLACES = {book: {box: place for place, box in enumerate(sheet)} for book, sheet in BOXES.items()}
FURTHER_BOOKS = ("kniffel", "kismet", "yacht", "crag", "maxi-yatzy")
MAIN_BOOKS = ("yardzee", "yahtzee", "yatzy", "yahtzee-classic", *FURTHER_BOOKS)
EXTRA_BOOKS = ("yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice", "kniffel")
CAPS = {"maxi-yatzy": 84, "maxi-yatzy-plain": 84, "kismet": 78, "yacht": 0, "crag": 0}  # 63 in the others


# Dice.


@cache
def rolls_of(book: str) -> tuple[Dice, ...]:
    return tuple(combinations_with_replacement(range(1, 7), DICE.get(book, 5)))


def all_alike(book: str) -> tuple[Dice, ...]:
    return tuple((face,) * DICE.get(book, 5) for face in (6, 5, 4, 3, 2, 1))


def keeps() -> int:
    """Multisets of no die up to all five."""
    return sum(1 for number in range(6) for _ in combinations_with_replacement(range(1, 7), number))


def keeps_of(roll: Dice) -> int:
    """Different multisets that can be kept of a roll: of each face, from none to all of its dice."""
    product = 1
    for face in range(1, 7):
        product *= roll.count(face) + 1
    return product


def roll_keep_pairs() -> int:
    """Keeping all five is counted here, although it is stopping and not a re-roll."""
    return sum(keeps_of(roll) for roll in ROLLS)


# Cards counted by arithmetic: the two halves of the card do not limit each other.


def capped_upper_totals(boxes: int, dice: int, cap: int) -> set[int]:
    """Capped totals that the filled upper boxes (bits of `boxes`) can have, with that many dice."""
    reached = {0}
    for face in range(1, 7):
        if boxes >> (face - 1) & 1:
            reached = {min(cap, total + face * times) for total in reached for times in range(dice + 1)}
    return reached


def upper_halves(dice: int, cap: int) -> int:
    return sum(len(capped_upper_totals(boxes, dice, cap)) for boxes in range(64))


def cards(book: str) -> int:
    """All cards that can come up in a book, the empty one and the full ones included."""
    if book in ("yacht", "crag"):
        return 2 ** len(BOXES[book])  # nothing but the open boxes matters
    if book == "kismet":
        return upper_halves(5, 78) * 2**9
    if book == "maxi-yatzy":
        return cards_with_saved_rolls()
    if book == "maxi-yatzy-plain":
        return upper_halves(6, 84) * 2**14
    if book == "yatzy":
        return upper_halves(5, 63) * 2**9
    if book == "yatzy-forced":
        # Only beginnings of the sheet come up; the nine lower boxes leave the upper total as it is.
        upper = [len(capped_upper_totals((1 << filled) - 1, 5, 63)) for filled in range(7)]
        return sum(upper) + 9 * upper[6]
    if book == "yahtzee-plain":
        return upper_halves(5, 63) * 2**7
    return upper_halves(5, 63) * 2**6 * 3


def cards_with_saved_rolls() -> int:
    """Cards of Maxi Yatzy together with the rolls saved so far: each turn saves up to two, so 0 to twice the turns.

    Any dice can come with any number of rolls, so every card is met with each of these. On a full card nothing is left
    to use them for.
    """
    count = 0
    for upper in range(64):
        for lower in range(15):  # how many of the fourteen lower boxes are filled
            turns = upper.bit_count() + lower
            saved = 1 if turns == 20 else 2 * turns + 1
            count += len(capped_upper_totals(upper, 6, 84)) * comb(14, lower) * saved
    return count


def finished_cards(book: str) -> int:
    """The full cards among them."""
    if book in ("maxi-yatzy", "maxi-yatzy-plain"):
        return len(capped_upper_totals(63, 6, 84))
    if book in CAPS:
        return len(capped_upper_totals(63, 5, CAPS[book]))
    return len(capped_upper_totals(63, 5, 63)) * (2 if book in EXTRA_BOOKS else 1)


# The moves of a card. Its upper scores do not matter here, so the upper total is left out.


class Move(NamedTuple):
    """One box filled with one roll; `fifty` is whether the five-of-a-kind box counts as holding 50 after."""

    box: int
    points: int
    extra: int
    fifty: bool
    roll: Dice


def card_of(book: str, filled: int, fifty: bool) -> dict[str, int]:
    card = {box: 0 for place, box in enumerate(BOXES[book]) if filled >> place & 1}
    if fifty:
        card["five_of_a_kind"] = 50
    return card


def moves_with(book: str, filled: int, fifty: bool, rolls: Iterable[Dice]) -> Iterator[Move]:
    card = card_of(book, filled, fifty)
    place = PLACES[book]
    pays = book in EXTRA_BOOKS
    for roll in rolls:
        for box, (points, extra) in options(book, card, roll).items():
            now = fifty or (pays and box == "five_of_a_kind" and points == 50)
            yield Move(place[box], points, extra, now, roll)


@cache
def ordinary_moves(book: str) -> tuple[Move, ...]:
    """All moves with rolls that are not five alike, on an empty card.

    Such a roll goes in any open box for a value that depends on nothing else, so these serve for every card
    of the books without a fixed order; only five alike has to be asked about card by card.
    """
    return tuple(moves_with(book, 0, False, [roll for roll in rolls_of(book) if roll[0] != roll[-1]]))


@cache
def ordinary_steps(book: str) -> frozenset[tuple[int, int, bool]]:
    return frozenset(step(move) for move in ordinary_moves(book))


def step(move: Move) -> tuple[int, int, bool]:
    """Return the changes of a move on a summed-up card: box, upper points, the 50."""
    return move.box, move.points if move.box < 6 else 0, move.fifty


def steps(book: str, filled: int, fifty: bool) -> set[tuple[int, int, bool]]:
    """The changes that some roll allows on a card."""
    found = {(box, up, fifty or now) for box, up, now in ordinary_steps(book) if not filled >> box & 1}
    found.update(step(move) for move in moves_with(book, filled, fifty, all_alike(book)))
    return found


# Cards counted by playing: everything that legal moves lead to from the empty card.


def cap_bits(reached: int, cap: int) -> int:
    """Totals as bits of a number; all those above the cap fall on the cap."""
    below = reached & ((1 << cap) - 1)
    return below | (1 << cap if reached >> cap else 0)


def cards_by_playing(book: str) -> int:
    """Books without a fixed order or saved rolls; slower than `cards`, but it trusts the rules alone."""
    everything = 1 << len(BOXES[book])
    reached: dict[tuple[int, bool], int] = {(0, False): 1}
    # A move only adds a box, so going through the sets of boxes as numbers meets each one complete.
    for filled in range(everything):
        for fifty in (False, True):
            here = reached.get((filled, fifty), 0)
            for box, up, now in steps(book, filled, fifty) if here else ():
                after = (filled | 1 << box, now)
                reached[after] = reached.get(after, 0) | cap_bits(here << up, CAPS.get(book, 63))
    return sum(bits.bit_count() for bits in reached.values())


# The highest total of a book, and one game that has it.


def keep_better(best: dict[tuple[int, int, bool], Move], move: Move) -> None:
    """Of moves that differ only in the points, keep the one with the most.

    A higher upper total never hurts: what may be played later does not depend on it, and the bonus can only
    come nearer.
    """
    kind = (move.box, move.extra, move.fifty)
    if kind not in best or move.points > best[kind].points:
        best[kind] = move


@cache
def best_ordinary_moves(book: str) -> tuple[Move, ...]:
    best: dict[tuple[int, int, bool], Move] = {}
    for move in ordinary_moves(book):
        keep_better(best, move)
    return tuple(best.values())


@cache
def best_moves(book: str, filled: int, fifty: bool) -> tuple[Move, ...]:
    best: dict[tuple[int, int, bool], Move] = {}
    for move in best_ordinary_moves(book):
        if not filled >> move.box & 1:
            keep_better(best, move._replace(fifty=fifty or move.fifty))
    for move in moves_with(book, filled, fifty, all_alike(book)):
        keep_better(best, move)
    return tuple(best.values())


@cache
def most_to_come(book: str, filled: int, upper: int, fifty: bool) -> tuple[int, Move | None]:
    """The most that can still be added to the grand total, with the move that begins it."""
    if filled == (1 << len(BOXES[book])) - 1:
        return totals(book, {"sixes": upper}, 0)[1], None
    most: tuple[int, Move | None] = (-1, None)
    for move in best_moves(book, filled, fifty):
        after = min(63, upper + step(move)[1])
        later, _ = most_to_come(book, filled | 1 << move.box, after, move.fifty)
        if move.points + move.extra + later > most[0]:
            most = (move.points + move.extra + later, move)
    return most


def highest(book: str) -> int:
    return replayed_total(book, highest_game(book))


@cache
def highest_game(book: str) -> list[tuple[str, str, int, int]]:
    """One game with the highest total: roll, box, points and extra bonus of each turn, in playing order."""
    if book in FURTHER_BOOKS and book not in EXTRA_BOOKS:
        return best_of_every_box(book)
    turns: list[tuple[str, str, int, int]] = []
    filled, upper, fifty = 0, 0, False
    while (move := most_to_come(book, filled, upper, fifty)[1]) is not None:
        turns.append(("".join(map(str, move.roll)), BOXES[book][move.box], move.points, move.extra))
        filled, upper, fifty = filled | 1 << move.box, min(63, upper + step(move)[1]), move.fifty
    return turns


def best_of_every_box(book: str) -> list[tuple[str, str, int, int]]:
    """The same where no box changes what another is worth: the best roll for each, in the order of the sheet."""
    turns = []
    for box in BOXES[book]:
        points, roll = max((options(book, {}, roll)[box][0], roll) for roll in rolls_of(book))
        turns.append(("".join(map(str, roll)), box, points, 0))
    return turns


def replayed_total(book: str, turns: list[tuple[str, str, int, int]]) -> int:
    """The grand total of a game, asking the rules about every turn of it."""
    card: dict[str, int] = {}
    paid = 0
    for roll, box, points, extra in turns:
        if options(book, card, tuple(map(int, roll)))[box] != (points, extra):
            wrong = f"{roll} in {box} is not worth {points} and {extra} here"
            raise ValueError(wrong)
        card[box] = points
        paid += extra // EXTRA.get(book, 100)
    if len(card) != len(BOXES[book]):
        raise ValueError("the card is not full")
    return totals(book, card, paid)[3]


# The two data files in this folder.


def counts_document() -> dict[str, object]:
    return {
        "rolls": len(ROLLS),
        "keeps": keeps(),
        "roll_keep_pairs": roll_keep_pairs(),
        "turn_start_states": {book: cards(book) for book in BOXES},
        "of_which_finished": {book: finished_cards(book) for book in BOXES},
    }


def highest_document(books: Iterable[str] = MAIN_BOOKS) -> dict[str, object]:
    document: dict[str, object] = {}
    for book in books:
        turns = [
            {"roll": roll, "box": box, "points": points, "extra": extra}
            for roll, box, points, extra in highest_game(book)
        ]
        document[book] = {"total": highest(book), "turns": turns}
    return document


def main() -> None:
    here = Path(__file__).parent
    for name, document in (("counts", counts_document()), ("highest", highest_document())):
        (here / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
