"""A match of six games, set up and played on a phone without a connection: until all of it is at the server."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

from bench.taps import HERE, serving

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser.chromium import launch_args
from browser.offline_sheet import QUEUE, queue_of, turns
from fivedice.core.rules import shipped

TIMES = 5
PLAYERS, GAMES = 2, 6
READY = "async () => navigator.serviceWorker.controller && Boolean(await caches.match('/pad/sheet'))"


def main() -> None:
    queue = queue_of(turns(shipped("yardzee"), PLAYERS, GAMES))
    with sync_playwright() as playwright, serving(HERE) as url:
        browser = playwright.chromium.launch(**launch_args())
        taken = [arrive(browser, url, queue) for _ in range(TIMES)]
    print(f"{len(queue)} entries: median {statistics.median(taken):.2f} s, slowest {max(taken):.2f} s")


def arrive(browser: Browser, url: str, queue: list[dict[str, object]]) -> float:
    """Return the seconds from the connection to a page of the server on which nothing waits."""
    context = browser.new_context(base_url=url, viewport={"width": 390, "height": 664})
    page = context.new_page()
    page.goto("/pad")
    while not page.evaluate(READY):
        page.wait_for_timeout(50)
    context.set_offline(True)
    page.get_by_label("Yardzee").check()
    page.locator("select[name=games]").select_option(str(GAMES))
    for number, name in enumerate(("Ann", "Bob")):
        page.get_by_label(f"Player {number + 1}", exact=True).fill(name)
    page.get_by_role("button", name="Open score pad").click()
    page.locator("body.painted").wait_for()
    page.evaluate(QUEUE, queue)
    began = perf_counter()
    context.set_offline(False)
    page.locator("html").dispatch_event("online")
    page.wait_for_url("**/t/*")
    page.locator("body.painted:not(.has-waiting) #ending:visible").wait_for()
    context.close()
    return perf_counter() - began
