"""The coach at work, for the screenshots: these need a solved book and a few taps before the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from fivedice.rules import book
from fivedice.solver import solve
from fivedice.solver.spread import follow
from web.stage import Stage

BOOK = "yahtzee"
SPARED = ("chance", "full_house", "fours", "large_straight")

Taps = Callable[[Page], None]


def coach_sights(stage: Stage) -> Iterator[tuple[str, str, Taps]]:
    """Name, path, and what is done there first."""
    follow(solve(book(BOOK)))  # the server reads it from the same folder
    scene = stage.scene(BOOK, "Ann", "Bob", "Cleo").start().play_until(30, SPARED).roll("44126")
    path = stage.put(scene)
    yield "coach", path, _ask
    yield "chances", path, _look_at_chances
    yield "training", path, _be_warned


def _ask(page: Page) -> None:
    page.keyboard.press("h")
    page.locator(".choices").wait_for()


def _look_at_chances(page: Page) -> None:
    page.locator("#coach-wants summary").click()
    page.locator("#toggle-odds").click()
    page.locator(".odds-row").first.wait_for()


def _be_warned(page: Page) -> None:
    page.locator("#coach-wants summary").click()
    page.locator("#training").select_option("3")
    page.locator("#save-training").click()
    page.locator("#training option[value='3'][selected]").wait_for(state="attached")
    page.locator("label:has(#die-2)").click()
    page.locator("#roll").click()
    page.locator("#confirm-first").wait_for()
