"""Games a second of a match of two cheap bots: plain, with the luck taken off, and against the same bot as an engine.

The ratio is what it costs against the plain games of the same run.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from unittest.mock import patch

import fivedice as fd

GAMES = 40
GREEDY = Path(__file__).parents[1] / "docs" / "examples" / "greedy.awk"


class Highest:
    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        legal = position.ruling().legal
        return fd.Mark(max(legal, key=lambda box: legal[box].points))


def rate(players: list[object]) -> float:
    begin = perf_counter()
    fd.match(players, GAMES, book="yahtzee")  # type: ignore[arg-type]
    return GAMES / (perf_counter() - begin)


def main() -> None:
    rate([Highest, Highest])  # loads what it needs
    with patch("fivedice.players.match_games.has_values", lambda _: False):
        plain = rate([Highest, Highest])
    ways = {
        "without luck": [Highest, Highest],
        "sharp and steady": ["sharp", "steady"],
        "awk": [Highest, fd.engine(["awk", "-f", str(GREEDY)])],
    }
    print(f"{'plain':<20}{plain:>10.1f} games/s")
    for name, players in ways.items():
        found = rate(players)
        print(f"{name:<20}{found:>10.1f} games/s{plain / found:>8.1f}x the time")
