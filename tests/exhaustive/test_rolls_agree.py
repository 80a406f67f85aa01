"""The number of rolls of a turn against the second reading."""

import random
from itertools import islice

import pytest

import fivedice as fd
from exhaustive import second_reading as second
from exhaustive.further_readings import rolls_allowed
from for_each import for_each
from long import LONG

pytestmark = pytest.mark.campaign


def after(book: str, filled: int, saved: int) -> fd.Position:
    """The start of a turn, with the first boxes of the sheet filled."""
    card = fd.Scorecard.of(fd.book(book), dict.fromkeys(second.BOXES[book][:filled], 0), saved=saved)
    return fd.Position((card,), 0, fd.dice.Keep(()), 3 + saved)


@for_each("filled", range(20))
def test_every_number_of_saved_rolls_agrees(filled: int) -> None:
    """After that many turns, try each number of saved rolls and each number that this turn can use."""
    for saved in range(2 * filled + 1):
        used_before = [1] * (saved // 2) + [2] * (saved % 2) + [3] * (filled - saved // 2 - saved % 2)
        position = after("maxi-yatzy", filled, saved)
        most = rolls_allowed("maxi-yatzy", used_before)
        assert position.rolls_left == position.rolls_in_turn == most
        for used in range(1, most + 1):
            position = rolled(position)
            scored = fd.apply(position, fd.Mark(second.BOXES["maxi-yatzy"][filled])).after
            assert position.rolls_left == most - used
            assert scored.card.saved == rolls_allowed("maxi-yatzy", [*used_before, used]) - 3
        with pytest.raises(fd.IllegalMove):
            fd.apply(position, fd.Hold(fd.dice.Keep(())))


def rolled(position: fd.Position) -> fd.Position:
    """All dice once more."""
    if len(position.dice):
        position = fd.apply(position, fd.Hold(fd.dice.Keep(()))).after
    return fd.apply(position, fd.Throw(fd.Roll((1, 2, 3, 4, 5, 6)))).after


@for_each("filled", range(20))
def test_impossible_saved_rolls_are_no_card(filled: int) -> None:
    with pytest.raises(fd.IllegalCard):
        after("maxi-yatzy", filled, 2 * filled + 1)
    with pytest.raises(fd.IllegalCard):
        after("maxi-yatzy-plain", filled, 1)


@for_each("book", fd.SHIPPED)
def test_whole_games_agree(book: str) -> None:
    """Two players, each with rolls of their own; points and totals are asked of the second reading too."""
    for seed in range(200 if LONG else 4):
        one_game(book, random.Random(f"{book} {seed}"))


def one_game(book: str, draw: random.Random) -> None:
    game = fd.Game.new(book, ["Ann", "Bob"], dice=fd.dice.seeded(draw.random()), first=0)
    used: list[list[int]] = [[], []]
    cards: list[dict[str, int]] = [{}, {}]
    extras = [0, 0]
    while not game.is_over:
        seat = game.position.seat
        allowed = rolls_allowed(book, used[seat])
        assert game.position.rolls_left == allowed
        rolls = min(allowed, draw.choice((1, 1, 2, 3, 4, 9)))
        game.roll()
        for _ in range(rolls - 1):
            game.hold(list(islice(game.position.dice.faces, draw.randrange(game.book.dice))))
            game.roll()
        worth = second.options(book, cards[seat], game.position.dice.faces)
        box = draw.choice(list(worth))
        game.mark(box)
        cards[seat][box] = worth[box][0]
        extras[seat] += worth[box][1] > 0
        used[seat].append(rolls)
    assert game.outcome is not None
    assert game.outcome.totals == tuple(second.totals(book, cards[seat], extras[seat])[3] for seat in (0, 1))
