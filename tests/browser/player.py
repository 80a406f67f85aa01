"""What a person does at a table, with a pointer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect


class Player:
    """A person at the page of a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.table = page.locator("#table")

    @property
    def version(self) -> int:
        return int(self.table.get_attribute("data-version") or 0)

    @property
    def dice(self) -> list[str]:
        return self.page.locator(".dice .digit").all_inner_texts()

    def expect_dice(self, dice: Iterable[str]) -> None:
        expect(self.page.locator(".dice .digit")).to_have_text(list(dice))

    @property
    def rolls_left(self) -> Locator:
        return self.page.locator(".rolls")

    def box(self, key: str) -> Locator:
        return self.page.locator(f"#box-{key}")

    def roll(self) -> None:
        self._do(self.page.locator("#roll"))

    def hold(self, *slots: int) -> None:
        for slot in slots:
            self.page.locator(f"label:has(#die-{slot})").click()

    def score(self, key: str = "") -> None:
        """Fill a box: this one, or one that pays if there is any."""
        paying = self.page.locator("button.box:not(.zero)")
        best = paying if paying.count() else self.page.locator("button.box")
        self._do(self.box(key) if key else best.first)

    def turn(self) -> None:
        self.roll()
        self.score()

    def finish(self, most_turns: int = 25) -> int:
        """Play alone to the end, and return the final score."""
        for _ in range(most_turns):
            if self.page.locator("#roll").count() == 0:
                break
            self.turn()
        return self.final_score()

    def final_score(self) -> int:
        headline = self.page.locator("#headline")
        expect(headline).to_contain_text("Final score")
        found = re.search(r"\d+", headline.inner_text())
        assert found is not None
        return int(found[0])

    def _do(self, button: Locator) -> None:
        version = self.table.get_attribute("data-version") or ""
        button.click()
        expect(self.table).not_to_have_attribute("data-version", version)

    def expect_version(self, version: int) -> None:
        expect(self.table).to_have_attribute("data-version", str(version))


def open_more(page: Page) -> None:
    """Unfold the menu, and what is seldom needed in it."""
    page.locator("#around > summary").click()
    page.locator("#around-more > summary").click()


def at(page: Page, path: str) -> Player:
    """Return a person who has opened a table."""
    page.goto(path)
    return Player(page)
