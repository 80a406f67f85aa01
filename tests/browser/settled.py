"""Wait until a score pad has worked off what was done on it.

It shows an entry once the browser's database has it, so a page that is read right after a tap may still show what was
there before. While taps are worked off, the body has `data-keeping`.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from browser.chromium import PATIENCE

SETTLED = "body.painted:not([data-keeping])"
# The sheet of an address as the phone keeps it; null where it keeps none.
SHEET = """(path) => new Promise((done, failed) => {
    const request = indexedDB.open("fivedice-pad", 1);
    request.onupgradeneeded = () => request.transaction.abort();
    request.onerror = () => done(null);
    request.onsuccess = () => {
        const found = request.result.transaction("sheets").objectStore("sheets").get(path.replace("/t/", ""));
        found.onsuccess = () => { request.result.close(); done(found.result ?? null); };
        found.onerror = () => failed(found.error);
    };
})"""
# Whether the phone keeps this number of typed dice and rolls.
TYPED = f"""async ([faces, rolls]) => {{
    const typed = (await ({SHEET})(location.pathname))?.typed;
    return typed?.faces.length === faces && typed.rolls.length === rolls;
}}"""
# Clicks in the page itself, one after the other. A missing or hidden element cannot be clicked.
CLICK = """const kept = () => new Promise((done) => {
        const look = () => { if (!("keeping" in document.body.dataset)) { watch.disconnect(); done(); } };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { attributes: true });
        look();
    });
    const click = async (selector) => {
        const found = document.querySelector(selector);
        if (!found || found.disabled || !found.offsetParent) throw new Error(`${selector} cannot be clicked`);
        found.click();
        await kept();
        return 1;
    };"""
CLICK_ALL = f"""async (selectors) => {{
    {CLICK}
    for (const selector of selectors) await click(selector);
}}"""
# Two frames later: whatever was ready by now has been painted.
PAINTED = "() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); })"
# `wait_for_function` takes the promise of an answer for a yes.
UNTIL = """async ([check, arg, patience]) => {
    const holds = (0, eval)(check);
    const end = performance.now() + patience;
    while (!(await holds(arg))) {
        if (performance.now() > end) throw new Error(`never: ${check}`);
        await new Promise((done) => setTimeout(done, 20));
    }
}"""


def settle(page: Page) -> None:
    """Wait until the sheet is painted and nothing is being kept: what is read now is what was done."""
    page.locator(SETTLED).wait_for(state="attached")


def press(page: Page, *selectors: str) -> None:
    """Press one after the other, each when the one before is worked off.

    By mouse: that is answered when the page has taken the click, while the click of a tap may come after the answer.
    """
    for selector in selectors:
        page.locator(selector).click()
        settle(page)


def click_all(page: Page, *selectors: str) -> None:
    """Click by script, which takes a hundredth of the time of a tap: for tests that are about what comes of it."""
    settle(page)
    page.evaluate(CLICK_ALL, selectors)


def until(page: Page, check: str, arg: Any = None) -> None:
    """Wait until a script of the page says yes; it may be asynchronous."""
    page.evaluate(UNTIL, [check, arg, PATIENCE])


def reload_typed(page: Page, faces: int = 0, rolls: int = 0) -> None:
    """Reload the page of a sheet once this number of typed dice and rolls is kept; it is saved in the background."""
    until(page, TYPED, [faces, rolls])
    page.reload()
