"""Games a second through the public API in pure Python, beside the cost of the dice alone."""

from __future__ import annotations

from time import perf_counter

import fivedice as fd
from fivedice.dice import Place

GAMES = 150


def play(book: fd.RuleBook, seed: int) -> None:
    """A whole solo game: three rolls a turn, two dice held, the best-paying box."""
    game = fd.Game.new(book, ["Ann"], dice=fd.dice.seeded(seed))
    while not game.is_over:
        game.roll()
        for _ in range(book.rolls - 1):
            game.hold(game.position.dice.faces[:2])
            game.roll()
        legal = game.position.ruling().legal
        game.mark(max(legal, key=lambda box: legal[box].points))


def dice_alone(book: fd.RuleBook, seed: int) -> None:
    source = fd.dice.seeded(seed)
    for turn in range(len(book.boxes)):
        for roll in range(book.rolls):
            source.throw(Place(turn, roll, 0), book.dice, book.faces)


def seconds_each(action, book: fd.RuleBook) -> float:
    action(book, 0)  # warm the tables of the book
    began = perf_counter()
    for seed in range(GAMES):
        action(book, seed)
    return (perf_counter() - began) / GAMES


def main() -> None:
    print(f"{'book':<22}{'ms a game':>10}{'games/s':>9}{'x dice alone':>14}")
    for key in fd.SHIPPED:
        book = fd.book(key)
        game, dice = seconds_each(play, book), seconds_each(dice_alone, book)
        print(f"{key:<22}{1000 * game:>10.2f}{1 / game:>9.0f}{game / dice:>14.1f}")
