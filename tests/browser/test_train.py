"""The daily ten and the trainer on a phone, from the page to the shared text; and without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person

PHONE = {"width": 390, "height": 664}


def fits_on_one_screen(page: Page) -> bool:
    """Nothing scrolls, and the dice, the last box and the button can be seen."""
    seen = page.evaluate(
        "() => [document.documentElement.scrollHeight, ...['.thumb', '.dice', '.scores tbody']"
        ".map((each) => document.querySelector(each).getBoundingClientRect().bottom)]"
    )
    return all(bottom <= PHONE["height"] + 1 for bottom in seen)


def decide(page: Page, number: int) -> None:
    """Keep a die or score a box, whichever is possible."""
    dice = page.locator(".die-slot input")
    if number % 2 and dice.count():
        page.keyboard.press("1")
        expect(dice.first).to_be_checked()
    else:
        page.locator("#score-form .box").first.click()
        expect(page.locator(".box.chosen")).to_have_count(1)
    page.locator("#roll").click()
    expect(page.locator(".verdict")).to_be_visible()


def test_the_ten_of_a_day_on_a_phone_up_to_the_shared_text(person: Person) -> None:
    page = person("Tess", "phone", viewport=PHONE)
    page.goto("/daily/ten")
    for number in range(10):
        assert fits_on_one_screen(page)
        if number == 2:
            expect_clean(page)
        decide(page, number)
        assert fits_on_one_screen(page)
        if number == 3:
            before = page.locator(".verdict").inner_text()
            page.go_back()
            page.reload()
            page.goto("/daily/ten?n=4")
            expect(page.locator(".verdict")).to_have_text(before)
            expect_clean(page)
        page.keyboard.press("n")
        expect(page.locator(".verdict")).to_have_count(0)
    expect(page.locator(".big-result")).to_contain_text("lost")
    text = page.locator("#share-text").input_value()
    assert re.fullmatch(r"Fivedice ([-\d]{10}) · Daily ten\n[\d.]+ points lost\n[🟩🟨🟧🟥]{10}\nhttp\S+/daily/\1", text)
    expect(page.locator("[data-copy]")).to_be_visible()
    expect_clean(page)


def test_training_on_a_phone_with_a_hint_and_a_summary(person: Person) -> None:
    page = person("Theo", "phone", viewport=PHONE)
    page.goto("/train")
    expect_clean(page)
    page.get_by_role("button", name="Upper bonus").click()
    expect(page.locator("#headline")).to_have_text("What do you do?")
    page.locator("#hint").click()
    expect(page.locator(".tip")).to_be_visible()
    assert fits_on_one_screen(page)
    decide(page, 0)
    assert fits_on_one_screen(page)
    page.locator("#next").click()
    expect(page.locator("#hint")).to_be_enabled()
    page.get_by_role("link", name="Themes").click()
    expect(page.locator("#last")).to_have_text("The last answer")


def test_training_to_win_shows_two_players_on_one_screen(person: Person) -> None:
    page = person("Vera", "phone", viewport=PHONE)
    page.goto("/train/themes?book=yahtzee")
    page.get_by_role("button", name="Playing to win").click()
    expect(page.locator("#headline")).to_have_text(re.compile(r"^You (lead by|trail by|are level).* to \d+\.$"))
    expect(page.locator(".said")).to_contain_text("The other player has")
    assert fits_on_one_screen(page)
    page.locator("#hint").click()
    expect(page.locator(".tip")).to_be_visible()
    assert fits_on_one_screen(page)
    overlapping = "([one, other]) => one.getBoundingClientRect().bottom > other.getBoundingClientRect().top"
    assert not page.evaluate(f"({overlapping})(['.paper', '#headline'].map((each) => document.querySelector(each)))")
    assert not page.evaluate(f"({overlapping})(['.tip', '.die-slot'].map((each) => document.querySelector(each)))")
    expect_clean(page)
    decide(page, 0)
    expect(page.locator(".said")).to_contain_text("Odds to win")
    assert fits_on_one_screen(page)
    expect_clean(page)


def test_it_works_without_scripts(person: Person) -> None:
    page = person("Uma", "phone", viewport=PHONE, java_script_enabled=False)
    page.goto("/train")
    page.locator("#start").click()
    page.locator("#score-form .box").first.click()
    expect(page.locator(".verdict")).to_be_visible()
    page.locator("#next").click()
    expect(page.locator("#headline")).to_have_text("What do you do?")
