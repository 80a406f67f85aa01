"""A server below a path, behind a proxy: played, watched, kept on a phone, and nothing is asked for elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import which
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Person
from browser.player import Player
from browser.settled import until
from browser.test_pad import TURN, Pad
from browser.test_pad_offline import _come_back, _go_dark
from fivedice.client import Server
from long import long_only
from web.gate import Gate
from web.proxies import Proxy
from web.serving import NO_LIMITS, Serving

ROOT = "/dice/"
READY = """async () => navigator.serviceWorker.controller !== null && Boolean(await caches.match("/dice/pad/sheet"))
    && Boolean(await caches.match("/dice/pad/rules/yardzee"))"""
EMPTY = """async () => !(await indexedDB.databases()).length && !(await caches.keys()).length
    && !(await navigator.serviceWorker.getRegistrations()).length"""
SCOPES = "async () => (await navigator.serviceWorker.getRegistrations()).map((each) => new URL(each.scope).pathname)"


SETTINGS = NO_LIMITS | {"FIVEDICE_TABLES": "", "FIVEDICE_PATH": ROOT, "FIVEDICE_PREPARE": "no"}


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    with Serving(tmp_path, settings=SETTINGS) as server, Gate(server.port) as gate:
        yield gate


def _watched(page: Page) -> list[str]:
    """What goes wrong on a page, and what it or its service worker asks for elsewhere."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.context.on(
        "request", lambda asked: f"{urlsplit(asked.url).path}/".startswith(ROOT) or errors.append(asked.url)
    )
    return errors


def test_a_game_and_a_score_pad_below_a_path(person: Person, gate: Gate) -> None:
    play_and_keep_score(person, gate)


@long_only
@pytest.mark.parametrize("leaves_path", [True, False], ids=["path left", "path taken off"])
@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_the_same_behind_a_real_proxy(person: Person, tmp_path: Path, name: str, *, leaves_path: bool) -> None:
    """With the lines of docs/operations.md."""
    if which(name) is None:
        pytest.skip(f"{name} is not installed")
    with (
        Serving(tmp_path, settings=SETTINGS | {"FIVEDICE_TRUSTED_PROXIES": "127.0.0.1"}) as server,
        Proxy(name, server.port, tmp_path, leaves_path=leaves_path) as proxy,
        Gate(proxy.port) as gate,
    ):
        play_and_keep_score(person, gate)


def play_and_keep_score(person: Person, gate: Gate) -> None:
    page = person(size="phone", url=gate.url + ROOT)
    errors = _watched(page)
    page.goto(ROOT.rstrip("/"))
    page.wait_for_url(f"**{ROOT}")
    page.locator("#play button").tap()
    page.wait_for_url(f"**{ROOT}t/*")
    watcher = person(url=gate.url + ROOT, service_workers="block")
    errors_there = _watched(watcher)
    watcher.goto(page.url)
    player, other = Player(page), Player(watcher)
    expect(watcher.locator(".scores")).to_be_visible()
    player.roll()
    other.expect_version(player.version)  # by the live stream
    with page.expect_request("**/hold"):
        player.hold(0)
    player.score("chance")
    other.expect_version(player.version)

    program = Server(gate.url + ROOT).open("yatzy", name="Zoe")
    program.roll()
    watcher.goto(f"t/{program.id}")
    other.expect_version(program.position.version)

    page.goto("pad")
    until(page, READY)
    page.locator("input[value=yatzy]").check()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Bob")
    page.get_by_role("button", name="Open score pad").tap()
    pad = Pad(page)
    page.wait_for_url(f"**{ROOT}t/*")
    assert page.evaluate(SCOPES) == [ROOT]
    pad.write("66661", "sixes", "Bob")
    link = page.locator("#watch-link").input_value()
    assert link == page.url
    _go_dark(page, gate)
    page.reload()
    expect(page.locator("#turn-0-0")).to_have_text("24")
    pad.tap("12345")
    page.locator("#box-chance").tap()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    _come_back(page, gate)
    pad.expect_sent()
    watcher.goto(link)
    expect(watcher.locator("tr.row-box td", has_text="15")).to_be_visible()

    page.goto("you/delete")
    page.get_by_role("button", name="Delete everything").tap()
    expect(page.get_by_role("status")).to_contain_text("Deleted.")
    until(page, EMPTY)
    assert (errors, errors_there) == ([], [])
