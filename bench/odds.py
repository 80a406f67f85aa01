"""Exact odds from the first roll on: what is prepared once a book, and how long an answer takes, round by round.

FIVEDICE_ODDS names the books. A fresh folder is used, so everything is prepared here; kernels are compiled before.
"""

from __future__ import annotations

import os
import resource
import tempfile
from random import Random
from time import perf_counter, process_time

PLAYERS = 4
ASKED = 12  # answers a round


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIVEDICE_CACHE"] = folder
        for key in os.environ.get("FIVEDICE_ODDS", "yahtzee yatzy").split():
            measure(key)


def measure(key: str) -> None:
    import fivedice as fd
    from fivedice.solver import endings

    rules = fd.book(key)
    solution = fd.solve(rules)
    layers = endings.layers_to_keep(solution.compiled) or ()
    size = 8 * int(endings.layout_of(solution.compiled).sizes[list(layers)].sum())
    clock, processor = perf_counter(), process_time()
    solution.prepare()
    clock, processor = perf_counter() - clock, process_time() - processor
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"\n{key}: prepared in {clock:.1f} s ({processor:.1f} s of processor), {most:.1f} GB at most, ", end="")
    print(f"{size / 1e6:.0f} MB on disk")
    print(f"{'round':>6}{'median':>12}{'longest':>12}{'processor':>12}   race of {PLAYERS}, the dice on the table")
    random = Random(key)
    for filled in range(len(rules.boxes)):
        times = sorted(_asked(solution, filled, random) for _ in range(ASKED))
        clocks, processors = [each for each, _ in times], sorted(each for _, each in times)
        shown = (
            f"{1000 * clocks[ASKED // 2]:>9.1f} ms{1000 * clocks[-1]:>9.1f} ms{1000 * processors[ASKED // 2]:>9.1f} ms"
        )
        print(f"{filled + 1:>6}{shown}")


def _asked(solution, filled: int, random: Random) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    """One roll more, as at a table: the cards of the others were asked about before."""
    import fivedice as fd

    cards = tuple(_card(solution, filled, random) for _ in range(PLAYERS))
    fd.race(cards, solution)
    dice = fd.Keep(tuple(random.randint(1, solution.book.faces) for _ in range(solution.book.dice)))
    position = fd.Position(cards, 0, dice, random.randrange(solution.book.rolls))
    clock, processor = perf_counter(), process_time()
    fd.race(position, solution)
    return perf_counter() - clock, process_time() - processor


def _card(solution, filled: int, random: Random):  # type: ignore[no-untyped-def]
    """Play perfect turns, each with three dice rolled again."""
    import fivedice as fd

    card = fd.Scorecard.empty(solution.book)
    for _ in range(filled):
        roll = fd.Roll(tuple(random.randint(1, solution.book.faces) for _ in range(solution.book.dice)))
        game = fd.Position((card,), 0, fd.Keep(roll.faces), 0)
        box = solution.advise(card, roll, 0)[0].box
        card = fd.apply(game, fd.Mark(box)).after.cards[0]
    return card


if __name__ == "__main__":
    main()
