"""The modules of the page, each by itself: the tests are scripts in unit/, and run in the browser without a server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from browser.modules import ORIGIN, UNIT, blank_page

RUN = """async ([file, name]) => {
    await import(`/unit/${file}`);
    return (await import("/unit/harness.js")).result(name);
}"""


def cases() -> Iterator[tuple[str, str]]:
    for path in sorted(UNIT.glob("*.js")):
        for name in re.findall(r'^test\("([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE):
            yield path.name, name


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    with blank_page(browser) as page:
        yield page


@pytest.mark.parametrize(("file", "name"), cases())
def test_module(blank: Page, file: str, name: str) -> None:
    blank.goto(f"{ORIGIN}/")
    blank.evaluate("localStorage.clear()")
    assert blank.evaluate(RUN, [file, name]) == ""
