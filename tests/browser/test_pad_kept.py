"""What a score pad keeps on the phone: nothing is lost, whatever is closed, cut or taken away."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from playwright.sync_api import Page, Playwright, Request, expect

from browser.chromium import SIZES, cookie, launch_args
from browser.conftest import Person
from browser.settled import PAINTED, settle, until
from browser.test_pad import TURN, Pad, pad_at
from browser.test_pad_offline import (
    FULL,
    HELD_RETRY,
    NO_WORKERS,
    ONLY_HERE,
    READY,
    RETRY,
    _come_back,
    _cut_off,
    _go_dark,
    _sheet,
    gate,
)
from fivedice.table.service import handing_over
from long import few, long_only
from web.gate import Gate
from web.pads import open_pad, turns, who
from web.stage import Stage, key_of

__all__ = ["gate"]

# The part of the page that changes is fetched anew; the old one is marked.
RENEW = "() => { document.getElementById('table').dataset.old = ''; dispatchEvent(new Event('online')); }"


# --- the connection ---


def test_a_sent_entry_is_there_after_a_reload_without_connection(stage: Stage, person: Person, gate: Gate) -> None:
    """Whenever the connection broke; and the sheet opens also where it was opened while the service worker began."""
    page = person("Ann", "phone", url=gate.url)
    for heard in few(("**/commands", "**{path}"), 1):
        path = open_pad(stage, "yatzy", ["Ann", "Bob"])
        pad = pad_at(page, path)
        until(page, READY)
        settle(page)
        with page.expect_response(heard.format(path=path)):
            pad.enter("66661", "sixes")
        _go_dark(page, gate)
        page.reload()
        expect(page.locator("#turn-0-0"), heard).to_have_text("24")
        expect(pad.headline, heard).to_have_text(TURN.format("Bob"))
        pad.enter("12345", "chance")
        expect(pad.headline, heard).to_have_text(TURN.format("Ann"))
        _come_back(page, gate)
        pad.expect_sent()
        assert _sheet(stage, path) == ["sixes", "chance"], heard
        expect(page.locator("#follow"), heard).to_be_visible()  # the page of the server took the place of the frame


def test_a_server_in_trouble_leaves_the_sheet(stage: Stage, person: Person, gate: Gate) -> None:
    """It is not well, or busy, or the connection breaks amid the page: the phone has the sheet, now and later."""
    page = person("Ann", "phone", url=gate.url)
    troubles = {
        "unwell": lambda: gate.refuse(503),
        "busy": lambda: gate.refuse(429),
        "broken": lambda: gate.break_off(3000),
    }
    for name, begin in few(troubles.items(), 1):
        pad = pad_at(page, open_pad(stage, "yatzy", ["Ann", "Bob"]))
        until(page, READY)
        pad.write("66661", "sixes", "Bob")
        begin()
        for _ in range(2):
            page.reload()
            expect(pad.headline, name).to_have_text(TURN.format("Bob"))
        gate.shut()
        page.reload()
        expect(page.locator("#turn-0-0"), name).to_have_text("24")
        gate.open()


def test_others_see_that_there_is_no_connection(stage: Stage, person: Person, gate: Gate) -> None:
    """A sheet that was only watched is not kept, nor is a table without a pad."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Bob", "phone", url=gate.url)
    page.goto(path)
    until(page, READY)
    _go_dark(page, gate)
    for address in (path, "/t/another"):
        page.goto(address)
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def test_a_tap_counts_also_where_the_page_is_renewed_under_the_finger(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Ann", "phone")
    pad_at(page, path)
    settle(page)
    page.locator("#face-6").hover()
    page.mouse.down()
    with page.expect_response(f"**{path}") as fresh:
        page.evaluate(RENEW)
    fresh.value.finished()
    page.evaluate(PAINTED)
    page.mouse.up()
    expect(page.locator("#slots .die:not(.empty)")).to_have_count(1)
    expect(page.locator("#table[data-old]")).to_have_count(0)


def test_full_storage_says_so_and_sends_each_entry_once(stage: Stage, person: Person, gate: Gate) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Ann", "phone", url=gate.url)
    page.add_init_script(NO_WORKERS)
    page.add_init_script(HELD_RETRY)
    pad = pad_at(page, path)
    settle(page)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/commands") else None)
    gate.refuse(503)
    page.evaluate(FULL)
    for dice, box in (("66661", "sixes"), ("12345", "chance")):
        with page.expect_response("**/commands"):
            Pad(page).enter(dice, box)
        expect(page.locator("#net")).to_have_text(ONLY_HERE)
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    assert len(sent) == 2
    gate.open()
    page.evaluate(RETRY)
    pad.expect_sent()
    assert len(sent) == 4
    assert _sheet(stage, path) == ["sixes", "chance"]


# --- windows, and a browser that ends ---


@long_only
def test_two_windows_write_one_sheet(stage: Stage, person: Person, gate: Gate) -> None:
    """Without a connection too, each sees what was written in the other."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Ann", "phone", url=gate.url, service_workers="block")
    pad = pad_at(page, path)
    other = page.context.new_page()
    second = pad_at(other, path)
    for each in (page, other):
        settle(each)
    _go_dark(page, gate)
    second.tap("555")
    Pad(page).enter("66661", "sixes")
    expect(second.headline).to_have_text(TURN.format("Bob"))
    expect(other.locator("#turn-0-0")).to_have_text("24")
    expect(other.locator("#slots .die:not(.empty)")).to_have_count(0)
    Pad(other).enter("12345", "chance")
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    _come_back(page, gate)
    pad.expect_sent()
    second.expect_sent()
    assert _sheet(stage, path) == ["sixes", "chance"]


def test_an_entry_survives_the_end_of_the_browser(
    stage: Stage, playwright: Playwright, gate: Gate, tmp_path: Path
) -> None:
    """What is shown as written is on the disk: the browser is ended without a warning, right after it."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])

    def start() -> Page:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            **launch_args(),
            viewport=SIZES["phone"],
            has_touch=True,
            base_url=gate.url,
        )
        context.add_cookies([cookie(key_of("Ann"), gate.url)])  # type: ignore[list-item]
        return context.pages[0]

    page = start()
    pad = pad_at(page, path)
    until(page, READY)
    _go_dark(page, gate)
    pad.tap("66661")
    page.locator("#box-sixes").click()  # `enter` would wait until it is kept
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    _end(tmp_path / "profile")
    page = start()
    page.goto(path)
    expect(page.locator("#turn-0-0")).to_have_text("24")
    gate.open()
    page.reload()
    expect(page.locator("#turn-0-0")).to_have_text("24")
    Pad(page).expect_sent()
    assert _sheet(stage, path) == ["sixes"]
    page.context.close()


