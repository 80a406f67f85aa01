"""The modules of the page without a server: a blank page where they, and the scripts of unit/, are found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from mimetypes import guess_type
from pathlib import Path

from playwright.sync_api import Browser, Page, Route

from fivedice.web.http.static_files import content, names
from fivedice.words.sentences.script_sentences import script_words

UNIT = Path(__file__).parent / "unit"
ORIGIN = "https://unit.test"
WORDS = f'<script type="application/json" id="words">{json.dumps(script_words(pad=True))}</script>'
BLANK = f'<!doctype html><html lang="en"><head>{WORDS}</head><body></body></html>'


@contextmanager
def blank_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.route(f"{ORIGIN}/**", _answer)
    page = context.new_page()
    page.goto(f"{ORIGIN}/")
    yield page
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
