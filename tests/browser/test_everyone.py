"""A table for everyone: keys alone, no script, large letters, less motion."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from browser.conftest import Person
from browser.player import Player, at
from browser.test_journeys import skip_ahead
from browser.test_pad import TOO_SMALL
from long import LONG, every_run
from web.serving import Serving
from web.stage import Stage, key_of

pytestmark = every_run  # what matters most takes no turns


def test_a_double_click_without_script_rolls_once(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", java_script_enabled=False), stage.put(stage.scene("yahtzee", "Ann").start()))
    ann.page.locator("#roll").dblclick()
    expect(ann.rolls_left).to_contain_text("2 rolls left")


def test_reduced_motion_marks_what_fell_instead(stage: Stage, person: Person) -> None:
    scene = stage.scene("yahtzee", "Ann").start().roll("24466")
    ann = at(person("Ann", reduced_motion="reduce"), stage.put(scene))
    die = ann.page.locator(".fell .die").first
    assert die.evaluate("die => getComputedStyle(die).animationName") == "none"
    assert die.evaluate("die => getComputedStyle(die).outlineStyle") == "dotted"


def test_a_whole_game_without_script(stage: Stage, person: Person) -> None:
    page = person(size="phone", java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    ann = Player(page)
    ann.roll()
    ann.hold(1)
    ann.roll()
    expect(page.locator("#die-1")).to_be_checked()
    zero = page.locator("button.box.zero")
    if zero.count():  # asks on a page of its own
        zero.first.click()
        page.get_by_role("button", name="Score 0", exact=True).click()
        expect(page.locator("td.latest")).to_have_text("0")
    else:
        ann.score()
    if not LONG:
        skip_ahead(stage, ann, turns_left=3)
        page.reload()
    ann.finish()
    expect(page.locator("#record")).to_have_value(re.compile("yahtzee", re.IGNORECASE))
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#headline")).to_have_text("Your turn")


def test_keys_alone_from_home_to_the_final_score(stage: Stage, person: Person) -> None:
    page = person()
    page.goto("/")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-labelledby')") == "play-name":
            break
    page.keyboard.press("Enter")
    ann = Player(page)
    expect(page.locator("#headline")).to_have_text("Your turn")
    _press(ann, "r")
    page.keyboard.press("2")
    expect(page.locator("#die-1")).to_be_checked()
    expect(page.locator("#roll")).to_be_enabled()
    _press(ann, "Space")
    _fill(ann)
    _press(ann, "u")  # before the end, where the result is settled
    expect(page.locator("#die-0")).to_be_visible()
    _fill(ann)
    if not LONG:
        skip_ahead(stage, ann, turns_left=3)
        page.reload()
    while page.locator(".ending").count() == 0:
        if not ann.dice:
            _press(ann, "r")
        _fill(ann)
    ann.final_score()
    page.keyboard.press("?")
    page.wait_for_url("**/help")


def _fill(player: Player) -> None:
    """A box that pays, if there is one."""
    page = player.page
    page.keyboard.press("ArrowDown")
    while "zero" in (page.evaluate("document.activeElement.className")) and page.locator(".box:not(.zero)").count():
        page.keyboard.press("ArrowDown")
    _press(player, "Enter")


def _press(player: Player, key: str) -> None:
    player.page.wait_for_load_state()  # keys are heard once the script is there
    version = player.table.get_attribute("data-version") or ""
    player.page.keyboard.press(key)
    expect(player.table).not_to_have_attribute("data-version", version)


def test_large_letters_cut_nothing_off(stage: Stage, browser: Browser, server: Serving) -> None:
    """Twice the size on a phone: the page grows longer, never wider."""
    scene = stage.scene("yahtzee", "Ann", "Bob").start().turn("44444", "five_of_a_kind").turn("11234", "chance")
    paths = [stage.put(scene.roll("44444")), "/", "/new", "/rules/yahtzee?against=yatzy", "/tables", "/help", "/api"]
    context = browser.new_context(base_url=server.url, viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": "fivedice_player", "value": key_of("Ann"), "url": server.url}])
    page = context.new_page()
    for path in paths:
        page.goto(path)
        page.add_style_tag(url="/static/core/style.css")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, (path, width)
    context.close()


def test_fingers_find_what_they_aimat(stage: Stage, person: Person) -> None:
    """Everything that is pressed at a table is at least 44 pixels high and wide on a phone."""
    scene = stage.scene("maxi-yatzy", "Ann", "Bob").start().turn("555213", "fives").turn("666613", "sixes")
    page = person("Ann", "phone")
    page.goto(stage.put(scene.roll("224461")))
    targets = page.locator("#table button:visible, label.die-slot, #table summary:visible, .bar > a")
    assert targets.evaluate_all(TOO_SMALL) == []
