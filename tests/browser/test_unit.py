"""The modules of the page, each by itself: the tests are scripts in unit/, and run in the browser without a server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from browser.modules import UNIT
from long import every_run

pytestmark = every_run  # what matters most takes no turns

# Each test has a frame of its own: a fresh page, with modules that nothing has used before.
RUN = """async ([file, names]) => {
    const wrong = {};
    for (const name of names) {
        localStorage.clear();
        sessionStorage.clear();
        await new Promise((done) => { indexedDB.deleteDatabase("fivedice-pad").onsuccess = done; });
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.style.cssText = "width: 100vw; height: 100vh";
        await new Promise((done) => { frame.onload = done; frame.src = "/"; });
        const left = new Promise((done) => { frame.onload = () => done("it has left its page"); });
        const result = await Promise.race([left, frame.contentWindow.eval(`(async () => {
            await import("/unit/${file}");
            return (await import("/unit/harness.js")).result(${JSON.stringify(name)});
        })()`)]);
        if (result !== "") wrong[name] = result;
        frame.remove();
    }
    return wrong;
}"""
NAME = re.compile(r'^test\("([^"]+)"', re.MULTILINE)
CASES = {path.name: NAME.findall(path.read_text(encoding="utf-8")) for path in sorted(UNIT.glob("*.js"))}


@pytest.mark.parametrize("file", [file for file, names in CASES.items() if names])
def test_module(blank: Page, file: str) -> None:
    blank.goto("/")
    wrong = blank.evaluate(RUN, [file, CASES[file]])
    assert not wrong, "\n\n".join(f"{name}: {why}" for name, why in wrong.items())
