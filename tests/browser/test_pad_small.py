"""The score pad in small windows and with large letters: card and keys stay in reach of one thumb."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import fivedice as fd
from browser.conftest import Person
from browser.settled import press, settle
from browser.test_pad import OUTSIDE
from browser.test_pad_offline import _come_back, _cut_off, gate
from long import few
from web.gate import Gate
from web.pads import fill, open_pad, turns, write
from web.stage import Stage

__all__ = ["gate"]

WINDOWS = ((320, 568), (360, 640), (390, 664))
# How many times as large the page is, and its letters alone.
ENLARGED = ((1.0, 1.0), (1.25, 1.0), (1.0, 1.25), (2.0, 1.0), (1.0, 2.0))
BOOKS = ("yatzy", "maxi-yatzy", "yahtzee", "kismet", "crag")
LARGEST_DOCK = 0.64  # of the window
KEY = (30, 43.5)  # pixels, at twice the size still a thumb wide

MEASURE = """() => {
    const place = (one) => one.getBoundingClientRect().toJSON();
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
    const isOnTop = (one) => {
        const { left, top, right, bottom } = place(one);
        return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    };
    const isHidden = (one) => { one.scrollIntoView({ block: "nearest" }); return !isOnTop(one); };
    scrollTo(0, 0);
    const keys = all("#keypad .key");
    const seen = {
        dock: place(document.querySelector("#dock")),
        card: place(document.querySelector("#card")),
        keys: keys.map(place),
        covered: keys.filter((one) => !isOnTop(one)).length,
        wide: document.documentElement.scrollWidth - innerWidth,
    };
    seen.hidden = all("#card .pad-box").filter(isHidden).map((one) => one.id);
    scrollTo(0, 0);
    return seen;
}"""


def _resize(page: Page, window: tuple[int, int], enlarged: tuple[float, float]) -> tuple[int, int]:
    """Make the window so large; a page that is enlarged has fewer pixels of its own."""
    (width, height), (zoom, letters) = window, enlarged
    inner = (int(width / zoom), int(height / zoom))
    page.set_viewport_size({"width": inner[0], "height": inner[1]})
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{letters:.0%}")
    return inner


def _expect_in_reach(seen: dict[str, Any], inner: tuple[int, int], case: object) -> None:
    assert seen["wide"] <= 0, (case, "the page is wider than the window")
    assert seen["dock"]["bottom"] - seen["dock"]["top"] <= LARGEST_DOCK * inner[1] + 1, (case, seen["dock"])
    assert seen["covered"] == 0, (case, "keys that cannot be tapped")
    assert seen["hidden"] == [], (case, "boxes that cannot be scrolled into sight")
    for key in seen["keys"]:
        assert key["bottom"] <= inner[1] + 1, (case, "a key lies below the window", key)
        assert (key["right"] - key["left"], key["bottom"] - key["top"]) >= KEY, (case, key)


@pytest.mark.parametrize("book", few(BOOKS, 1))
def test_card_and_keys_are_in_reach(stage: Stage, person: Person, book: str) -> None:
    page = person("Ann", "phone")
    page.goto(open_pad(stage, book, ["Ann", "Bob"]))
    settle(page)
    for case in product(WINDOWS, ENLARGED):
        inner = _resize(page, *case)
        seen = page.evaluate(MEASURE)
        assert len(seen["keys"]) == fd.book(book).faces
        _expect_in_reach(seen, inner, case)
    for face in "123456"[: fd.book(book).dice]:
        press(page, f"#face-{face}")
    for case in product(WINDOWS, ENLARGED):
        inner = _resize(page, *case)
        _expect_in_reach(page.evaluate(MEASURE), inner, case)


@pytest.mark.parametrize("book", few(["yatzy", "kismet", "crag"], 1))
def test_the_whole_card_is_seen_without_scrolling(stage: Stage, person: Person, book: str) -> None:
    """With keys on a small phone; on the smallest as soon as the dice are in and a box is to be chosen."""
    page = person("Ann", "phone", viewport={"width": 360, "height": 640})
    page.goto(open_pad(stage, book, ["Ann", "Bob"]))
    settle(page)
    for window in WINDOWS[1:]:
        _resize(page, window, ENLARGED[0])
        seen = page.evaluate(MEASURE)
        assert seen["card"]["bottom"] <= seen["dock"]["top"], window
    for face in "12345"[: fd.book(book).dice]:
        press(page, f"#face-{face}")
    _resize(page, WINDOWS[0], ENLARGED[0])
    seen = page.evaluate(MEASURE)
    assert seen["card"]["bottom"] <= seen["dock"]["top"]


def test_the_round_stands_on_one_line_behind_a_long_name(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yahtzee", ["Bartholomew the Great", "Bob"])
    fill(stage, path, leave=6)
    page = person("Ann", "phone", viewport={"width": 390, "height": 664})
    page.goto(path)
    settle(page)
    expect(page.locator("#round")).to_have_text("Round 11 of 13")
    for window in WINDOWS:
        _resize(page, window, ENLARGED[0])
        line = page.locator("#round").bounding_box()
        assert line
        assert line["height"] < 20, (window, line)


# How far the boxes of a line are from being level, at most.
UNEVEN = """() => {
    const [upper, lower] = [...document.querySelectorAll("#card .half")].map((half) => [...half.children]);
    const tops = upper.map((box, line) => [box, lower[line] ?? box].map((one) => one.getBoundingClientRect().top));
    return Math.max(...tops.map(([one, other]) => Math.abs(one - other)));
}"""
CUT = "(one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"


def test_lines_are_level_titles_whole_and_three_columns_in_sight(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob", "Cleo"])
    write(stage, path, "66661", "sixes")
    page = person("Ann", "phone")
    page.goto(path)
    settle(page)
    cases = [*product(WINDOWS, ENLARGED[:1]), (WINDOWS[-1], ENLARGED[1])]
    for case in cases:
        _resize(page, *case)
        assert page.evaluate(UNEVEN) < 0.5, case
        heads = page.locator("#sheet thead th:not(:first-child)")
        assert heads.evaluate_all(f"(all) => Math.max(...all.map({OUTSIDE}))") == 0, case
    press(page, "#turn-0-0")
    expect(page.locator("#headline")).to_have_text("Correct an entry")
    watching = person("Zoe", "phone")
    watching.goto(path)
    for each, case in product((page, watching), cases):
        _resize(each, *case)
        assert not each.locator("#headline").evaluate(CUT), case


def test_two_questions_are_seen_whole(stage: Stage, person: Person, gate: Gate) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    for dice, box in (("66661", "sixes"), ("12345", "chance")):
        pad.enter(dice, box)
    turns(stage, path, ("55552", "fives"), ("22341", "twos"))
    _come_back(page, gate)
    expect(page.locator(".clash li")).to_have_count(2)
    for window in WINDOWS[1:]:
        _resize(page, window, ENLARGED[0])
        assert not page.locator(".clash").evaluate(CUT), window
