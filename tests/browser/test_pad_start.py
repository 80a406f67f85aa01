"""The start page of the score pad: who begins by real dice, results of this phone, and what plain http lacks."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.offline_sheet import enter, totals, turns
from browser.test_pad import TURN
from browser.test_static_site import WebSpace, _bring, _carried, files, space
from fivedice.core.rules import shipped

__all__ = ["files", "space"]

PLAIN = "Object.defineProperty(window, 'isSecureContext', { value: false })"
NO_HTTPS = "Without https the screen may turn off, and a reload needs the server."


def _roll(page: Page, *rolls: str) -> None:
    """Type what each player rolled, as with a keyboard alone."""
    for roll in rolls:
        page.keyboard.type(roll)
        page.keyboard.press("Tab" if roll is not rolls[-1] else "Enter")


def test_a_roll_off_says_who_begins(space: WebSpace, person: Person) -> None:
    page = person(size="phone", url=space.url, service_workers="block")
    page.goto(space.url)
    for number, name in enumerate(("Ann", "Bob", "Cleo")):
        page.get_by_label(f"Player {number + 1}", exact=True).fill(name)
    says = page.locator("#roll-off-says")
    page.locator("#roll-off summary").press("Enter")
    fields = page.locator("#roll-off-lines input")
    expect(fields).to_have_count(3)
    fields.first.focus()
    _roll(page, "20", "6-6-4-3-1", "31")
    expect(says).to_have_text("The total of 5 dice is 5 to 30. You entered 31.")
    expect(page.get_by_label("Cleo’s total of 5 dice")).to_be_focused()
    page.get_by_label("Cleo’s total of 5 dice").fill("12")
    page.locator("#compare-rolls").tap()
    expect(says).to_have_text("Ann and Bob tie with 20. They roll again.")
    expect(fields).to_have_count(2)
    expect(page.get_by_label("Ann’s total of 5 dice")).to_be_focused()
    expect_clean(page)
    _roll(page, "17", "66453")
    expect(says).to_have_text("Bob begins with 24.")
    expect(page.locator("input[name=first]").nth(1)).to_be_checked()
    page.get_by_role("button", name="Open score pad").tap()
    expect(page.locator("#headline")).to_have_text(TURN.format("Bob"))


def test_a_roll_off_with_the_dice_of_the_rules(person: Person) -> None:
    page = person(size="phone")
    page.goto("/pad")
    page.locator("#roll-off summary").tap()
    page.locator("input[value=crag]").check()
    page.get_by_label("Player 1’s total of 3 dice").fill("18")
    page.locator("#compare-rolls").tap()
    expect(page.locator("#roll-off-says")).to_have_text("Enter what Player 2 rolled.")
    page.get_by_label("Player 2", exact=True).fill("")
    page.locator("#compare-rolls").tap()
    expect(page.locator("#roll-off-says")).to_have_text("Enter the names of at least two players.")


def test_results_stay_on_the_phone_and_follow_corrections(space: WebSpace, person: Person, tmp_path: Path) -> None:
    book = shipped("yatzy")
    sheet = turns(book, 2, 1)
    (ann,), (bob,) = totals(book, 2, 1, sheet)
    page = person(size="phone", url=space.url, service_workers="block")
    page.goto(space.url)
    expect(page.locator("#history")).to_be_hidden()
    _bring(page, _carried(book, sheet[:-2], tmp_path, games=1))
    enter(page, sheet[-2:])
    expect(page.locator("#ending")).to_be_visible()
    _expect_results(page, space, ("Ann", ann), ("Bob", bob))
    _expect_results(page, space, ("Ann", ann), ("Bob", bob))  # once, however often the page is opened

    page.locator("#here-list a").tap()
    page.locator("#undo").tap()
    expect(page.locator("#keypad")).to_be_visible()
    page.goto(space.url)
    expect(page.locator("#here-list a")).to_be_visible()
    expect(page.locator("#history")).to_be_hidden()
    page.locator("#here-list a").tap()
    enter(page, sheet[-1:])
    expect(page.locator("#ending")).to_be_visible()
    _expect_results(page, space, ("Ann", ann), ("Bob", bob))

    page.get_by_role("button", name="Delete the score sheet of Ann and Bob").tap()
    expect(page.locator("#here")).to_be_hidden()
    _expect_results(page, space, ("Ann", ann), ("Bob", bob))
    page.locator("#history-delete").tap()
    expect_clean(page)
    page.locator("#history-delete-now").tap()
    expect(page.locator("#history")).to_be_hidden()


def _expect_results(page: Page, space: WebSpace, *players: tuple[str, int]) -> None:
    page.goto(space.url)
    page.locator("#history summary").tap()
    best = max(points for _, points in players)
    found = page.locator("#history tbody tr")
    expect(found).to_have_count(len(players))
    for name, points in players:
        row = re.compile(rf"{name}\s+1\s+{points}\.0\s+{points}\s+{int(points == best)}")
        expect(found.filter(has_text=name)).to_have_text(row, use_inner_text=True)
    expect(page.locator("#history caption")).to_have_text("Yatzy")


def test_plain_http_says_what_it_lacks(person: Person) -> None:
    page = person(size="phone")
    page.goto("/pad")
    expect(page.locator("#plain-http")).to_be_hidden()
    page.add_init_script(PLAIN)
    page.goto("/pad")
    expect(page.locator("#plain-http")).to_be_visible()
    expect(page.locator("#plain-http")).to_have_text(NO_HTTPS)
    page.get_by_role("button", name="Open score pad").tap()
    expect(page.locator("#awake")).to_be_visible()
    expect(page.locator("#awake")).to_have_text(NO_HTTPS)
