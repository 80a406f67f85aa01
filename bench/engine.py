"""Solo games per second of processor time through the public API in pure Python, and the cost of the dice alone.

`FIVEDICE_BESIDE=FOLDER python -m bench engine` plays the same games in another checkout (with its own .venv), taking
turns with this one. The best of all rounds counts: whatever else the machine does can only add to the time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time

import fivedice as fd
from fivedice.core.dice import Place, rolls

GAMES, ROUNDS = 100, 5


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
    card = fd.Scorecard.empty(book)
    for roll in rolls(book.dice, book.faces):  # the tables of the book are made once
        card.options(roll)
    action(book, 0)
    began = process_time()
    for seed in range(GAMES):
        action(book, seed)
    return (process_time() - began) / GAMES


def figures() -> dict[str, tuple[float, float]]:
    """Seconds of a game and of its dice, by book."""
    books = [fd.book(key) for key in fd.SHIPPED]
    return {book.key: (seconds_each(play, book), seconds_each(dice_alone, book)) for book in books}


def measured(python: str) -> dict[str, tuple[float, float]]:
    answer = subprocess.run([python, __file__], check=True, capture_output=True, text=True).stdout  # noqa: S603 - ours
    found: dict[str, tuple[float, float]] = json.loads(answer)
    return found


def main() -> None:
    beside = os.environ.get("FIVEDICE_BESIDE")
    before = {"before": str(Path(beside) / ".venv/bin/python")} if beside else {}
    sides = {**before, "now": sys.executable}
    rounds: dict[str, list[dict[str, tuple[float, float]]]] = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, python in sides.items():
            rounds[side].append(measured(python))
    print(f"{'book':<22}" + "".join(f"{side + ': games/s':>18}{'x dice alone':>14}" for side in sides))
    for key in fd.SHIPPED:
        print(f"{key:<22}" + "".join(_columns([found[key] for found in each]) for each in rounds.values()))


def _columns(found: list[tuple[float, float]]) -> str:
    game, dice = (min(times) for times in zip(*found, strict=True))
    return f"{1 / game:>18.0f}{game / dice:>14.1f}"


if __name__ == "__main__":
    print(json.dumps(figures()))
