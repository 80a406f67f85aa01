"""The daily game and a deal on a small phone, from the first page to the text that is shared."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.player import Player
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from support.tables import finish
from web.stage import Stage, key_of

SMALL = {"width": 390, "height": 664}
FITS = "document.documentElement.scrollHeight <= innerHeight"
SHARED = "navigator.share = async ({ text, url }) => { document.body.dataset.given = JSON.stringify({ text, url }); }"


def test_the_daily_game_from_home_to_the_shared_text(stage: Stage, person: Person) -> None:
    page = person(size="phone", viewport=SMALL)
    page.add_init_script(SHARED)
    page.goto("/")
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Today")
    page.wait_for_load_state()  # the heading may be there before the styles
    assert page.evaluate(FITS)
    expect_clean(page)
    page.keyboard.press("Tab")
    page.locator("#play").press("Enter")
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(page.get_by_text("This game counts. There are no hints.")).to_be_visible()
    expect(page.locator("#ask-coach")).to_have_count(0)
    Player(page).roll()
    assert page.evaluate(FITS)
    table = page.url.rpartition("/")[2]
    page.goto("/daily/game")
    expect(page).to_have_url(f"{page.url.partition('/t/')[0]}/t/{table}")  # the way back into the same game
    finish(stage.tables, table)
    page.goto(f"/t/{table}")
    page.get_by_role("link", name="Your result").click()
    expect(page.get_by_text("points lost", exact=True)).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Share").click()
    expect(page.locator("body")).to_have_attribute("data-given", re.compile("points lost"))
    given = json.loads(page.locator("body").get_attribute("data-given") or "")
    assert given["url"].endswith(f"/daily/{given['text'].split()[1]}")
    assert sum(given["text"].count(square) for square in "🟩🟨🟧🟥") >= 12
    expect_clean(page)
    page.goto("/")
    expect(page.locator("#today-about")).to_contain_text("points lost")
    assert page.evaluate(FITS)


def test_the_same_dice_are_sent_and_both_games_compared(stage: Stage, person: Person) -> None:
    ann = player_id(key_of("Ann"))
    table = stage.tables.open(ann, "crag", then=[cmd.SitDown(ann, "Ann"), cmd.StartGame(ann)])
    finish(stage.tables, table)
    hers = person("Ann", size="phone", viewport=SMALL)
    hers.goto(f"/t/{table}")
    hers.locator("#end-more > summary").click()
    hers.get_by_role("button", name="Play the same dice").click()
    link = hers.locator("#link").input_value()
    page = person(size="phone", viewport=SMALL)
    page.goto(link)
    expect(page.get_by_text("Results of others appear when your game is finished.")).to_be_visible()
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    finish(stage.tables, page.url.rpartition("/")[2])
    page.goto(link)
    expect(page.get_by_role("heading", name="Turn by turn")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("rowheader", name="Bob (you)")).to_be_visible()
    expect(page.get_by_role("rowheader", name="Ann")).to_be_visible()
    expect(page.locator("#parted")).to_have_count(0)  # both played in the same way
    expect_clean(page)
