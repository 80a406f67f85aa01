"""No page, in no situation, light or dark, has a violation that axe can find."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

from browser.conftest import Person
from browser.scenes import Sight, all_sights
from long import LONG
from web.stage import Stage

# Whether anything but colours is right does not depend on the colours, nor do they depend on the width.
RULES = ["color-contrast", "link-in-text-block"]
Scheme: TypeAlias = Literal["light", "dark"]
ALL = {"resultTypes": ["violations"]}
COLOURS = {"runOnly": RULES} | ALL
SHAPES = {"rules": {rule: {"enabled": False} for rule in RULES}} | ALL


def test_axe_finds_nothing(stage: Stage, person: Person, size: str) -> None:
    pages: dict[str, Page] = {}
    found = []
    for number, sight in enumerate(_looked_at(all_sights(stage), size)):
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
        found += _violations(page, f"{sight.name}, {first}", ALL if size == "phone" else SHAPES)
        if size == "phone" and LONG:
            page.emulate_media(color_scheme="dark")
            found += _violations(page, f"{sight.name}, dark", COLOURS)
    assert not found, "\n\n".join(found)


def _looked_at(sights: list[Sight], size: str) -> list[Sight]:
    """On the desk only what is laid out differently there, and not every one of them unless `make exhaustive` looks."""
    if size == "phone":
        return sights if LONG else sights[::2]
    shown = [sight for sight in sights if sight.shot]
    return shown if LONG else shown[::4]


def _violations(page: Page, where: str, options: dict[str, Any]) -> list[str]:
    # Only what is wrong is brought back, and the script is there already: both would be most of the work.
    wrong = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    results = AxeResults({"violations": wrong})
    return [f"{where}: {results.generate_report()}"] if results.violations_count else []
