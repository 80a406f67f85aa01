"""Measure what every level scores, or how it plays.

`python tools/measure_bots.py` plays every level under every shipped book and writes `measured.json` beside the bots,
which is what their labels are read from; `--book` and `--level`, once or more, measure only these.
`python tools/measure_bots.py --table yahtzee` prints how the levels play one book: mean, spread, how often the bonus is
reached, how often the dearest box is crossed out in the first four turns, and the mistakes of a game by kind. `--games`
says how many games each level plays.

The seed is fixed, so what comes out changes only if the bots or the books do. A level that is not offered for a book,
because its solution is not stored, is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from level_mistakes import EARLY, LevelResults, dearest_box, tally

import fivedice.players.bots
from fivedice.core.rules import SHIPPED, RuleBook, book as find_book
from fivedice.players.bots.levels import ALL_LEVELS, Habit, Level, find_level
from fivedice.players.bots.solo_games import measure

GAMES = 2000
PERFECT_GAMES = 200_000  # by the kernels, unless rolls are saved
SEED = 20_240_601
FILE = Path(fivedice.players.bots.__file__).with_name("measured.json")


def measure_all(keys: Iterable[str], names: Collection[str], games: int) -> dict[str, dict[str, dict[str, Any]]]:
    """Return mean, standard deviation, standard error and games of these levels under each book that offers them."""
    found: dict[str, dict[str, dict[str, Any]]] = {level.name: {} for level in ALL_LEVELS}
    with ProcessPoolExecutor() as pool:
        started = {
            (name, key): pool.submit(_entry, name, key, games)
            for key in keys
            for name in fivedice.players.bots.offered(find_book(key))
            if name in names and not fivedice.players.bots.wants_odds(name)  # the champion: see measure_champion
        }
        for (name, key), entry in started.items():
            found[name][key] = entry.result()
    return found


def write(new: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Write into the file. Its other books stay as they are; books and levels keep their order."""
    old = json.loads(FILE.read_text(encoding="utf-8"))["levels"] if FILE.is_file() else {}
    merged = {name: old.get(name, {}) | books for name, books in new.items()}
    levels = {name: {key: books[key] for key in SHIPPED if key in books} for name, books in merged.items()}
    FILE.write_text(json.dumps({"levels": levels}, indent=1) + "\n", encoding="utf-8")


def _entry(name: str, key: str, games: int) -> dict[str, Any]:
    level, book = find_level(name), find_book(key)
    played = measure(level, book, _games(level, book, games), seed=SEED)
    sys.stderr.write(f"{level.name:<10}{book.key:<22}{played.mean:8.2f} ± {played.standard_error:.2f}\n")
    rounded = {"mean": played.mean, "sd": played.sd, "error": played.standard_error}
    return {name: round(value, 2) for name, value in rounded.items()} | {"games": played.games}


def _games(level: Level, book: RuleBook, games: int) -> int:
    return PERFECT_GAMES if level.sight == "exact" and not book.save_rolls else games


def _tally(name: str, key: str, games: int) -> LevelResults:
    return tally(find_level(name), find_book(key), games, SEED)


def table(key: str, games: int) -> str:
    """Return a table of how the levels play one book, in Markdown."""
    book = find_book(key)
    head = ["level", "mean", "sd", "bonus", f"{book.box(dearest_box(book)).name} 0 in {EARLY} turns", *Habit]
    with ProcessPoolExecutor() as pool:
        levels = [name for name in fivedice.players.bots.offered(book) if not fivedice.players.bots.wants_odds(name)]
        rows = [_row(found) for found in pool.map(_tally, levels, [key] * len(levels), [games] * len(levels))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def _row(found: LevelResults) -> list[str]:
    made = [f"{found.mistakes[habit] / found.games:.1f}" if found.level.share(habit) else "" for habit in Habit]
    shares = [f"{count / found.games:.0%}" for count in (found.bonuses, found.given_up)]
    return [
        f"`{found.level.name}`",
        f"{found.mean:.1f} ± {found.standard_error:.1f}",
        f"{found.sd:.0f}",
        *shares,
        *made,
    ]


def main() -> None:
    """Measure and write the file, or print the table of a book."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--book", action="append", choices=SHIPPED)
    parser.add_argument("--level", action="append", choices=fivedice.players.bots.LEVELS)
    parser.add_argument("--table", choices=SHIPPED)
    asked = parser.parse_args()
    if asked.table:
        print(table(asked.table, asked.games))
    else:
        write(measure_all(asked.book or SHIPPED, asked.level or fivedice.players.bots.LEVELS, asked.games))


if __name__ == "__main__":
    main()
