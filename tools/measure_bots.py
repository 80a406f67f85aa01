"""Measure what every level scores, or how it plays.

`python tools/measure_bots.py` plays every level under every shipped book and writes `measured.json` beside the bots,
which is what their labels are read from; `--book` and `--level`, once or more, measure only these.

    python tools/measure_bots.py --sums one.jsonl --seconds 200 --workers 16   # what is done by then; again: go on
    python tools/measure_bots.py --sums all.jsonl --read one.jsonl two.jsonl   # blocks of other machines count too

Levels that are asked for every move play in blocks of games. With `--sums` every finished block is a line of a file and
is not played again. All levels and books take turns, so that a measurement that is stopped is even.

`python tools/measure_bots.py --table yahtzee` prints how the levels play one book: mean, spread, how often the bonus is
reached, how often the dearest box is crossed out in the first four turns, and the mistakes of a game by kind. `--games`
says how many games each level plays.

The seed is fixed, so what comes out changes only if the bots or the books do. A level that is not offered for a book,
because its solution is not stored, is left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, dataclass, replace
from itertools import product
from math import inf, sqrt
from pathlib import Path
from time import time
from typing import Any, TypeAlias

from level_mistakes import EARLY, LevelResults, dearest_box, tally

import fivedice.players.bots
from fivedice.core.rules import SHIPPED, RuleBook, book as find_book
from fivedice.players.bots.levels import ALL_LEVELS, Habit, Level, find_level
from fivedice.players.bots.players import player_of
from fivedice.players.bots.solo_games import measure, play

Levels: TypeAlias = dict[str, dict[str, dict[str, Any]]]

GAMES = 2500
BLOCK = 50
PERFECT_GAMES = 200_000  # by the kernels, unless rolls are saved
SEED = 20_240_601
FILE = Path(fivedice.players.bots.__file__).with_name("measured.json")


@dataclass(frozen=True, slots=True)
class Block:
    """The games of a level and a book from `first` on, and the sums of their totals and squared totals."""

    level: str
    book: str
    first: int
    sum: int = 0
    squares: int = 0

    @property
    def place(self) -> tuple[int, str, str]:
        """Return what tells it from other blocks, in the order of play."""
        return self.first, self.book, self.level


def play_block(block: Block, deadline: float = inf) -> Block | None:
    """Return a block with its sums, or None if the deadline, a `time()`, has passed."""
    if time() > deadline:
        return None
    book = find_book(block.book)
    bot = player_of(find_level(block.level), book)
    totals = [play(book, bot, f"{SEED}/{block.first + number}").total for number in range(BLOCK)]
    return replace(block, sum=sum(totals), squares=sum(total * total for total in totals))


def read_blocks(files: Iterable[Path]) -> set[Block]:
    """Return all blocks in some files. A block that was played twice must have the same sums."""
    blocks = {Block(*json.loads(line)) for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    if len({block.place for block in blocks}) < len(blocks):
        raise ValueError("The files disagree about a block. Were all played with the same bots?")
    return blocks


def entry_of(blocks: Collection[Block]) -> dict[str, Any]:
    """Return mean, standard deviation, standard error and games of some blocks of one level and book."""
    games, total = BLOCK * len(blocks), sum(block.sum for block in blocks)
    sd = sqrt((sum(block.squares for block in blocks) - total * total / games) / (games - 1))
    return {"mean": round(total / games, 2), "sd": round(sd, 2), "error": round(sd / sqrt(games), 2), "games": games}


@dataclass(frozen=True)
class Plan:
    """What to measure: levels and books, each with a number of games, at least."""

    keys: Collection[str]
    names: Collection[str]
    games: int
    seconds: float = inf
    workers: int | None = None

    def _offers(self) -> Iterator[tuple[Level, RuleBook]]:
        """Yield every level and book, but for the champion: see measure_champion."""
        for key, name in product(self.keys, self.names):
            if name in fivedice.players.bots.offered(find_book(key)) and not fivedice.players.bots.wants_odds(name):
                yield find_level(name), find_book(key)

    def measure(self, sums: Path | None, read: Iterable[Path] = ()) -> Levels:
        """Return the results of each level, by book. New blocks are added to the file `sums`."""
        found: Levels = {name: {} for name in self.names}
        blocks = read_blocks([*read, *([sums] if sums and sums.is_file() else [])])
        wanted = []
        for level, book in self._offers():
            if _by_kernels(level, book):
                found[level.name][book.key] = _measure_at_once(level, book)
            else:
                wanted += [Block(level.name, book.key, first) for first in range(0, self.games, BLOCK)]
        done = {block.place for block in blocks}
        for block in self._play([block for block in wanted if block.place not in done]):
            blocks.add(block)
            if sums is not None:
                with sums.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(astuple(block)) + "\n")
        for name, key in sorted({(block.level, block.book) for block in blocks}):
            found.setdefault(name, {})[key] = entry_of(
                [each for each in blocks if (each.level, each.book) == (name, key)]
            )
        return found

    def _play(self, blocks: list[Block]) -> Iterator[Block]:
        deadline = time() + self.seconds
        with ProcessPoolExecutor(self.workers) as pool:
            waiting = [
                pool.submit(play_block, block, deadline) for block in sorted(blocks, key=lambda each: each.place)
            ]
            yield from filter(None, (each.result() for each in as_completed(waiting)))


def write(new: Levels) -> None:
    """Write into the file. Its other books stay as they are; books and levels keep their order."""
    old = json.loads(FILE.read_text(encoding="utf-8"))["levels"] if FILE.is_file() else {}
    merged = {level.name: old.get(level.name, {}) | new.get(level.name, {}) for level in ALL_LEVELS}
    levels = {name: {key: books[key] for key in SHIPPED if key in books} for name, books in merged.items()}
    FILE.write_text(json.dumps({"levels": levels}, indent=1) + "\n", encoding="utf-8")


def _by_kernels(level: Level, book: RuleBook) -> bool:
    return level.sight == "exact" and not book.save_rolls


def _measure_at_once(level: Level, book: RuleBook) -> dict[str, Any]:
    played = measure(level, book, PERFECT_GAMES, seed=SEED)
    rounded = {"mean": played.mean, "sd": played.sd, "error": played.standard_error}
    return {name: round(value, 2) for name, value in rounded.items()} | {"games": played.games}


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
    parser.add_argument("--sums", type=Path)
    parser.add_argument("--read", type=Path, nargs="+", default=())
    parser.add_argument("--seconds", type=float, default=inf)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--table", choices=SHIPPED)
    asked = parser.parse_args()
    if asked.table:
        print(table(asked.table, asked.games))
    else:
        levels = asked.level or fivedice.players.bots.LEVELS
        plan = Plan(asked.book or SHIPPED, levels, asked.games, asked.seconds, asked.workers)
        write(plan.measure(asked.sums, asked.read))


if __name__ == "__main__":
    main()
