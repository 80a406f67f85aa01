"""Measure what every level scores under every shipped book: `python tools/measure_bots.py [GAMES]`.

Writes `measured.json` beside the bots, which is what their labels are read from. The seed is fixed, so
the file changes only if the bots or the books do. Books that take minutes to solve are measured as their bots play
without a solution.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import fivedice.bots
from fivedice.bots.players import ALL_LEVELS, Level
from fivedice.bots.solo_games import measure
from fivedice.rules import SHIPPED, RuleBook, book as find_book

GAMES = 200_000
SLOW_GAMES = 300  # of a book that saves rolls: its bots are asked for every move
SEED = 20_240_601
FILE = Path(fivedice.bots.__file__).with_name("measured.json")


def measure_all(games: int) -> dict[str, dict[str, dict[str, Any]]]:
    """Every level under every book: mean, standard deviation and number of games."""
    return {level.name: {key: _entry(level, find_book(key), games) for key in SHIPPED} for level in ALL_LEVELS}


def _entry(level: Level, book: RuleBook, games: int) -> dict[str, Any]:
    games = min(games, SLOW_GAMES) if book.save_rolls else games
    played = measure(level, book, games, seed=SEED)
    sys.stderr.write(f"{level.name:<10}{book.key:<22}{played.mean:8.2f} ± {played.standard_error:.2f}\n")
    return {"mean": round(played.mean, 2), "sd": round(played.sd, 2), "games": games}


def main() -> None:
    """Measure and write the file."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    FILE.write_text(json.dumps({"levels": measure_all(games)}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
