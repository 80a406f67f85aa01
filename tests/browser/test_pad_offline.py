"""The score pad in a dead spot: go on writing, reload, come back, and everything arrives once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Person
from browser.test_pad import TURN, pad_at
from fivedice.table import events as ev
from fivedice.table.decide import handing_over
from web.gate import Gate
from web.pads import open_pad, who
from web.serving import Serving
from web.stage import Stage

KEPT = """async (path) => {
    const cache = await caches.open((await caches.keys())[0]);
    const page = await cache.match(path);
    const { version } = document.getElementById("table").dataset;
    return Boolean(page) && (await page.text()).includes(`data-version="${version}"`);
}"""
PATHS = """async () => {
    const cache = await caches.open((await caches.keys())[0]);
    return (await cache.keys()).map((one) => new URL(one.url).pathname);
}"""
FORGOTTEN = "async (path) => !(await caches.match(path))"
ANSWERED = """(id) => {
    const known = JSON.parse(localStorage.getItem(`fivedice-pad/${id}/answers`) ?? "{}");
    return JSON.parse(document.getElementById("table").dataset.pad).seats.every((seat) => seat.card in known);
}"""


@pytest.fixture
def gate(server: Serving) -> Iterator[Gate]:
    with Gate(server.port) as gate:
        yield gate


def _go_dark(page: Page, gate: Gate) -> None:
    """The browser alone is not believed: a service worker that it wakes just then may still get a request through."""
    gate.shut()
    page.context.set_offline(True)


def _come_back(page: Page, gate: Gate) -> None:
    gate.open()
    page.context.set_offline(False)


def _ready_to_go_dark(page: Page, path: str) -> None:
    """The phone has the page and the answers of the table as it stands."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.wait_for_function(KEPT, arg=path)
    page.wait_for_function(ANSWERED, arg=path.removeprefix("/t/"))


def test_a_dead_spot_on_the_lawn(stage: Stage, person: Person, gate: Gate) -> None:
    path = open_pad(stage, "yardzee", ["Ann", "Bob"])
    page = person("Ann", "phone", url=gate.url)
    pad = pad_at(page, path)
    pad.write("66663", "sixes", "Bob")
    pad.write("11123", "aces", "Ann")
    _ready_to_go_dark(page, path)

    _go_dark(page, gate)
    pad.tap("44444")
    assert page.locator("#box-five_of_a_kind strong").inner_text() == "50", "the answers are on the phone"
    page.locator("#box-five_of_a_kind").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator("#waiting")).to_contain_text("Waiting to be sent (1)")
    expect(page.locator("thead .on-turn")).to_contain_text("Bob")
    pad.tap("2223")
    page.reload()  # without a connection: the page, what waits and what is half typed are still there
    expect(page.locator("#waiting")).to_contain_text("Ann: 4-4-4-4-4, Yardzee 50")
    expect(page.locator("#cell-0-five_of_a_kind")).to_contain_text("50")
    pad.tap("4")
    page.locator("#box-twos").tap()
    expect(page.locator("#waiting")).to_contain_text("Waiting to be sent (2)")
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    # A second turn of the same player: the answers end here, and the page says so.
    pad.tap("44444")
    expect(page.locator("#local")).to_contain_text("Points and rules are checked later.")
    page.locator("#box-chance").tap()
    expect(page.locator("#waiting")).to_contain_text("Waiting to be sent (3)")
    assert _written(stage, path) == ["sixes", "aces"]

    _come_back(page, gate)
    refused = page.locator("#waiting .refused")
    expect(refused).to_contain_text("4-4-4-4-4 must go in Fours, which is open")
    expect(page.locator("#waiting")).to_contain_text("Waiting to be sent (1)")
    assert _written(stage, path) == ["sixes", "aces", "five_of_a_kind", "twos"]
    page.get_by_role("button", name="Change entry").tap()
    expect(page.locator("button.pad-box")).to_have_count(1)
    page.locator("#box-fours").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    pad.expect_sent()
    assert _written(stage, path) == ["sixes", "aces", "five_of_a_kind", "twos", "fours"]
    expect(page.locator("tr.row-grand td").first).to_have_text(str(24 + 50 + 20 + 100))


def _written(stage: Stage, path: str) -> list[str]:
    """The boxes in the log itself: an entry that arrived twice would be seen."""
    events = stage.store.events_after(path.removeprefix("/t/"), 0)
    return [event.box for event in events if isinstance(event, ev.Scored)]


def test_what_was_discarded_leaves_its_turn_open(stage: Stage, person: Person, gate: Gate) -> None:
    """Somebody else wrote that turn meanwhile: the entry is refused, shown, and can be thrown away."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Ann", "phone", url=gate.url)
    pad = pad_at(page, path)
    other = pad_at(person("Ann", "phone"), path)
    _ready_to_go_dark(page, path)
    _go_dark(page, gate)
    pad.tap("66661")
    page.locator("#box-sixes").tap()
    other.write("55551", "fives", "Bob")
    _come_back(page, gate)
    expect(page.locator("#waiting .refused")).to_contain_text("Already scored: Ann has 1-5-5-5-5 in Fives for 20.")
    page.get_by_role("button", name="Discard entry").tap()
    pad.expect_sent()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    assert _written(stage, path) == ["fives"]


def test_only_the_keepers_pad_is_kept(stage: Stage, person: Person) -> None:
    """Another table of the same phone goes its own way, and a pad is forgotten with the pencil."""
    path = open_pad(stage, "yatzy", ["Ann"])
    page = person("Ann", "phone")
    pad_at(page, path)
    _ready_to_go_dark(page, path)
    page.goto(stage.put(stage.scene("yahtzee", "Ann").start()))
    page.locator("#roll").tap()
    expect(page.locator(".rolls")).to_contain_text("2 rolls left")
    kept = page.evaluate(PATHS)
    assert any(kept_path.endswith("/pad/pad.js") for kept_path in kept)
    assert path in kept
    assert page.evaluate("location.pathname") not in kept

    table = path.removeprefix("/t/")
    code = handing_over.offer_pencil(stage.tables, table, who("Ann"))
    handing_over.take_pencil(stage.tables, table, who("Bob"), code)
    page.goto(path)
    expect(page.locator("#keypad")).to_have_count(0)
    page.wait_for_function(FORGOTTEN, arg=path)
