"""The solver's arrays agree with the engine's rulings."""

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, book, load_book
from fivedice.solver.model.book_arrays import CompiledBook, State, compiled_book
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.values import turn_values
from fivedice.solver.values.kernel_inputs import game_arrays
from fivedice.solver.values.value_kernels import ScoreArrays, decide
from for_each import for_each
from long import LONG, few
from solver.tiny_books import Make, newer_book, random_book

ONCE = 'format = 1\nextends = "yahtzee-classic"\n[alike]\nrepeat = false\n'
BOOKS = ["yahtzee", "yahtzee-classic", "yardzee", "yahtzee-free-choice", "yahtzee-plain", ONCE]
SOME = 500  # of 8,192; campaign `exhaustive` looks at all of them
_MOST_PAID = 4


@for_each("name", BOOKS)
def test_every_card_of_a_book_agrees(name: str) -> None:
    """All masks, flags and faces; the places beyond the policy's box do not care what they hold."""
    rules = load_book(name) if name is ONCE else book(name)
    masks = range(1 << len(rules.boxes))
    _compare(rules, masks if LONG else Random(name).sample(masks, SOME))


@for_each("name", ["yatzy", "yatzy-forced", "maxi-yatzy"])
def test_sampled_cards_of_large_books_agree(name: str) -> None:
    rules = book(name)
    _compare(rules, Random(name).sample(range(1 << len(rules.boxes)), 500))


@for_each("make", [random_book, newer_book])
@for_each("seed", few(range(100), 30))
def test_every_card_of_random_books_agrees(seed: int, make: Make) -> None:
    rules = make(Random(seed))
    _compare(rules, range(1 << len(rules.boxes)))


def test_plain_points_and_first_open_boxes() -> None:
    for key in ("yahtzee", "yatzy", "maxi-yatzy"):
        rules = book(key)
        compiled = compiled_book(rules)
        card = Scorecard.empty(rules)
        for roll, points in zip(compiled.lattice.rolls, compiled.plain.tolist(), strict=True):
            entries = card.options(Roll(roll))
            assert [entries[rules.boxes[place].key].points for place in compiled.order] == points
    compiled = compiled_book(book("yatzy-forced"))
    for filled, box in product(range(15), range(15)):
        assert (turn_values.available_boxes(compiled, (1 << filled) - 1) >> box & 1) == (box == filled)


def _compare(rules: RuleBook, sheet_masks: range | list[int]) -> None:
    compiled = compiled_book(rules)
    game = game_arrays(compiled)
    for card in (card for mask in sheet_masks for card in _cards(rules, mask)):
        state = State(_mask(compiled, card), 0, _flag(compiled, card))
        available = turn_values.available_boxes(compiled, state.mask)
        if not available:
            continue
        decided = _decide_all(game, state.mask, state.flag, available)
        for face in range(rules.faces):
            boxes, rung = turn_values.legal_alike(compiled, state, face)
            assert (boxes, rung) == tuple(decided[face].tolist())
            assert _ours(rules, compiled, state, face) == _theirs(rules, card, face), card


def _cards(rules: RuleBook, mask: int) -> list[Scorecard]:
    """One card for each flag: the policy's box empty-handed, with points, and with extras already paid."""
    filled = [mask >> place & 1 for place in range(len(rules.boxes))]
    if rules.fixed_order and sorted(filled, reverse=True) != filled:
        return []
    if rules.upper_first and mask & ~rules.upper and rules.upper & ~mask:
        return []
    cards = [Scorecard(rules, tuple(0 if each else None for each in filled))]
    place = rules.alike_box
    if place is not None and filled[place]:
        cards.append(cards[0].write(place, 50, bonus=0))
        if rules.alike is not None and rules.alike.pays_extra:
            cards += [replace(cards[1], bonuses=count) for count in range(1, min(mask.bit_count(), 1 + _MOST_PAID))]
    return cards


def _mask(compiled: CompiledBook, card: Scorecard) -> int:
    return sum(1 << box for box, place in enumerate(compiled.order) if card.marks[place] is not None)


def _flag(compiled: CompiledBook, card: Scorecard) -> int:
    return min(1 + card.bonuses, compiled.payments.alikes - 1) if card.alike_scored else 0


def _ours(rules: RuleBook, compiled: CompiledBook, state: State, face: int) -> dict[str, tuple[int, int]]:
    boxes, rung = turn_values.legal_alike(compiled, state, face)
    points, extra = compiled.alike[compiled.ladder.prices[rung], face].tolist(), int(compiled.extra[state.flag, rung])
    places = enumerate(compiled.order)
    return {rules.boxes[place].key: (points[box], extra) for box, place in places if boxes >> box & 1}


def _theirs(rules: RuleBook, card: Scorecard, face: int) -> dict[str, tuple[int, int]]:
    options = card.options(Roll((face + 1,) * rules.dice))
    return {key: (entry.points, entry.bonus) for key, entry in options.items()}


@kernel
def _decide_all(game: ScoreArrays, mask: int, flag: int, available: int) -> np.ndarray:
    decided = np.empty((game.alike_rows.size, 2), dtype=np.int64)
    for face in range(game.alike_rows.size):
        decided[face, 0], decided[face, 1] = decide(game.ladder, mask, flag, face, available)
    return decided
