"""The coach in a browser: by key and by tap, in training, with the chances, and for the score to beat."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.one_screen import still
from browser.player import Player, at
from fivedice.core.rules import book
from fivedice.solver import solve
from fivedice.solver.bonus import bonus_chances
from long import long_only
from web.stage import Stage

BOOK = "yahtzee"
SPARED = ("fours", "full_house", "large_straight", "chance")  # odds are quick at the end of a game
PLACES = """() => [...document.querySelectorAll("#roll, .box, .die-slot")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
})"""


@pytest.fixture(scope="module", autouse=True)
def solved() -> None:
    """Solved here, and read by the server from the folder that both share."""
    bonus_chances(solve(book(BOOK)))


def is_clean(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    expect_clean(page)


def expect_held(player: Player, *slots: int) -> None:
    checked = player.page.locator("input[name=hold]:checked")
    expect(checked).to_have_count(len(slots))
    for place, slot in enumerate(slots):
        expect(checked.nth(place)).to_have_value(str(slot))


def expect_advised(player: Player, *ids: str) -> None:
    """Expect just these to be ringed; the slot of a die is ringed with it."""
    ringed = player.page.locator("[id].advised")
    expect(ringed).to_have_count(len(ids))
    for place, each in enumerate(ids):
        expect(ringed.nth(place)).to_have_id(each)


def open_wishes(page: Page) -> None:
    """Unfold what the form of the coach is in, and the form."""
    folded = page.locator("details:has(#coach-wants):not([open]) > summary")
    while folded.count():
        folded.first.click()
    page.locator("#coach-wants > summary").click()


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the side"


def can_be_touched_and_read(page: Page, panel: Locator) -> None:
    """By a finger, and at twice the letters."""
    expect(panel.locator("#coach-why")).to_have_attribute("open", "")
    for control in panel.get_by_role("button").all() + panel.get_by_role("link").all():
        size = control.bounding_box()
        assert size is not None
        assert size["height"] >= 44
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    fits(page)


def test_by_key_in_training_with_the_chances(stage: Stage, person: Person) -> None:
    """At a desk: H, hold, a move that costs too much, what would be better, and what everyone may expect."""
    scene = stage.scene(BOOK, "Ann", "Bob").start().play_until(8, SPARED).roll("44126")
    ann = at(person("Ann"), stage.put(scene))
    ann.page.keyboard.press("h")
    panel = ann.page.locator("#coach-panel")
    expect(panel).to_be_focused()
    expect(panel.get_by_role("heading")).to_have_text("Keep the two fours")
    expect(panel.locator(".because")).to_have_text("Best chance for 3 or more Fours.")
    expect(panel.locator("li").first).to_be_hidden()
    expect_advised(ann, "die-0", "die-1")
    panel.get_by_text("Why?").click()
    expect(panel.locator("li")).to_have_count(4)
    expect(panel.locator("li").first).to_have_text(re.compile(r"best\s+scores 3 or more Fours: 39%"))
    expect(panel.locator("li").nth(1)).to_have_text(re.compile(r"−0\.4 points\s+scores 3 or more Fours: \d+%"))
    expect(panel.locator("li").nth(1).get_by_role("img", name="Keep 2-4-4")).to_be_visible()
    is_clean(ann.page)
    ann.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(ann.page.locator("#ask-coach")).to_be_focused()
    expect_held(ann)  # closing changes nothing,
    expect_advised(ann, "die-0", "die-1")  # and the ring stays
    ann.page.keyboard.press("h")
    panel.get_by_role("button", name="Keep these").click()
    expect(panel).to_have_count(0)
    expect_held(ann, 0, 1)
    expect_advised(ann)
    expect(ann.page.locator("#roll")).to_be_focused()

    open_wishes(ann.page)
    ann.page.get_by_label("Training").select_option("3 points")
    ann.page.get_by_role("button", name="Save").click()
    saved = "Training: you are warned before a move that costs more than 3 points."
    expect(ann.page.locator(".saved")).to_have_text(saved)
    expect(ann.page.locator("#live")).to_have_text(saved)
    ann.page.get_by_role("button", name="Show odds").click()
    expect(ann.page.locator(".saved")).to_have_text("The odds are shown.")
    odds = ann.page.locator("#odds")
    before = ann.page.evaluate(PLACES)
    expect(odds).to_contain_text("wins")
    assert ann.page.evaluate(PLACES) == before, "nothing moves when the numbers come"
    expect(odds).to_contain_text("Exact.")
    expect_held(ann, 0, 1)  # nor do wishes

    version = ann.version
    ann.page.keyboard.press("Escape")  # the menu lies over kept dice
    for slot in (0, 1, 2, 3):
        ann.hold(slot)  # now 1-2 is held, and the fours are not
    ann.page.keyboard.press("r")
    question = ann.page.locator(".confirm")
    expect(question).to_have_text(re.compile(r"That costs \d+\.\d points\. Better: keep 4-4\."))
    expect(ann.page.get_by_role("link", name="Show hint")).to_be_focused()
    ann.expect_version(version)
    is_clean(ann.page)
    ann.page.keyboard.press("Enter")
    expect(panel.get_by_role("heading")).to_have_text("Keep the two fours")
    expect(question).to_have_count(0)
    expect_held(ann, 2, 3)  # the dice lie as they were chosen
    ann.page.keyboard.press("r")
    ann.page.get_by_role("button", name="Do it anyway").click()
    ann.expect_version(version + 1)
    expect(panel).to_have_count(0)  # the advice was for other dice
    expect(odds).to_contain_text("wins")

    box = ann.page.locator("button.box.zero").last
    box.click()
    expect(question).to_contain_text("That costs")
    ann.page.get_by_role("link", name="Choose again").click()
    expect(question).to_have_count(0)
    ann.expect_version(version + 1)


@long_only
def test_by_tap_alone_against_the_own_best(stage: Stage, person: Person) -> None:
    """On a phone, also with letters twice as large."""
    page = person("Dora", "phone")
    before = at(page, stage.put(stage.scene(BOOK, "Dora").start().play_until(1, ["chance"]).roll("44126")))
    before.score("chance")
    best = before.final_score()
    scene = stage.scene(BOOK, "Dora").start().play_until(3, ["chance", "full_house"]).roll("55326")
    dora = at(page, stage.put(scene))
    open_wishes(page)
    page.get_by_role("button", name="Show odds").tap()
    odds = page.locator("#odds")
    expect(odds).to_contain_text(f"Beats {best}:")
    expect(odds).to_contain_text("Playing to beat it:")
    expect(odds).to_contain_text("Exact. Assumes you play for points.")
    page.goto(page.url)
    page.locator("#ask-coach").tap()
    panel = page.locator("#coach-panel")
    panel.get_by_text("Why?").tap()
    expect(panel.get_by_role("link", name="Points")).to_have_attribute("aria-current", "true")
    panel.get_by_role("link", name=f"Beat {best}").tap()
    expect(panel.locator(".because")).to_have_text(re.compile(rf"Odds of reaching {best + 1}: .*%\."))
    expect(panel.get_by_role("link", name=f"Beat {best}")).to_have_attribute("aria-current", "true")
    expect(panel.get_by_role("link", name=f"Beat {best}")).to_be_visible()  # what was unfolded stays so
    is_clean(page)
    can_be_touched_and_read(page, panel)
    panel.locator("summary.grab").tap()
    expect(panel).to_have_count(0)
    assert dora.version


def test_a_box_is_shown_and_a_tap_beside_the_drawer_closes_it(stage: Stage, person: Person) -> None:
    page = person("Ann", "phone")
    ann = at(page, stage.put(stage.scene(BOOK, "Ann").start().roll("23456")))
    version = ann.version
    page.locator("#ask-coach").tap()
    panel, box = page.locator("#coach-panel"), page.locator("#box-large_straight")
    expect(panel.get_by_role("heading")).to_have_text("Score 40 in Lg. Straight")
    expect_advised(ann, "box-large_straight")
    still(page)  # it comes from below
    drawer = panel.bounding_box()
    assert drawer is not None
    page.touchscreen.tap(200, drawer["y"] - 30)
    expect(panel).to_have_count(0)
    page.locator("#ask-coach").tap()
    panel.get_by_role("link", name="Show box").tap()
    expect(panel).to_have_count(0)
    expect(box).to_be_focused()
    ann.expect_version(version)  # nothing has been scored by any of this
    box.tap()
    ann.expect_version(version + 1)
    expect_advised(ann)  # the advice was for other dice


def test_without_script_and_without_a_solution(stage: Stage, person: Person) -> None:
    page = person("Ann", "phone", java_script_enabled=False)
    ann = at(page, stage.put(stage.scene(BOOK, "Ann").start().play_until(4, SPARED).roll("44126")))
    page.get_by_role("link", name="Coach").tap()
    panel = page.locator("#coach-panel")
    expect(panel.get_by_role("heading")).to_have_text("Keep the two fours")
    expect(page.locator(".die-slot.advised")).to_have_count(2)
    expect(page.get_by_role("button", name="Keep these")).to_have_count(0)
    panel.get_by_text("Why?").tap()
    expect(panel.locator("li").first).to_contain_text("scores 3 or more Fours: 39%")
    panel.locator("summary.grab").tap()
    expect(panel.get_by_role("heading")).to_be_hidden()
    open_wishes(page)
    page.get_by_label("Training").select_option("3 points")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("alert")).to_contain_text("you are warned before a move that costs more than 3 points")
    open_wishes(page)
    page.get_by_role("button", name="Show odds").tap()
    page.get_by_role("link", name="Work out the odds").tap()
    expect(page.locator("#odds")).to_contain_text("Expected")
    assert ann.version


def test_what_is_played_for_is_chosen_by_tap(stage: Stage, person: Person) -> None:
    """At the end of a game with others: the win by itself, then points, then a total; each is remembered."""
    page = person("Ann", "phone")
    scene = stage.scene(BOOK, "Ann", "Bob").start().play_until(4, ("chance", "sixes")).roll("44166")
    at(page, stage.put(scene))
    page.locator("#ask-coach").tap()
    panel = page.locator("#coach-panel")
    expect(panel.locator(".because")).to_have_text(
        re.compile(r"You (trail|lead|are level).* with 2 boxes left\. .*to win")
    )
    expect(panel.locator("#coach-beside")).to_have_text(
        "This hint is for the win. Exact: both play to win. Ties are split."
    )
    panel.get_by_text("Why?").tap()
    expect(panel.locator("li").first).to_contain_text("% to win")
    expect(panel.get_by_role("link", name="Coach decides")).to_have_attribute("aria-current", "true")
    is_clean(page)
    panel.get_by_role("link", name="Points").tap()
    expect(panel.get_by_role("link", name="Points")).to_have_attribute("aria-current", "true")
    expect(panel.locator("li").first).not_to_contain_text("% to win")
    panel.get_by_label("Score").fill("120")
    panel.get_by_role("button", name="Aim").tap()
    expect(panel.locator(".because")).to_have_text(re.compile(r"Odds of reaching 120: |No choice can change that\."))
    expect(panel.get_by_label("Score")).to_have_value("120")
    page.reload()
    page.locator("#ask-coach").tap()
    expect(panel.locator(".because")).to_have_text(re.compile(r"Odds of reaching 120: |No choice can change that\."))
    panel.get_by_text("Why?").tap()
    can_be_touched_and_read(page, panel)
