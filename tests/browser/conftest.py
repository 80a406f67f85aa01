"""One server and one browser for all tests here; every person is a browser context of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.chromium import PATIENCE, SIZES, cookie, found, keep_pace, launch_args
from browser.modules import blank_page
from long import few
from web.gate import LATENCY
from web.served import folder, server, stage
from web.serving import Serving
from web.stage import key_of

__all__ = ["PATIENCE", "Person", "browser_type_launch_args", "folder", "person", "regular", "server", "size", "stage"]

HERE = Path(__file__).parent
expect.set_options(timeout=PATIENCE)
# Where the network is slow the phone is slow too: its database says a third of that time later that something is kept.
LATE_STORAGE = f"""(() => {{
    const own = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "oncomplete");
    const late = (run) => (event) => setTimeout(() => run(event), {LATENCY * 1000 / 3:.0f});
    Object.defineProperty(IDBTransaction.prototype, "oncomplete", {{
        ...own, set(run) {{ own.set.call(this, late(run)); }},
    }});
}})()"""
LEFT_OUT = "no Chromium was found: install one, or set FIVEDICE_CHROMIUM to its path"

Person = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if found() is None:
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=LEFT_OUT))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was not looked at must be plain to see."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if LEFT_OUT in str(report.longrepr)]
    if skipped:
        terminalreporter.section("BROWSER TESTS LEFT OUT", sep="!", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} browser tests did not run: {LEFT_OUT}.")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return launch_args()


@pytest.fixture(scope="package", autouse=True)
def _shipped_tables() -> Iterator[None]:
    """Read the shipped tables, as every player does: nothing here is about solving."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("FIVEDICE_TABLES")
        yield


@pytest.fixture(scope="session")
def blank(browser: Browser) -> Iterator[Page]:
    """One page for all that only runs scripts; a test that leaves something behind goes to "/" first."""
    with blank_page(browser) as page:
        yield page


@pytest.fixture(params=few(SIZES, 1))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def person(browser: Browser, server: Serving) -> Iterator[Person]:
    """A person with a browser: `person()` is new here, `person("Ann")` is the Ann of the staged tables.

    What moves, moves faster for them, so that the tests need not wait; who looks at the motion itself says `pace=1`.
    A service worker loads thirty pages for later. Only a person with a `url`, who may lose the connection, has one.
    """
    with _people(browser, server) as come:
        yield come


@pytest.fixture(scope="module")
def regular(browser: Browser, server: Serving) -> Iterator[Person]:
    """Return a person whose page stays open for the next test of the file, which is half of the cost of a page.

    For tests that go to another table at once, and leave no setting, route or script behind.
    """
    with _people(browser, server) as come:
        yield cache(come)


@contextmanager
def _people(browser: Browser, server: Serving) -> Iterator[Person]:
    contexts: list[BrowserContext] = []

    def come(name: str = "", size: str = "desk", *, url: str = "", pace: float = 20, **options: Any) -> Page:
        options = {"viewport": SIZES[size], "service_workers": "allow" if url else "block"} | options
        options |= {"base_url": url or server.url, "has_touch": size == "phone"}
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        if LATENCY:
            context.add_init_script(LATE_STORAGE)
        contexts.append(context)
        if name:
            context.add_cookies([cookie(key_of(name), url or server.url)])  # type: ignore[list-item]
        page = context.new_page()
        keep_pace(page, pace)
        return page

    yield come
    for context in contexts:
        context.close()