def _end(profile: Path) -> None:
    """End the browser that was started for this folder."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has ended meanwhile
            continue
        if f"--user-data-dir={profile}" in words and not any(word.startswith("--type=") for word in words):
            os.kill(int(entry.name), signal.SIGKILL)


# --- the scorekeeper is another one ---


def _take_pencil(stage: Stage, path: str, name: str) -> None:
    table = path.removeprefix("/t/")
    code = handing_over.offer_pencil(stage.tables, table, who("Ann"))
    handing_over.take_pencil(stage.tables, table, who(name), code)


def test_entries_of_a_phone_without_the_pencil_go_to_the_scorekeeper(stage: Stage, person: Person, gate: Gate) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    for dice, box in (("66661", "sixes"), ("12345", "chance"), ("55551", "fives")):
        pad.enter(dice, box)
    _take_pencil(stage, path, "Bob")
    bob = person("Bob", "phone")
    keeper = pad_at(bob, path)
    keeper.write("66661", "sixes", "Bob")
    keeper.write("22341", "twos", "Ann")
    _come_back(page, gate)
    left = page.locator("#left-behind")
    expect(left.get_by_role("heading")).to_have_text("2 entries from this phone")  # one was written there too
    page.reload()
    expect(left.locator("li")).to_have_text(["Bob: 1-2-3-4-5, Chance 15", "Ann: 5-5-5-5-1, Fives 20"])
    expect(page.locator("#headline")).to_have_text(TURN.format("Ann"))
    page.locator("#send-left").tap()
    page.evaluate(RENEW)
    expect(page.locator("#table[data-old]")).to_have_count(0)
    bob.goto(page.locator("#entries-link").input_value())
    expect(bob.locator("#brought li")).to_have_count(2)
    bob.locator("#take-brought").tap()
    bob.locator("#take-mine").tap()  # Bob's turn differs
    keeper.expect_sent()
    assert _sheet(stage, path) == ["sixes", "chance", "fives"]
    expect(left).to_have_count(0)


def test_entries_stay_when_cookies_are_cleared_and_with_the_pencil_they_are_sent(
    stage: Stage, person: Person, gate: Gate
) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    Pad(page).enter("66661", "sixes")
    page.context.clear_cookies()
    _come_back(page, gate)
    left = page.locator("#left-behind")
    expect(left).to_contain_text("1 entry from this phone")
    page.context.add_cookies([cookie(key_of("Ann"), gate.url)])  # type: ignore[list-item]
    page.reload()
    expect(page.locator("#turn-0-0")).to_have_text("24")
    pad.expect_sent()
    expect(left).to_have_count(0)
    assert _sheet(stage, path) == ["sixes"]


@long_only
def test_entries_of_a_phone_without_the_pencil_can_be_discarded(stage: Stage, person: Person, gate: Gate) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path, workers="allow")
    pad.enter("66661", "sixes")
    _take_pencil(stage, path, "Bob")
    _come_back(page, gate)
    expect(page.locator("#discard-left")).to_be_visible()
    _go_dark(page, gate)
    page.reload()  # without a connection the sheet can be read, and no more
    expect(page.locator("#left-behind li")).to_have_text(["Ann: 6-6-6-6-1, Sixes 24"])
    expect(page.locator("#dock")).to_be_hidden()
    _come_back(page, gate)
    expect(page.locator("#follow")).to_be_visible()
    page.locator("#discard-left").tap()
    expect(page.locator("#left-behind")).to_have_count(0)
    page.reload()
    expect(page.locator("#headline")).to_have_text(TURN.format("Ann"))
    expect(page.locator("#left-behind")).to_have_count(0)
    assert _sheet(stage, path) == []


# --- conflicts ---


def test_mine_instead_of_theirs_keeps_its_dice_where_a_later_entry_is_in_the_way(
    stage: Stage, person: Person, gate: Gate
) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    Pad(page).enter("66661", "sixes")
    turns(stage, path, ("55552", "fives"), ("12345", "chance"), ("66631", "sixes"))
    _come_back(page, gate)
    page.locator("#take-mine").tap()
    expect(page.locator("#panel .problem")).to_contain_text("Ann’s Sixes, scored later")
    page.locator("#cancel-entry").tap()
    expect(page.locator("#panel .clash")).to_contain_text("Ann: 6-6-6-6-1, Sixes 24")
    page.locator("#take-mine").tap()
    page.get_by_role("button", name="Change entry").tap()
    page.locator("#box-one_pair").tap()
    page.locator("#save-fix").tap()
    pad.expect_sent()
    assert _sheet(stage, path) == ["one_pair", "chance", "sixes"]


def test_a_page_that_the_service_worker_missed_is_taken_over(stage: Stage, person: Person, gate: Gate) -> None:
    """As when it was on its way while the worker began: a reload past the worker is the same."""
    page = person("Ann", "phone", url=gate.url)
    pad_at(page, open_pad(stage, "yatzy", ["Ann"]))
    until(page, READY)
    with page.expect_navigation():
        page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    until(page, READY)
