"""House rules on a phone: built in the form, played by their link, advised; and a broken file explained."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.player import Player
from long import long_only

WIDTH = 390
TOO_LOW = """(all) => all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.textContent)"""


def check(page: Page) -> None:
    """Nothing for axe to find, nothing too small to press, and twice the letters fit."""
    expect_clean(page, page.url)
    targets = page.locator(".house :is(button, summary, a.button, select):visible")
    assert targets.evaluate_all(TOO_LOW) == [], page.url
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, page.url
    page.evaluate("document.documentElement.style.fontSize = ''")


def test_from_the_form_to_the_advice(person: Person) -> None:
    page = person("Grandma", "phone", reduced_motion="reduce")
    page.goto("/rules")
    page.get_by_role("link", name="Add house rules").tap()
    expect(page.locator("h1")).to_have_text("House rules")
    check(page)
    page.get_by_label("Start from").select_option("yahtzee")
    page.get_by_role("button", name="Build rules").tap()

    page.get_by_label("Name", exact=True).first.fill("Grandma's Yahtzee")
    open_part(page, "Upper bonus")
    page.locator("[id='bonus.points']").fill("fifty")
    opened(page, "Full House")
    page.locator("[id='boxes.full_house.points']").fill("30")
    page.get_by_role("button", name="Preview rules").tap()
    expect(page.locator("[id='wrong-bonus.points']")).to_have_text("Enter a whole number. You entered 'fifty'.")
    check(page)
    page.get_by_role("link", name="Upper bonus: Enter a whole number").tap()
    page.locator("[id='bonus.points']").fill("50")
    expect(page.locator("[id='boxes.full_house.points']")).to_have_value("30")
    page.get_by_role("button", name="Preview rules").tap()

    changes = page.locator("#preview .changes")
    expect(changes).to_contain_text("Here: 50 points for an upper total of 63 or more.")
    expect(changes).to_contain_text("Here: 3 and 2 of a kind, different numbers: 30 points.")
    check(page)
    page.get_by_role("button", name="Save and get link").tap()
    expect(page.locator("h1")).to_have_text("Grandma's Yahtzee")
    link = page.locator("#house-link").input_value()
    check(page)
    # The page itself says when the strategy is ready.
    expect(page.locator("#solution")).to_contain_text("Perfect play averages", timeout=120_000)

    friend = person("Friend", "phone", reduced_motion="reduce")
    friend.goto(link)
    friend.get_by_role("button", name="Play").tap()
    at_table = Player(friend)
    at_table.roll()
    friend.locator("#around > summary").tap()
    rules = friend.get_by_role("link", name="Rules of Grandma's Yahtzee")
    expect(rules).to_have_attribute("href", link[link.index("/house/") :])
    friend.locator("#around > summary").tap()
    friend.locator("#ask-coach").tap()
    friend.locator("#coach-why summary").tap()
    expect(friend.locator("#coach li").first).to_be_visible()
    friend.keyboard.press("Escape")
    at_table.score()


def open_part(page: Page, name: str) -> None:
    page.locator(".part:not([open]) > summary", has_text=name).tap()


def opened(page: Page, box: str) -> None:
    open_part(page, "The boxes")
    page.locator(".box-line summary", has_text=box).tap()


@long_only
def test_three_new_rules_are_seen_in_the_preview_and_played(person: Person) -> None:
    """A number plus the dice, a higher step of the bonus, and the upper section first; then a preset on top."""
    page = person("Aunt", "phone", reduced_motion="reduce")
    page.goto("/house/build?base=yatzy")
    preview, gist = page.locator("#preview"), page.locator("#gist")
    expect(preview).to_contain_text("plays exactly like Yatzy.")

    opened(page, "Full House")
    points = page.locator("[id='boxes.full_house.points']")
    expect(points).to_be_hidden()
    page.locator("[id='boxes.full_house.pays']").select_option("+all")
    expect(points).to_be_visible()
    expect(gist).to_have_text("1 problem")
    expect(page.locator("[id='wrong-boxes.full_house.points']")).to_have_text("Enter a number.")
    points.fill("10")
    expect(gist).to_have_text("1 change")
    expect(page.locator("[id='wrong-boxes.full_house.points']")).to_have_count(0)
    expect(page.locator("[data-rule-of=full_house]")).to_contain_text("10 plus the total of all dice")
    expect(preview.locator(".example")).to_contain_text("Full House")

    open_part(page, "Upper bonus")
    page.locator("summary", has_text="Higher steps").first.tap()
    page.locator("[id='bonus.tiers.2.from']").fill("80")
    page.locator("[id='bonus.tiers.2.points']").fill("100")
    expect(gist).to_have_text("2 changes")
    page.get_by_label("Order of the boxes").select_option("upper_first")
    expect(gist).to_have_text("3 changes")
    page.get_by_role("button", name="Preview rules").tap()
    expect(preview).to_be_in_viewport()
    expect(preview).to_contain_text("a total of 80 pays 100, not 50.")
    expect(preview).to_contain_text("not allowed")
    expect(preview).to_contain_text("after you save")
    check(page)

    page.get_by_role("button", name="Bonus chips").tap()
    expect(page.locator(".presets .notice")).to_have_text("Bonus chips is in your rules now.")
    expect(preview).to_contain_text("100 points each time")
    expect(page.locator("[id='bonus.tiers.2.points']")).to_have_value("100")
    page.get_by_role("button", name="Save and get link").tap()
    page.get_by_role("button", name="Play").tap()
    player = Player(page)
    player.roll()
    expect(page.locator("button.box")).to_have_count(6)
    player.score()


def test_a_part_that_opens_shows_above_the_bar(person: Person) -> None:
    page = person("Grandma", "phone", reduced_motion="reduce")
    page.goto("/house/build?base=yahtzee")
    open_part(page, "The boxes")
    box = page.locator(".box-line", has_text="Full House").first
    box.evaluate("one => scrollBy(0, one.getBoundingClientRect().bottom - innerHeight + 60)")
    box.locator("summary").first.tap()
    page.wait_for_function(
        "(one) => one.getBoundingClientRect().top < document.querySelector('.bar').getBoundingClientRect().top / 2",
        arg=box.element_handle(),
    )


def test_the_form_needs_no_script(person: Person) -> None:
    page = person("Uncle", "phone", reduced_motion="reduce", java_script_enabled=False)
    page.goto("/house/build?base=yatzy-forced")
    opened(page, "Chance")
    page.locator("[id='boxes.chance.pattern']").select_option("parity")
    page.get_by_role("button", name="Preview rules").tap()  # which brings what the pattern asks for
    expect(page.locator("#preview .changes")).to_contain_text("Here: Every die even: the total of all dice.")
    opened(page, "Chance")
    page.locator("[id='boxes.chance.odd']").check()
    page.locator("summary", has_text="Add a box").tap()
    page.locator("[id='new.name']").fill("Thirteen")
    page.locator("[id='new.pattern']").select_option("total")
    page.locator("[id='new.dice']").fill("13")
    page.locator("[id='new.points']").fill("26")
    page.get_by_role("button", name="Add box").tap()
    expect(page.locator(".box-line summary", has_text="Thirteen")).to_contain_text("A total of 13: 26 points.")
    expect(page.locator("#preview .changes")).to_contain_text("Here: Every die odd: the total of all dice.")
    page.get_by_role("button", name="Save and get link").tap()
    expect(page.locator("h1")).to_have_text("Our Yatzy, in order")


def test_a_broken_file_is_explained_where_it_is_broken(person: Person, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('extends = "yatzy-forced"\nname = "Ours"\n\n[boxes.full_house]\npoints = thirty\n')
    page = person("Grandpa", "phone", reduced_motion="reduce", java_script_enabled=False)
    page.goto("/house")
    page.locator("#bring > summary").tap()
    page.get_by_label("Choose a .toml file").set_input_files(file)
    page.get_by_role("button", name="Use this file").tap()
    expect(page.get_by_role("heading", name="Line 5 cannot be used")).to_be_visible()
    expect(page.locator(".blamed")).to_contain_text("points = thirty")
    text = page.locator("#text")
    text.fill(text.input_value().replace("thirty", "30"))
    page.get_by_role("button", name="Use this text").tap()
    expect(page.locator("h1")).to_have_text("Ours")
    expect(page.get_by_role("link", name="Download")).to_have_text("Download yatzy-forced-house.toml")
