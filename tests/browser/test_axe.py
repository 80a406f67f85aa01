"""No page, in no situation, light or dark, has a violation that axe can find."""

from __future__ import annotations

from typing import Literal, TypeAlias

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from browser.axe import ALL, COLOURS, SHAPES, violations
from browser.chromium import SIZES
from browser.conftest import Person
from browser.scenes import Sight, all_sights
from long import LONG, few
from web.stage import Stage

Scheme: TypeAlias = Literal["light", "dark"]


@pytest.fixture(scope="module")
def sights(stage: Stage) -> list[Sight]:
    return all_sights(stage)


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing(sights: list[Sight], person: Person, size: str) -> None:
    pages: dict[str, Page] = {}
    found = []
    for number, sight in enumerate(_looked_at(sights, size)):
        if sight.who not in pages:
            pages[sight.who] = person(sight.who, size, reduced_motion="reduce")
            pages[sight.who].add_init_script(AXE_SCRIPT)
        page = pages[sight.who]
        first: Scheme = "light" if LONG or number % 2 else "dark"  # every page in one of them, and by turns
        page.emulate_media(color_scheme=first)
        answer = page.goto(sight.path)
        assert answer is not None
        assert answer.status == sight.status, sight
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found += violations(page, f"{sight.name}, {first}", ALL if size == "phone" else SHAPES)
        if size == "phone" and LONG:
            page.emulate_media(color_scheme="dark")
            found += violations(page, f"{sight.name}, dark", COLOURS)
    assert not found, "\n\n".join(found)


def _looked_at(sights: list[Sight], size: str) -> list[Sight]:
    """On the desk only what is laid out differently there; some of them, and all in the long version."""
    return few(sights, 5) if size == "phone" else few([sight for sight in sights if sight.shot], 2)
