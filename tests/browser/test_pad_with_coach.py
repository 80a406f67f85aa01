"""The coach on the score pad: the server's, then the phone's own, and that without any connection."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Person
from fivedice.coaching.hints import coach
from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import shipped
from fivedice.solver import solve
from web.serving import Serving

LONG = 120  # seconds


@pytest.fixture
def page(person: Person, server: Serving) -> Page:
    solve(shipped("yahtzee"))  # stored, for the server too, which now packs it, at a low priority
    assert httpx.get(f"{server.url}/pad/coach/yahtzee", timeout=LONG).status_code == 200
    found = person("Ann", "phone")
    found.goto("/pad?book=yahtzee")
    found.locator("main form[action='/pad'] button.primary").first.click()
    found.wait_for_url("**/t/**")
    return found


def enter(page: Page, dice: str) -> None:
    for face in dice:
        page.locator(f"#face-{face}").click()


def test_fetched_once_it_helps_through_a_turn_without_a_connection(page: Page) -> None:
    """Which dice to keep, roll by roll, and which box."""
    solution, empty = solve(shipped("yahtzee")), Scorecard.empty(shipped("yahtzee"))
    page.locator("[data-mode=rolls]").click()
    enter(page, "24466")
    page.locator("#ask-coach").click()
    expect(page.locator("#coach-title")).to_have_text(coach(solution, empty, Roll((2, 4, 4, 6, 6)), 2).sentence)
    page.locator("#coach-fetch").click()
    expect(page.locator("#coach-title")).to_have_text(coach(solution, empty, Roll((2, 4, 4, 6, 6)), 2).headline)
    page.context.set_offline(True)
    page.locator("#coach-hold").click()
    for slot in range(5):
        expect(page.locator(f"#die-{slot}")).to_have_attribute("aria-pressed", str(slot > 2).lower())
    enter(page, "666")
    page.locator("#ask-coach").click()
    expect(page.locator("#coach-title")).to_have_text(coach(solution, empty, Roll((6, 6, 6, 6, 6)), 1).headline)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".advised")).to_have_count(1)
    page.locator(".advised").click()
    expect(page.locator("#ask-coach")).to_have_count(0)


def test_who_enters_the_last_dice_says_how_many_rolls_are_left(page: Page) -> None:
    solution, empty = solve(shipped("yahtzee")), Scorecard.empty(shipped("yahtzee"))
    page.locator("[data-mode=quick]").click()
    enter(page, "11456")
    page.locator("#ask-coach").click()
    page.locator("#coach-fetch").click()
    for left in (0, 2, 1):
        page.locator(f"#rolls-left-{left}").click()
        said = coach(solution, empty, Roll((1, 1, 4, 5, 6)), left)
        expect(page.locator("#coach-title")).to_have_text(said.headline)
