"""The first page on one screen, the journeys that begin there, and what a second visit fetches."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Person
from browser.player import Player
from long import few, long_only
from web.serving import Serving
from web.stage import Stage

WINDOWS = [(390, 664), (360, 600), (390, 844), (844, 390), (820, 1180), (1280, 720), (1920, 1080)]
LONG_NAME = "Maximiliane-Theodora von und zu Hohenlinden"
# All controls with their place in the window.
PLACES = """() => [...document.querySelectorAll("h1, .five-dice, .door, .below > *, .brand")].map((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return { what: each.className || each.tagName, left, top, right, bottom, door: each.matches(".door") };
})"""
FULL = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def _fits_in_one_screen(page: Page) -> None:
    width, height = page.evaluate("[innerWidth, innerHeight]")
    assert page.evaluate(FULL) == [width, height]
    places = page.evaluate(PLACES)
    assert len(places) >= 7
    for place in places:
        inside = place["left"] >= 0 and place["top"] >= 0 and place["right"] <= width and place["bottom"] <= height
        assert inside, (place, width, height)
    doors = [place["bottom"] - place["top"] for place in places if place["door"]]
    assert len(doors) == 6
    assert min(doors) >= 44, (places, width, height)


def test_the_first_page_is_one_screen(stage: Stage, person: Person) -> None:
    stage.put(stage.scene("yahtzee", "Wanda", "Bob").start().turn("55521", "fives").turn("66663", "sixes"))
    stage.put(stage.scene("yahtzee", "Wanda"))
    stage.put(stage.scene("yahtzee-classic", LONG_NAME, "Grandpa Joe of the North", "Bob", "Cleo").start())
    for language, who in few(product(("en-GB", "en-XA"), ("Newcomer", "Wanda", LONG_NAME)), 2):
        page = person(who, locale=language)
        page.goto("/")
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            _fits_in_one_screen(page)


def test_the_doors_are_where_the_thumb_is(person: Person) -> None:
    page = person()
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto("/")
    for door in page.locator(".door").all():
        box = door.bounding_box()
        assert box is not None
        assert box["y"] > 664 / 2


@pytest.mark.parametrize("script", few([True, False], 1), ids=lambda script: "script" if script else "no script")
def test_a_friend_by_one_press_each(person: Person, script: bool) -> None:
    """The host presses once and has a link; the friend presses once and both play."""
    host, guest = (person(size="phone", java_script_enabled=script) for _ in range(2))
    host.goto("/")
    host.get_by_role("button", name="Play a friend").click()
    expect(host.get_by_role("heading", name="Invite a friend")).to_be_visible()
    expect(host.get_by_role("img", name="QR code of this link")).to_be_visible()
    link = host.get_by_label("Invitation link").input_value()
    host.get_by_label("Your name").fill("Ann")
    host.get_by_role("button", name="Save name").click()
    expect(host.locator(".people-list")).to_contain_text("Ann")
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Ann invites you to Yahtzee")).to_be_visible()
    guest.get_by_role("button", name="Join game").click()
    expect(guest.locator("#headline")).to_be_visible()
    if not script:
        host.get_by_role("link", name="Refresh").click()
    expect(host.locator("#headline")).to_be_visible()
    first = host if host.locator("#roll").count() else guest
    Player(first).roll()
    # Names are remembered: the next friend's game has the host's already.
    host.goto("/")
    expect(host.get_by_role("link", name="Continue")).to_be_visible()
    host.get_by_role("button", name="Play a friend").click()
    expect(host.get_by_label("Your name")).to_have_value("Ann")


def test_the_name_of_the_host_comes_first_and_needs_no_button(person: Person) -> None:
    page = person(viewport={"width": 390, "height": 664})
    page.goto("/")
    page.get_by_role("button", name="Play a friend").click()
    expect(page.get_by_label("Your name")).to_be_in_viewport()
    expect(page.get_by_role("img", name="QR code of this link")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".people-list")).to_contain_text("Ann")
    expect(page.get_by_label("Your name")).to_be_hidden()


@long_only
def test_waiting_for_more_than_one_friend(person: Person) -> None:
    host = person(size="phone")
    guests = [person(size="phone") for _ in range(2)]
    host.goto("/")
    host.get_by_role("button", name="Play a friend").click()
    host.get_by_role("button", name="Wait for more players").click()
    expect(host.get_by_role("button", name="Wait for more players")).to_have_count(0)
    for number, guest in enumerate(guests):
        guest.goto(host.get_by_label("Invitation link").input_value())
        guest.get_by_label("Name").fill(f"Guest {number}")
        guest.get_by_role("button", name="Join game").click()
        expect(host.locator(".people-list li")).to_have_count(number + 2)
    host.get_by_role("button", name="Start game").click()
    for page in (host, *guests):
        expect(page.locator("#headline")).to_be_visible()


def test_the_link_is_copied_and_shared(person: Person) -> None:
    page = person(size="phone", permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    page.goto("/")
    page.get_by_role("button", name="Play a friend").click()
    link = page.get_by_label("Invitation link").input_value()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("[data-copy]")).to_have_text("Link copied")
    expect(page.locator("#live")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Share link").click()
    shared = page.wait_for_function("window.shared").json_value()
    assert (shared["url"], shared["text"]) == (link, "You are invited to Yahtzee")


def test_where_nothing_shares_the_button_is_not_shown(person: Person) -> None:
    page = person(size="phone")
    page.add_init_script("delete Navigator.prototype.share")
    page.goto("/")
    page.get_by_role("button", name="Play a friend").click()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.get_by_role("button", name="Share link")).to_have_count(0)


def test_the_menu_folds_up_beside_it(person: Person) -> None:
    page = person(size="phone")
    page.goto("/")
    help_link = page.get_by_role("navigation").get_by_role("link", name="Help")
    expect(help_link).to_have_count(0)
    page.locator(".menu > summary").click()
    expect(help_link).to_be_visible()
    page.mouse.click(100, 700)
    expect(help_link).to_have_count(0)
    assert page.url.endswith("/"), "and no other control was pressed"
    page.locator(".menu > summary").click()
    help_link.click()
    expect(page.get_by_role("heading", name="Help", exact=True)).to_be_visible()


class Scales:
    """What comes over the wire, by its address: what the browser has kept weighs nothing."""

    def __init__(self, page: Page) -> None:
        self._urls: dict[str, str] = {}
        self._found: dict[str, int] = {}
        line = page.context.new_cdp_session(page)
        line.on("Network.requestWillBeSent", self._asked)
        line.on("Network.loadingFinished", self._came)
        line.send("Network.enable")

    def _asked(self, event: dict[str, Any]) -> None:
        self._urls[event["requestId"]] = event["request"]["url"]

    def _came(self, event: dict[str, Any]) -> None:
        url = self._urls[event["requestId"]]
        self._found[url] = self._found.get(url, 0) + int(event["encodedDataLength"])

    def taken(self) -> dict[str, int]:
        """Since the last time."""
        found, self._found = self._found, {}
        return found


def test_a_first_visit_is_light_and_a_second_fetches_no_script_or_style(browser: Browser, server: Serving) -> None:
    context = browser.new_context(base_url=server.url, viewport={"width": 390, "height": 664})
    page = context.new_page()
    scales = Scales(page)
    page.goto("/", wait_until="load")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#roll")).to_be_visible()
    # It is fetched after the page is loaded: counted always, or the weight would depend on who is quicker.
    page.wait_for_function("() => localStorage.getItem('fivedice:receipts')")
    first = scales.taken()
    assert any(url.endswith("/receipt.json") for url in first), first
    assert any(url.endswith(".css") and size > 1000 for url, size in first.items()), first
    assert 10_000 < sum(first.values()) < 45_000, first
    for path in ("/", page.url):
        page.goto(path, wait_until="load")
    again = {url: size for url, size in scales.taken().items() if url.endswith((".js", ".css"))}
    assert again, "they are still asked for, of the browser itself"
    assert sum(again.values()) < 5_000, again
    context.close()


def test_a_first_visit_to_a_score_sheet_takes_at_most_67_kb_in_16_requests(browser: Browser, server: Serving) -> None:
    """Headers count. What an empty sheet does not need is fetched later: panels, coach, sharing, printing."""
    context = browser.new_context(base_url=server.url, viewport={"width": 390, "height": 664}, service_workers="block")
    opened = context.request.post("/pad", form={"book": "yahtzee", "name": "Ann", "first": "0"}, max_redirects=0)
    page = context.new_page()
    scales = Scales(page)
    page.goto(opened.headers["location"], wait_until="load")
    expect(page.locator("body.painted #card .pad-box").first).to_be_visible()
    first = {url: size for url, size in scales.taken().items() if not url.endswith("/pad/panels.js")}
    assert any(url.endswith("/pad/painting.js") for url in first), first
    assert 40_000 < sum(first.values()) < 67_000, first
    assert len(first) <= 16, first
    context.close()
