"""One person on two phones, and what waits for them: in the title, on the icon, and as a notice."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.devices import asks, make_link
from fivedice.web.jobs.outgoing import public_key
from web.push_service import Browser
from web.serving import Serving
from web.stage import Stage

PHONE = "phone"
BADGE = """() => {
    window.badges = [];
    navigator.setAppBadge = async (count) => { window.badges.push(count); };
    navigator.clearAppBadge = async () => { window.badges.push(0); };
}"""


def games(page: Page) -> set[str]:
    page.goto("/tables")
    links = page.locator("ul.tables a[href^='/t/']").all()
    return {str(link.get_attribute("href")) for link in links}


def test_device_added_by_link_logged_out_and_deleted(stage: Stage, person: Person) -> None:
    first = stage.put(stage.scene("yatzy", "Uma", "Bob").start())
    old, new = person("Uma", PHONE), person("", PHONE)
    new.goto("/")
    new.get_by_role("button", name="Play", exact=True).click()
    new.wait_for_url("**/t/*")
    second = re.sub(r".*(/t/.*)", r"\1", new.url)
    link = make_link(old)
    new.goto(link)
    expect(new.get_by_text("1 game of its own")).to_be_visible()
    expect_clean(new)
    new.get_by_role("button", name="Join this device").click()
    expect(new.get_by_role("status").first).to_have_text("Joined. Your games are on both devices now.")
    expect_clean(new)
    assert games(old) == games(new) == {first, second}
    new.goto(first)
    new.locator("#roll").click()
    expect(new.locator(".dice .digit")).to_have_count(5)
    old.goto(first)
    expect(old.locator(".dice .digit")).to_have_count(5)
    again = person("", PHONE)
    again.goto(link)
    expect(again.get_by_text("This link was used or replaced.")).to_be_visible()
    again.goto(make_link(new, "Make a spare link"))
    again.get_by_role("button", name="Join this device").click()
    assert games(again) == {first, second}
    old.goto("/devices")
    old.get_by_role("button", name="Change the key").click()
    assert games(old) == {first, second}
    assert games(new) == games(again) == set()
    old.goto("/you")
    old.get_by_role("link", name="Delete my data").click()
    old.get_by_role("button", name="Delete everything").click()
    assert games(old) == set()
    old.goto(first)
    expect(old.locator("body")).to_contain_text("Former player 1")


def test_join_is_refused_in_a_shared_game(stage: Stage, person: Person) -> None:
    path = stage.put(stage.scene("yatzy", "Vic", "Wim").start())
    old, new = person("Vic", PHONE), person("Wim", PHONE)
    new.goto(make_link(old))
    new.get_by_role("button", name="Join this device").click()
    expect(new.get_by_role("alert")).to_contain_text("you would sit there twice")
    new.get_by_role("link", name="Open the game").click()
    new.wait_for_url(f"**{path}")


def test_waiting_games_are_in_the_title_and_on_the_icon(stage: Stage, person: Person) -> None:
    waiting = stage.put(stage.scene("yatzy", "Xia", "Bob").start())
    open_ = stage.put(stage.scene("yatzy", "Xia", "Bob").start())
    page = person("Xia", PHONE)
    page.add_init_script(f"({BADGE})()")
    page.goto("/tables")
    expect(page).to_have_title(re.compile(r"^\(2\) Your games"))
    assert page.evaluate("badges") == [2]
    page.goto("/")
    expect(page).to_have_title(re.compile(r"^\(2\) Fivedice"))
    page.goto(open_)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # before, this game alone is loaded
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    page.locator("#roll").click()
    expect(page.locator(".dice .digit")).to_have_count(5)
    expect(page).to_have_title(re.compile(r"^\(1\) [^(]"))
    page.goto(waiting)
    page.locator("#roll").click()
    page.locator("button.box").first.click()
    expect(page.locator(".chip.on-turn, .on-turn").first).to_be_visible()
    page.goto("/tables")
    expect(page).to_have_title(re.compile(r"^\((1|2)\) Your games"))


def test_notices_are_off_until_asked_for(person: Person) -> None:
    page, browser = person("Yan", PHONE), Browser("https://push.example/yan")
    asks(page, browser)
    page.goto("/devices")
    expect(page.get_by_text("Notices are off.")).to_be_visible()
    expect_clean(page)
    page.get_by_role("button", name="Turn on notices").click()
    expect(page.get_by_text("Notices are on in this browser.")).to_be_visible()
    asked: dict[str, Any] = page.evaluate("asked")
    assert asked["userVisibleOnly"]
    assert len(asked["applicationServerKey"]) == len(public_key(browser._key))
    kept = page.evaluate("async () => (await (await fetch('/you/data')).json()).notices")
    assert [each["endpoint"] for each in kept] == ["https://push.example/yan"]
    page.get_by_role("button", name="Turn off notices").click()
    expect(page.get_by_text("Notices are off.")).to_be_visible()
    assert page.evaluate("async () => (await (await fetch('/you/data')).json()).notices") == []


def test_blocked_notices_say_so(person: Person) -> None:
    page = person("Yan", PHONE)
    asks(page, Browser("https://push.example/yan"), "denied")
    page.goto("/devices")
    page.get_by_role("button", name="Turn on notices").click()
    expect(page.get_by_text("This browser blocks notices from here.")).to_be_visible()


STUBS = """() => {
    Object.assign(self, { shown: [], opened: [], counted: [] });
    registration.showNotification = async (title, { body, tag, data }) => { shown.push([title, body, tag, data]); };
    clients.openWindow = async (address) => { opened.push(address); };
    WindowClient.prototype.focus = async function () { opened.push(`focus ${this.url}`); };
    navigator.setAppBadge = async (count) => { counted.push(count); };
}"""


def test_browser_without_workers_offers_no_notices(person: Person) -> None:
    page = person("Yan", PHONE, service_workers="block")
    page.goto("/devices")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text("This browser can’t show notices here.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on notices")).to_be_hidden()


def test_worker_shows_a_notice_and_opens_its_game(person: Person, server: Serving) -> None:
    page = person("Zoe", PHONE, url=server.url)
    page.goto("/devices")
    page.wait_for_function("async () => Boolean((await navigator.serviceWorker.ready).active)")
    (worker,) = page.context.service_workers
    worker.evaluate(STUBS)

    def push(path: str) -> Any:
        """What the worker shows then: browsers in tests have no push service, and no place for notices."""
        notice = {"title": "Your turn", "body": "Yatzy", "path": path, "count": 3}
        worker.evaluate("(notice) => showNotice(notice)", notice)
        return worker.evaluate("() => shown.splice(0)")

    page.bring_to_front()
    assert push("/devices") == [], "this page is in sight"
    assert push("/t/one") == [["Your turn", "Yatzy", "/t/one", "/t/one"]]
    assert worker.evaluate("() => counted") == [3]
    for path in ("/t/one", "/devices"):
        worker.evaluate("(path) => openNotice(path)", path)
    assert worker.evaluate("() => opened") == [f"{server.url}/t/one", f"focus {server.url}/devices"]
