"""The time of every answer of the analysis on the web, and the time and size of what is prepared for it.

FIVEDICE_ANSWERS names the books. Everything is prepared anew in a fresh folder; kernels are compiled before. Answers
are asked of games of two bots, in the process of the bench: `python -m bench hint` has what a page adds to them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

GAMES = 4
LEVEL = "steady"
NAMES = "Ann", "Bob"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIVEDICE_CACHE"] = folder
        for key in os.environ.get("FIVEDICE_ANSWERS", "yahtzee yatzy").split():
            measure(key, Path(folder))


def measure(key: str, folder: Path) -> None:
    import fivedice as fd
    from fivedice.reports.perfect import perfect
    from fivedice.solver.bonus import bonus_chances

    rules = fd.book(key)
    print(f"\n{key}, prepared once{'clock':>24}{'processor':>12}{'on disk':>12}")
    solution = _prepared("values", folder, lambda: fd.solve(rules))
    _prepared("odds of early cards", folder, solution.prepare)
    _prepared("perfect games", folder, lambda: perfect(solution))
    bonuses = _prepared("chances of the upper bonus", folder, lambda: bonus_chances(solution))
    print(f"{'an answer':<38}{'median':>8}{'longest':>12}{'processor':>12}")
    for name, times in _answers(solution, bonuses).items():
        clocks, processors = (sorted(each) for each in zip(*times, strict=True))
        middle = len(times) // 2
        print(f"{name:<34}{_ms(clocks[middle])}{_ms(clocks[-1])}{_ms(processors[middle])}")


def _prepared(name: str, folder: Path, make: Callable[[], Any]) -> Any:
    before, clock, processor = _size(folder), perf_counter(), process_time()
    found = make()
    clock, processor = perf_counter() - clock, process_time() - processor
    print(f"  {name:<34}{clock:>8.1f} s{processor:>10.1f} s{(_size(folder) - before) / 1e6:>9.1f} MB", flush=True)
    return found


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


Times = list[tuple[float, float]]


def _answers(solution: Any, bonuses: Any) -> dict[str, Times]:
    """Whatever a page may ask of a game, by name."""
    import fivedice as fd
    from fivedice.reports.game_report import report_with
    from fivedice.reports.report_lines import report_lines
    from fivedice.reports.statistics import BookStatistics, facts_of
    from fivedice.reports.statistics_lines import book_lines
    from fivedice.reports.win_report import wins_of

    found: dict[str, Times] = {}

    def timed(name: str, make: Callable[[], Any]) -> Any:
        clock, processor = perf_counter(), process_time()
        made = make()
        found.setdefault(name, []).append((perf_counter() - clock, process_time() - processor))
        return made

    facts = []
    for number in range(GAMES):
        game = _game(solution.book, f"{solution.book.key} {number}")
        for position in _decisions(game):
            asked = position.card, position.roll, position.rolls_left
            timed("odds strip", lambda: fd.race(position, solution))  # noqa: B023 - at once
            timed("hint by points", lambda: fd.coach(solution, *asked, bonuses=bonuses))  # noqa: B023
            timed("hint to win", lambda: fd.win(position, solution).advise())  # noqa: B023
        timed("report, points", lambda: report_lines(report_with(game, solution, None), None))  # noqa: B023
        wins = timed("report, chances of winning", lambda: wins_of(game, solution))  # noqa: B023
        timed("report, both", lambda: report_lines(report_with(game, solution, wins), None))  # noqa: B023
        facts.append(timed("statistics, a game", lambda: facts_of(game, 0, solution, wins)))  # noqa: B023
    timed(f"statistics, {GAMES} games", lambda: book_lines(BookStatistics(solution.book, tuple(facts), None)))
    return found


def _decisions(game: Any) -> Iterator[Any]:
    """Every fifth moment at which a player has to decide."""
    return (step.before for step in game.steps[::5] if step.before.roll is not None)


def _game(rules: Any, seed: str) -> Any:
    import fivedice as fd
    from fivedice.players import bots

    game, bot = fd.Game.new(rules, NAMES, dice=fd.dice.seeded(seed), first=0), bots.bot(LEVEL, rules)
    while not game.is_over:
        if game.position.chance_moves_next:
            game.roll()
        else:
            game.play(bot.choose(game.position))
    return game


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:>9.1f} ms"


if __name__ == "__main__":
    main()
