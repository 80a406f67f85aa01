"""Pages in each language as a phone shows them: nothing sticks out, is cut off, or is of another language."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice

import pytest
from playwright.sync_api import Browser

from browser.language_sights import OTHERS, STAGED, language_sights, open_sight
from long import LONG, few
from web.serving import Serving
from web.stage import Stage
from words.unaccented import Unaccented
from words.vocabulary import LANGUAGES, foreign_words

WIDTHS = (320, 360, 390)
# Names that people chose, of house rules too, and the summary that the form wrote in the language of their author.
CALLED = re.compile(
    r"Friend with a[\w …]*|Grandma's Yahtzee|Grandpa Joe|Steady bot|Rita|Dan|Yahtzee, except for: [^.]*"
)
POINT = re.compile(r"(?<![\d.,])\d+\.\d(?![\d.])|\bNaN\b")
# What is wider than the window, and labels that are wider than their place, from 360 pixels. Names may be cut.
TOO_WIDE = """() => {
    const shown = { opacityProperty: true, visibilityProperty: true };
    const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility(shown));
    const label = (one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 50)}`;
    const sticksOut = (one) => one.getBoundingClientRect().right > innerWidth + 0.5;
    const isCut = (one) => innerWidth >= 360 && one.childElementCount === 0 && one.clientWidth > 1
        && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible"
        && !one.closest("bdi, input, select, textarea, pre, .visually-hidden");
    const page = document.documentElement.scrollWidth > innerWidth ? all.filter(sticksOut).slice(0, 3).map(label) : [];
    return [...page, ...all.filter(isCut).map(label)];
}"""


@pytest.mark.parametrize("language", few(LANGUAGES, 2))
def test_sights(stage: Stage, browser: Browser, server: Serving, language: str) -> None:
    """A few of those that need no coach; all of them by the campaign `languages`."""
    sights = language_sights(stage)
    for sight in sights if LONG else few(islice(sights, len(STAGED) + len(OTHERS)), 2):
        page = open_sight(browser, server, sight, language)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 664})
            assert page.evaluate(TOO_WIDE) == [], (sight.name, width)
        read = Unaccented(CALLED.sub("", page.content()), partial(foreign_words, language=language))
        assert read.found == [], sight.name
        assert not POINT.findall(page.inner_text("body")), (sight.name, "these languages write 1,5")
        page.context.close()
