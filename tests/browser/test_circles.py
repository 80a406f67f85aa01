"""A circle on three phones, from its making to the deletion of one's data; and a round of twelve on a projector."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.devices import asks, make_link
from fivedice.table.actions.playing import house_command
from fivedice.table.actions.rights import player_id
from support.tables import finish
from web.push_service import Browser, PushService
from web.serving import NO_LIMITS, Serving
from web.stage import Stage, key_of

SMALL = {"width": 390, "height": 664}
NARROW = "document.documentElement.scrollWidth <= innerWidth"
FITS = f"{NARROW} && document.documentElement.scrollHeight <= innerHeight"


def fits(page: Page) -> None:
    """Nothing is wider than the phone, and nothing is wrong for a screen reader."""
    assert page.evaluate(NARROW)
    expect_clean(page)


def number_of(page: Page) -> str:
    return urlsplit(page.url).path.rpartition("/")[2]


def test_three_people_on_three_phones(stage: Stage, person: Person) -> None:
    ann, bob, cleo = (person(name, size="phone", viewport=SMALL) for name in ("Ann", "Bob", "Cleo"))
    ann.goto("/circles")
    fits(ann)
    ann.get_by_label("Name of the circle").fill("The Millers")
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Make the circle").click()
    expect(ann.get_by_role("img", name="QR code of this link")).to_be_visible()
    fits(ann)
    link = ann.get_by_label("Invitation link").input_value()
    for page, name in ((bob, "Bob"), (cleo, "Cleo")):
        page.goto(link)
        expect(page.get_by_role("heading", level=1)).to_have_text("The Millers")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    fits(bob)

    # The daily game, and what the others see of it.
    bob.get_by_role("button", name="Play today’s game").click()
    expect(bob.locator("#headline")).to_have_text("Your turn")
    finish(stage.tables, number_of(bob))
    circle = urlsplit(link).path.rpartition("/join/")[0]
    bob.goto("/daily")
    expect(bob.get_by_text("points lost", exact=True)).to_be_visible(timeout=60_000)
    lost = bob.locator(".tiles dd").first.inner_text()
    bob.goto(circle)
    today, standings = bob.locator(".today"), bob.locator("#standings")
    expect(today).to_contain_text(lost)
    expect(standings.get_by_role("row", name="Bob")).to_contain_text(lost)
    ann.goto(circle)
    expect(ann.locator(".today")).to_contain_text("finished")
    expect(ann.locator(".today")).not_to_contain_text(lost)

    # A game is started by one tap and joined by one tap.
    ann.get_by_role("button", name="Start a game").click()
    table = number_of(ann)
    cleo.goto("/")
    expect(cleo.locator("#circles-about")).to_have_text("Ann waits for you")
    for width, height in ((360, 600), (1280, 720), (390, 664)):
        cleo.set_viewport_size({"width": width, "height": height})
        assert cleo.evaluate(FITS), (width, height)
    cleo.locator("#circles").click()
    cleo.get_by_role("button", name="Join").click()
    expect(cleo.locator("#headline")).to_be_visible()
    expect(ann.locator("#headline")).to_be_visible()
    finish(stage.tables, table)
    cleo.goto(circle)
    cleo.get_by_role("link", name="Ann").click()
    expect(cleo.get_by_role("heading", name="1 game")).to_be_visible()
    expect(cleo.get_by_text("points lost per game")).to_be_visible(timeout=60_000)
    fits(cleo)

    # The owner removes a member, whose link leads nowhere then.
    ann.goto(f"{circle}/members")
    ann.get_by_label("More about Cleo").click()
    ann.get_by_role("button", name="Remove").click()
    expect(ann.get_by_role("link", name="Cleo")).to_have_count(0)
    cleo.goto(link)
    expect(cleo.get_by_text("This link no longer works. Ask a member for the new one.")).to_be_visible()
    cleo.goto("/")
    expect(cleo.locator("#circles")).to_have_count(0)

    # The owner deletes all data: Bob owns the circle, and no game is left between the two.
    ann.goto("/you/delete")
    ann.get_by_role("button", name="Delete everything").click()
    bob.goto(f"{circle}/members")
    expect(bob.get_by_role("heading", name="You own this circle")).to_be_visible()
    expect(bob.locator(".list li")).to_have_count(1)


def test_members_hear_of_a_game_on_every_device(person: Person, tmp_path: Path) -> None:
    settings = NO_LIMITS | {"FIVEDICE_NOTICES_LOOPBACK": "on"}
    with PushService() as service, Serving(tmp_path, settings=settings) as server:
        options = {"size": "phone", "viewport": SMALL, "url": server.url, "service_workers": "block"}
        ann, bob, cleo, second = (person(**options) for _ in range(4))
        browser = Browser(f"{service.url}/ann")
        asks(ann, browser)
        ann.goto("/circles")
        ann.get_by_label("Name of the circle").fill("The Millers")
        ann.get_by_label("Your name").fill("Ann")
        ann.get_by_role("button", name="Make the circle").click()
        link = ann.get_by_label("Invitation link").input_value()
        circle = urlsplit(link).path.rpartition("/join/")[0]
        ann.get_by_text("Webhook", exact=True).click()
        ann.get_by_label("Address of the webhook").fill("https://10.0.0.1/")
        ann.get_by_label("Address of the webhook").press("Enter")
        expect(ann.get_by_role("alert")).to_contain_text("You entered 'https://10.0.0.1/'.")
        ann.get_by_label("Address of the webhook").fill(f"{service.url}/hook")
        ann.get_by_label("Address of the webhook").press("Enter")
        expect(ann.get_by_role("alert")).to_have_count(0)
        expect(ann.get_by_label("Address of the webhook")).to_have_value(f"{service.url}/hook")
        fits(ann)
        ann.goto("/devices")
        ann.get_by_role("button", name="Turn on notices").click()
        expect(ann.get_by_text("Notices are on in this browser.")).to_be_visible()
        fits(ann)
        for page, name in ((bob, "Bob"), (cleo, "Cleo")):
            page.goto(link)
            fits(page)
            page.get_by_label("Your name").fill(name)
            page.get_by_role("button", name="Join").click()
        bob.get_by_role("button", name="Start a game").click()
        sent = {each.path: each.content for each in service.wait_for(2)}
        notice = {"title": "Fivedice", "body": "Bob wants to play", "path": circle, "count": 0}
        assert browser.read(sent["/ann"]) == notice
        called = {"kind": "wants-to-play", "circle": "The Millers", "text": "Bob wants to play", "link": circle}
        assert json.loads(sent["/hook"]) == called

        # A second device of Ann is in the same circle and joins the game.
        second.goto(make_link(ann))
        second.get_by_role("button", name="Join this device").click()
        second.goto(circle)
        second.get_by_role("button", name="Join").click()
        expect(bob.locator("#headline")).to_be_visible()
        for page in (ann, second):
            page.goto(circle)
            expect(page.locator(".game")).to_contain_text("Ann")
            fits(page)

        # Ann deletes all data there: Bob owns the circle, which has no webhook then.
        second.goto("/you/delete")
        second.get_by_role("button", name="Delete everything").click()
        for page in (ann, second):
            page.goto(circle)
            expect(page.get_by_text("There is no circle here")).to_be_visible()
        bob.goto(f"{circle}/members")
        expect(bob.locator(".list li")).to_have_count(2)
        bob.get_by_text("Webhook", exact=True).click()
        expect(bob.get_by_label("Address of the webhook")).to_have_value("")
        assert second.evaluate("async () => (await (await fetch('/you/data')).json()).notices") == []


def test_a_round_of_twelve_on_a_projector(stage: Stage, person: Person) -> None:
    circles, names = stage.store.circles, [f"Pupil {number}" for number in range(1, 13)]
    circle = circles.make(player_id(key_of("Teacher")), "Class 4b", "Teacher")
    for name in names:
        circles.join(circle.id, circle.code, player_id(key_of(name)), name)
    page = person("Teacher")
    page.goto(f"/circle/{circle.id}/sheet")
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    expect_clean(page)
    page.goto(f"/circle/{circle.id}/round")
    page.get_by_label("Rules").select_option("crag")
    page.get_by_label("Players per table").select_option("4")
    page.get_by_label("Teacher").uncheck()
    expect_clean(page)
    page.get_by_role("button", name="Open the tables").click()
    expect(page.get_by_role("status")).to_contain_text("0 of 3 games are over.")
    expect(page.locator(".tables-of-round > li")).to_have_count(3)
    expect_clean(page)
    pupil = person(names[0], size="phone", viewport=SMALL)
    pupil.goto("/")
    expect(pupil.get_by_role("link", name="Continue")).to_be_visible()
    for game in circles.round(circle.id, 1):
        state = stage.tables.state(game.table)
        while (seat := state.on_turn) is not None:  # a bot plays for everyone who is away
            command = replace(house_command(state, seat), player=state.seats[seat].player or "")
            state = stage.tables.execute(game.table, command, version=state.version).state
    expect(page.get_by_text("All games are over.")).to_be_visible(timeout=20_000)  # the page follows by itself
    expect(page.locator(".result tbody tr")).to_have_count(12)
    expect_clean(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.locator(".result")).to_be_visible()
