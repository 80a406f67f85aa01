"""A hint over HTTP once the book is solved, and a plain page of the same server in the same run.

Hints are asked for cards and rolls that were never seen before, as a program asks and as the table's page does; the
two kinds of requests take turns, one at a time. The server is a process of its own on the loopback.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from fivedice.core.notation import write_card
from fivedice.core.rules import book
from fivedice.solver import solve
from fivedice.solver.bonus import bonus_chances
from solver.tiny_books import random_card
from web.serving import Serving
from web.stage import Stage, key_of

BOOK = "yahtzee"
TIMES = 1000
TABLES = 40
TARGET_MS = 50


def questions(random: Random) -> list[dict[str, str]]:
    """Cards in any state, and what may lie on the table."""
    rules, found = book(BOOK), []
    while len(found) < TIMES:
        card = random_card(random, rules)
        if not card.is_full:
            dice = "".join(str(random.randint(1, 6)) for _ in range(rules.dice))
            asked = {"book": BOOK, "card": write_card(card), "dice": dice, "rolls_left": str(random.randrange(3))}
            found.append(asked)
    return found


def tables(stage: Stage, random: Random) -> list[str]:
    """Tables of Ann's, each at another point of its game."""
    found = []
    for number in range(TABLES):
        scene = stage.scene(BOOK, "Ann").start().play_until(1 + number % 13)
        found.append(stage.put(scene.roll("".join(str(random.randint(1, 6)) for _ in range(5)))))
    return found


def timed(client: httpx.Client, path: str, **asked: str) -> float:
    began = perf_counter()
    answer = client.get(path, params=asked, headers={"fivedice-fragment": "1"})
    taken = perf_counter() - began
    answer.raise_for_status()
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.text}")
    return 1e3 * taken


def report(name: str, times: list[float]) -> float:
    cuts = quantiles(times, n=100)
    print(f"{name:34} median {cuts[49]:6.1f} ms   99th percentile {cuts[98]:6.1f} ms   worst {max(times):6.1f} ms")
    return cuts[98]


def main() -> None:
    random = Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"FIVEDICE_CACHE": str(folder / "cache"), "FIVEDICE_PREPARE": "no"}
        bonus_chances(solve(book(BOOK)))
        with Serving(folder) as server, closing(Stage(folder)) as stage:
            run(server.url, questions(random), tables(stage, random))


def run(url: str, asked: list[dict[str, str]], paths: list[str]) -> None:
    cookies = {"fivedice_player": key_of("Ann")}
    with httpx.Client(base_url=url, cookies=cookies, timeout=30) as client:
        first = timed(client, "/api/hint", **asked[0])
        hints, panels, plain = [], [], []
        for number, question in enumerate(asked):
            hints.append(timed(client, "/api/hint", **question))
            panels.append(timed(client, f"{paths[number % len(paths)]}/hint"))
            plain.append(timed(client, "/rules"))
    print(f"the first hint of the process, its table read from disk: {first:.0f} ms")
    report("a plain page", plain)
    worst = max(report("a hint as JSON, any card", hints), report("a hint at a table, as its panel", panels))
    print(f"within {TARGET_MS} ms at the 99th percentile: {'yes' if worst < TARGET_MS else 'no'}")


if __name__ == "__main__":
    main()
