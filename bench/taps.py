"""A tap on Roll and on a box, in Chromium: until something moves, and until the answer is painted.

`FIVEDICE_BESIDE=FOLDER python -m bench taps` measures another checkout (with its own .venv) beside this one, taking
turns, so that both have the same machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser.chromium import launch_args
from web.serving import NO_LIMITS

GAMES = 3
FAR = 1.0  # seconds that a far server takes
HERE = Path(__file__).parents[1]
# From the tap to the frame after the table has been replaced, and to the first frame in which a die is on its way.
PAINTED = """(selector) => new Promise((done) => {
    const begun = performance.now();
    const old = document.getElementById('table');
    new MutationObserver((_, watch) => {
        if (document.getElementById('table') === old) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
    }).observe(document.body, { childList: true, subtree: true });
    document.querySelector(selector).click();
})"""
MOVING = """() => new Promise((done) => {
    const begun = performance.now();
    const before = new Set(document.getAnimations());
    const begins = (motion) => !before.has(motion) && motion.effect?.target?.matches?.('.cube, .dice *');
    const look = () => (document.getAnimations().some(begins)
        ? done(performance.now() - begun) : requestAnimationFrame(look));
    document.getElementById('roll').click();
    requestAnimationFrame(look);
})"""


def main() -> None:
    trees = {"now": HERE} | ({"beside": Path(beside)} if (beside := os.environ.get("FIVEDICE_BESIDE")) else {})
    taken: dict[str, dict[str, list[float]]] = {name: {"roll": [], "score": [], "far": []} for name in trees}
    with ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(**launch_args())
        urls = {name: stack.enter_context(serving(tree)) for name, tree in trees.items()}
        for _ in range(GAMES):
            for name, url in urls.items():
                play(browser, url, taken[name])
    for name, found in taken.items():
        parts = [f"{what} {statistics.median(values):.0f} ms" for what, values in found.items() if values]
        print(f"{name}: median to paint of the answer: {', '.join(parts[:2])}; moving with a far server: {parts[2]}")


@contextmanager
def serving(tree: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(tree / ".venv/bin/fivedice"), "serve", "--port", "0", "--database", f"sqlite:///{folder}/t.db"]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        server = subprocess.Popen(command, env=os.environ | NO_LIMITS, **options)  # noqa: S603 - this program or an older one
        try:
            line = server.stdout.readline() if server.stdout else ""
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            server.terminate()
            server.wait()


def play(browser: Browser, url: str, taken: dict[str, list[float]]) -> None:
    """A solo game of one roll a turn, as it is begun on the first page."""
    context = browser.new_context(base_url=url, viewport={"width": 390, "height": 664})
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("#roll")
    page.wait_for_load_state("load")  # a click before the scripts run is sent by the browser itself
    while page.locator("#roll").count():
        taken["roll"].append(_tap(page, "#roll"))
        pays = "button.box:not(.zero)"
        taken["score"].append(_tap(page, pays if page.locator(pays).count() else "button.box"))
    context.close()
    taken["far"].append(far_away(browser, url))


def _tap(page: Page, selector: str) -> float:
    value = float(page.evaluate(PAINTED, selector))
    page.wait_for_function("() => !document.querySelector('#roll[aria-disabled]')")
    return value


def far_away(browser: Browser, url: str) -> float:
    context = browser.new_context(base_url=url, viewport={"width": 390, "height": 664})
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("#roll")
    page.wait_for_load_state("load")  # a click before the scripts run is sent by the browser itself
    _tap(page, "#roll")

    line = {"offline": False, "latency": 1000 * FAR, "downloadThroughput": -1, "uploadThroughput": -1}
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", line)
    value = float(page.evaluate(MOVING))
    context.close()
    return value
