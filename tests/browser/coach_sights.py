"""The coach at work, for the screenshots: these need a solved book and a few taps before the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from fivedice.core.rules import book
from fivedice.solver import solve
from fivedice.solver.bonus import bonus_chances
from web.stage import Stage

BOOK = "yahtzee"
SPARED = ("chance", "full_house", "fours", "large_straight")

Taps = Callable[[Page], None]


def coach_sights(stage: Stage) -> Iterator[tuple[str, str, Taps]]:
    """Name, path, and what is done there first."""
    solution = solve(book(BOOK))
    bonus_chances(solution)
    solution.prepare()  # the server reads all of it from the same folder
    scene = stage.scene(BOOK, "Ann", "Bob", "Cleo").start().play_until(30, SPARED).roll("44126")
    path = stage.put(scene)
    yield "coach", path, _ask
    yield "chances", path, _look_at_chances
    yield "training", path, _be_warned


def _ask(page: Page) -> None:
    page.keyboard.press("h")
    page.locator("#coach-why > summary").click()
    page.locator(".choices").wait_for()


def _open_wishes(page: Page) -> None:
    folded = page.locator("details:has(#coach-wants):not([open]) > summary")
    while folded.count():
        folded.first.click()
    page.locator("#coach-wants > summary").click()


def _look_at_chances(page: Page) -> None:
    _open_wishes(page)
    page.locator("#toggle-odds").click()
    page.locator("#odds strong").first.wait_for()


def _be_warned(page: Page) -> None:
    _open_wishes(page)
    page.locator("#training").select_option("3")
    page.locator("#save-training").click()
    page.locator(".saved").wait_for()
    page.keyboard.press("Escape")
    page.locator("label:has(#die-2)").click()
    page.locator("#roll").click()
    page.locator("#confirm-first").wait_for()
