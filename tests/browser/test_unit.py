"""The modules of the page, each by itself: the tests are scripts in unit/, and run in the browser without a server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from mimetypes import guess_type
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from fivedice.web.http.static_files import content, names
from fivedice.words.sentences.script_sentences import script_words

UNIT = Path(__file__).parent / "unit"
ORIGIN = "https://unit.test"
WORDS = f'<script type="application/json" id="words">{json.dumps(script_words())}</script>'
BLANK = f'<!doctype html><html lang="en"><head>{WORDS}</head><body></body></html>'
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
    context = browser.new_context()
    context.route(f"{ORIGIN}/**", _answer)
    yield context.new_page()
    context.close()


def _answer(route: Route) -> None:
    folder, _, name = route.request.url.removeprefix(f"{ORIGIN}/").partition("?")[0].partition("/")
    kind = guess_type(name)[0] or "text/html"
    if folder == "static" and name in names():
        route.fulfill(body=content(name), content_type=kind)
    elif folder == "unit" and (UNIT / name).is_file():
        route.fulfill(body=(UNIT / name).read_bytes(), content_type=kind)
    else:
        route.fulfill(body=BLANK, status=404 if folder else 200, content_type="text/html")


@pytest.mark.parametrize(("file", "name"), cases())
def test_module(blank: Page, file: str, name: str) -> None:
    blank.goto(f"{ORIGIN}/")
    blank.evaluate("localStorage.clear()")
    assert blank.evaluate(RUN, [file, name]) == ""
