"""The coach on a phone, in Chromium: what is fetched, how long it takes to unpack, and one piece of advice.

Beside it the server's own advice in the same situations. `SLOW=4 python -m bench phone_coach` slows the browser's
processor down, as a phone of the middle range is.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser.advice import PhoneCoach, open_card
from browser.chromium import launch_args
from browser.modules import blank_page
from fivedice.core.dice import Roll
from fivedice.core.game.rule_table import rule_table
from fivedice.core.rules import SHIPPED, shipped
from fivedice.solver import Solution, solve
from fivedice.solver.solution.phone_values import packed_values

TIMES = 300
UNPACK = """async ([table, file]) => {
    const { prepare } = await import("/static/pad/judge.js");
    const { prepareValues } = await import("/static/pad/advise.js");
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    const rules = prepare(JSON.parse(table)), begun = performance.now();
    await prepareValues(rules, bytes);
    return performance.now() - begun;
}"""


def main() -> None:
    slow = int(os.environ.get("SLOW", "1"))
    with sync_playwright() as play:
        browser = play.chromium.launch(**launch_args())
        with blank_page(browser) as page:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
            for key in SHIPPED:
                measure_book(page, key)
        browser.close()


def measure_book(page: Page, key: str) -> None:
    book = shipped(key)
    file = packed_values(book, patient=True)
    if file is None:
        print(f"{key:20} too large for a phone")
        return
    solution, sent = solve(book), base64.b64encode(file).decode()
    unpacked = page.evaluate(UNPACK, [json.dumps(rule_table(book)), sent])
    cuts = quantiles(PhoneCoach(page, solution, file).times(Random(1), TIMES, left=book.rolls - 1), n=100)
    print(
        f"{key:20} {len(file):>9,} bytes, unpacked in {unpacked:4.0f} ms; advice on a first roll: "
        f"median {cuts[49]:4.1f} ms, 99th percentile {cuts[98]:5.1f} ms; the server's own: {server(solution):4.1f} ms"
    )


def server(solution: Solution) -> float:
    random, book, taken = Random(1), solution.book, []
    for _ in range(TIMES):
        card, roll = open_card(random, book), Roll(tuple(sorted(random.choices(range(1, book.faces + 1), k=book.dice))))
        began = perf_counter()
        solution.advise(card, roll, book.rolls - 1)
        taken.append(1e3 * (perf_counter() - began))
    return quantiles(taken, n=100)[49]
