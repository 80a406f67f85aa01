"""What axe finds on a page."""

from __future__ import annotations

from itertools import count
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

from long import few

# Whether anything but colours is right does not depend on the colours, nor do they depend on the width.
RULES = ["color-contrast", "link-in-text-block"]
ALL = {"resultTypes": ["violations"]}
COLOURS = {"runOnly": RULES} | ALL
SHAPES = {"rules": {rule: {"enabled": False} for rule in RULES}} | ALL
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
RUN = "options => axe.run(options).then(results => results.violations)"  # only what is wrong: the rest is most of it
_looks = count()  # of this run


def violations(page: Page, where: str, options: dict[str, Any]) -> list[str]:
    """Describe what is wrong on the page as it is now; the script of axe is put there once."""
    if page.evaluate("() => typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    results = AxeResults({"violations": page.evaluate(RUN, options)})
    return [f"{where}: {results.generate_report()}"] if results.violations_count else []


def expect_clean(page: Page, where: str = "") -> None:
    """Expect no violation at every third look, in light or dark colours, as the seed of the run draws.

    In the long version every look counts, in both colours.
    """
    found = []
    if next(_looks) % 3 not in few(range(3), 1):
        return
    for number, scheme in enumerate(few(SCHEMES, 1)):
        page.emulate_media(color_scheme=scheme)
        found += violations(page, f"{where} {scheme}", COLOURS if number else ALL)
    assert not found, "\n\n".join(found)
