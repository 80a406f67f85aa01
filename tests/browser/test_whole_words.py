"""On a phone the names of boxes and totals keep their words whole, in the languages whose words are longest."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from browser.conftest import Person
from long import few
from web.pads import open_pad
from web.stage import Stage

PHONES = (390, 375, 360)
LANGUAGES = ("da", "fi", "nl", "pl")
READABLE = 96  # pixels
# Words that stand on more than one line; what is said to screen readers alone is one pixel wide.
BROKEN = """() => [...document.querySelectorAll("th[scope=row]")].flatMap((head) => {
    const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        if (!text.parentElement.checkVisibility() || head.clientWidth <= 1) continue;
        for (const word of text.data.matchAll(/[^\\s-]+/g)) {
            const range = new Range();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const seen = [...range.getClientRects()].filter(({ width }) => width > 1);
            if (new Set(seen.map(({ top }) => Math.round(top))).size > 1) broken.push(word[0]);
        }
    }
    return broken;
})"""


def _find_broken_words(page: Page, paths: Iterable[str]) -> list[tuple[str, int, list[str]]]:
    found = []
    for path in paths:
        page.goto(path)
        for width in PHONES:
            page.set_viewport_size({"width": width, "height": 664})
            found.append((path, width, page.evaluate(BROKEN)))
    return [each for each in found if each[2]]


@pytest.mark.parametrize("language", few(LANGUAGES, 2))
def test_names_on_a_phone_keep_words_whole(stage: Stage, person: Person, language: str) -> None:
    seats = ("Ann", "Bob", "Cleo")
    paths = [stage.put(stage.scene("yahtzee", *seats[:count]).start().roll("12346")) for count in (1, 2, 3)]
    paths.append(stage.put(stage.scene("maxi-yatzy", "Ann", "Bob").start().roll("224461")))
    paths += [open_pad(stage, "yardzee", seats, games=6), open_pad(stage, "yatzy", seats[:2])]
    assert not _find_broken_words(person("Ann", "phone", locale=language), paths)


def test_names_on_the_pad_can_be_read_beside_their_buttons(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yatzy", ("Ann", "Bob"))
    for language in LANGUAGES:
        page = person("Ann", "phone", locale=language)
        page.goto(path)
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.locator(".naming input:visible").first.wait_for()
        for width in PHONES:
            page.set_viewport_size({"width": width, "height": 664})
            widths = page.locator(".naming input").evaluate_all(
                "(all) => all.map((one) => one.offsetWidth).filter(Boolean)"
            )
            assert min(widths) >= READABLE, (language, width, widths)
