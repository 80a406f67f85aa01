"""Solve whole games of two players who both play to win, and compare with the shares that the package stores.

    PYTHONPATH=tests python tools/solve_duels.py                  # all games: campaign `duels`
    PYTHONPATH=tests python tools/solve_duels.py crag --write     # one of them, and store its share

Every game is solved in a process of its own, so that its memory is known. Where boxes are free and there is no bonus, a
second program works out sampled leads of every layer again, from the layer after it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import fivedice as fd
from fivedice.core.rules import RuleBook
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.runtime.worker_threads import WorkerPool
from fivedice.solver.win.duels import Duel, Layer, estimate
from solver.duel_by_matrices import CRAG, YACHT, Score, Turn

FILE = Path(__file__).parents[1] / "src" / "fivedice" / "solver" / "win" / "stored_shares.toml"
GAMES = {  # the rules, and whether the upper section comes first
    "yatzy-forced": ("yatzy-forced", False),
    "yahtzee-upper-first": ("yahtzee", True),
    "yatzy-upper-first": ("yatzy", True),
    "crag": ("crag", False),
    "yacht": ("yacht", False),
}
SCORES: dict[str, tuple[int, int, list[Score]]] = {"crag": (3, 2, CRAG), "yacht": (5, 3, YACHT)}
SAMPLED = 4, 12  # rows of the other, and rows of the player on turn, of each layer
NEAR = 1e-12  # shares that differ by less are equal


def find_rules(name: str) -> RuleBook:
    """Return the rules of a game."""
    key, upper_first = GAMES[name]
    return replace(fd.book(key), upper_first=upper_first)


class CheckedDuel(Duel):
    """A duel of which a second program works out some leads of each layer again; `scores` are in the book's order."""

    def __init__(self, rules: RuleBook, turn: Turn, scores: list[Score]) -> None:
        self.checked, self.worst = 0, 0.0
        self._random = np.random.default_rng(1)
        self._turn = turn
        book = compiled_book(rules)
        self._points = np.array([[scores[place](roll) for place in book.order] for roll in turn.rolls])
        super().__init__(book, (State(0, 0, 0),) * 2, 0)

    def _solve_layer(self, fill: Any, mover: Any, here: Layer, after: Layer, pool: WorkerPool[Any]) -> None:
        rows, others = here.pairs.counts.shape
        chosen = self._random.choice(others, min(others, SAMPLED[0]), replace=False)
        next_shares = {other: _shares_of_row(after, other) for other in chosen.tolist()}  # read before it is released
        super()._solve_layer(fill, mover, here, after, pool)
        for other, shares in next_shares.items():
            for row in self._random.choice(rows, min(rows, SAMPLED[1]), replace=False).tolist():
                self._check(here, row, other, mover, shares)

    def _check(self, here: Layer, row: int, other: int, mover: Any, shares: list[tuple[int, Any]]) -> None:
        """Work out the leads of one pair from what follows."""
        pairs, mask = here.pairs, int(mover.masks[row])
        first, count = int(pairs.offsets[row, other]), int(pairs.counts[row, other])
        leads = int(pairs.lows[row, other]) + np.arange(count)
        leaf = np.full((len(self._points), count), -1.0)
        for box in range(self._points.shape[1]):
            if not mask >> box & 1:
                low, left = shares[int(mover.first_rows[mask | 1 << box, 0]) - mover.next_row]
                for points in np.unique(self._points[:, box]).tolist():
                    rolls = self._points[:, box] == points
                    at = -(leads + points) - low
                    inside = left[np.clip(at, 0, len(left) - 1)] if len(left) else 0.0
                    won = np.where(at < 0, 1.0, np.where(at < len(left), inside, 0.0))
                    leaf[rolls] = np.maximum(leaf[rolls], won)
        found = 1.0 - here.shares[first : first + count]
        self.worst = max(self.worst, float(np.abs(found - self._turn.worth(leaf)).max(initial=0.0)))
        self.checked += count


def _shares_of_row(layer: Layer, row: int) -> list[tuple[int, Any]]:
    """Return the lowest lead and the shares of all pairs of a row."""
    pairs = layer.pairs
    every = zip(pairs.lows[row].tolist(), pairs.offsets[row].tolist(), pairs.counts[row].tolist(), strict=True)
    return [(low, layer.shares[first : first + count].copy()) for low, first, count in every]


def solve_one(name: str) -> dict[str, Any]:
    """Solve a game, and return what is known of it."""
    rules, begin, worked = find_rules(name), perf_counter(), process_time()
    start = State(0, 0, 0)
    cost = estimate(compiled_book(rules), (start, start), 0)
    if cost is None:
        raise AssertionError(name)
    found: dict[str, Any] = {"name": name, "fingerprint": rules.fingerprint, "pairs": cost.pairs, "leads": cost.lanes}
    if name in SCORES:
        dice, rolls, scores = SCORES[name]
        duel = CheckedDuel(rules, Turn(dice, rolls), scores)
        found |= {"share": duel.share, "checked": duel.checked, "worst": duel.worst}
    else:
        found["share"] = fd.equilibrium(rules, cache=False).shares[0]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return found | {"seconds": perf_counter() - begin, "processor": process_time() - worked, "memory": memory}


def describe(found: dict[str, Any]) -> str:
    """Return a line for a solved game."""
    line = (
        f"{found['name']}: {found['share']:.10%} and {1 - found['share']:.10%}; {found['pairs']:,} pairs, "
        f"{found['leads']:,} leads, {found['processor']:.0f} s of processor time in {found['seconds']:.0f} s, "
        f"{found['memory'] / 1e9:.1f} GB"
    )
    if "checked" in found:
        line += f"; {found['checked']:,} leads worked out again, at most {found['worst']:.0e} off"
    return line


def read_stored() -> dict[str, dict[str, Any]]:
    """Return the stored games by name."""
    games = tomllib.loads(FILE.read_text(encoding="utf-8"))["games"] if FILE.exists() else []
    return {each["name"]: each for each in games}


def write_stored(games: dict[str, dict[str, Any]]) -> None:
    """Write the file of the package."""
    lines = ["# The share of the player who begins: see duels.py. Written by tools/solve_duels.py."]
    for name in GAMES:
        if name in games:
            each = games[name]
            lines += ["", "[[games]]", f'name = "{name}"', f'fingerprint = "{each["fingerprint"]}"']
            lines.append(f"share = {each['share']!r}")
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GAMES)}; by default all of them")
    parser.add_argument("--write", action="store_true", help="store the shares in the package")
    parser.add_argument("--json", action="store_true", help="solve one game in this process, and print what is known")
    asked = parser.parse_args()
    if asked.json:
        print(json.dumps(solve_one(*asked.names)))
        return 0
    stored, failed = read_stored(), False
    for name in asked.names or GAMES:
        command = [sys.executable, __file__, name, "--json"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(describe(found), flush=True)
        same = name in stored and abs(stored[name]["share"] - found["share"]) < NEAR
        same = same and stored[name]["fingerprint"] == found["fingerprint"] and found.get("worst", 0.0) < NEAR
        if not same and not asked.write:
            print(f"{name}: the stored share differs, or there is none.", flush=True)
            failed = True
        if asked.write:
            stored[name] = found
            write_stored(stored)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
