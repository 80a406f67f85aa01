"""The table as a screen: what can go wrong between a finger, a page and a server."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from browser.conftest import Person
from browser.player import Player, at, open_more
from long import LONG, every_run
from web.gate import Gate
from web.serving import Serving
from web.stage import Stage

pytestmark = every_run  # what matters most takes no turns


def test_a_double_click_rolls_once(stage: Stage, person: Person, size: str) -> None:
    ann = at(person("Ann", size), stage.put(stage.scene("yahtzee", "Ann").start()))
    version = ann.version
    ann.page.locator("#roll").dblclick()
    expect(ann.rolls_left).to_contain_text("2 rolls left")
    expect(ann.page.locator("#roll")).to_be_enabled()
    ann.hold(0)  # the page still answers, and nothing came after the first roll
    ann.expect_version(version + 1)


def test_the_tail_of_a_double_click_is_no_second_roll(stage: Stage, person: Person) -> None:
    """The answer is often quicker than the second click, and that one then meets the new button."""
    ann = at(person("Ann"), stage.put(stage.scene("yahtzee", "Ann").start()))
    version = ann.version
    ann.page.evaluate("""() => {
        const again = () => { document.getElementById('roll').click(); document.body.dataset.again = 'pressed'; };
        new MutationObserver((_, watch) => { watch.disconnect(); setTimeout(again); })
            .observe(document.getElementById('main'), { childList: true });
    }""")
    ann.roll()
    expect(ann.page.locator("body")).to_have_attribute("data-again", "pressed")
    expect(ann.page.locator("#roll")).to_be_enabled()
    ann.page.reload()
    ann.expect_version(version + 1)


def test_the_same_faces_again_are_seen_to_fall(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", pace=1), stage.put(stage.scene("yahtzee", "Ann").start().roll("24466")))
    ann.page.evaluate("""() => {
        window.turned = new Set();
        const watch = (records) => records.flatMap((record) => [...record.addedNodes]).forEach((added) => {
            if (!added.classList?.contains('cube')) return;
            const { place } = added.dataset;
            setTimeout(() => added.getAnimations().length && window.turned.add(place));
        });
        new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
    }""")
    for slot in range(4):
        ann.hold(slot)
    ann.roll()
    expect(ann.rolls_left).to_contain_text("1 roll left")
    ann.page.wait_for_function("window.turned.size > 0")  # the words may come before the dice are seen to move
    expect(ann.page.locator(".cube")).to_have_count(0)
    assert ann.page.evaluate("[...window.turned]") == ["4"], "the one that was thrown, and no other"


def test_looking_again_is_no_roll(stage: Stage, person: Person) -> None:
    """A question about a zero shows the page anew; the dice lie still."""
    ann = at(person("Ann"), stage.put(stage.scene("yahtzee", "Ann").start().roll("23346")))
    ann.box("full_house").click()
    expect(ann.page.locator("#confirm-yes")).to_be_visible()
    expect(ann.page.locator(".just-rolled")).to_have_count(0)


def test_an_avoidable_zero_asks_once(stage: Stage, person: Person, size: str) -> None:
    ann = at(person("Ann", size), stage.put(stage.scene("yahtzee", "Ann").start().roll("23346")))
    version = ann.version
    ann.box("full_house").click()
    expect(ann.page.locator(".confirm")).to_contain_text("Score 0 in Full House? Another box would score.")
    ann.page.get_by_role("link", name="Choose another box").click()
    expect(ann.page.locator(".confirm")).to_have_count(0)
    ann.expect_version(version)
    ann.box("full_house").click()
    ann.page.get_by_role("button", name="Score 0", exact=True).click()
    ann.expect_version(version + 1)
    expect(ann.page.locator("td.latest")).to_have_text("0")


def test_a_zero_that_cannot_be_avoided_does_not_ask(stage: Stage, person: Person) -> None:
    scene = stage.scene("yahtzee", "Ann").start().play_until(1, spare=["five_of_a_kind"]).roll("23346")
    ann = at(person("Ann"), stage.put(scene))
    ann.score("five_of_a_kind")
    ann.final_score()


def test_a_forced_joker_is_explained(stage: Stage, person: Person, size: str) -> None:
    scene = stage.scene("yahtzee", "Ann").start().turn("44444", "five_of_a_kind").roll("44444")
    ann = at(person("Ann", size), stage.put(scene))
    expect(ann.page.locator("#reasons")).to_contain_text("4-4-4-4-4 must go in Fours, which is open")
    expect(ann.page.locator("button.box")).to_have_text(["20\n+100"], use_inner_text=True)
    expect(ann.page.locator("td.shut")).to_have_count(11)
    ann.score("fours")
    expect(ann.page.locator("tr.row-extra td")).to_have_text(re.compile(r"✓\s*100"))
    expect(ann.page.locator("tr.row-grand td")).to_have_text("170")


def test_undo_takes_the_bonuses_back_too(stage: Stage, person: Person) -> None:
    """An upper bonus and an extra bonus in one move, undone and written elsewhere."""
    scene = stage.scene("yahtzee", "Ann").start().turn("44444", "five_of_a_kind")
    scene.turn("66661", "sixes").turn("55551", "fives").turn("22235", "twos").roll("44444")
    ann = at(person("Ann"), stage.put(scene))
    ann.score("fours")
    bonus, extra, grand = (ann.page.locator(f"tr.row-{kind} td") for kind in ("bonus", "extra", "grand"))
    expect(bonus).to_contain_text("35")
    expect(grand).to_have_text("255")
    ann.page.get_by_role("button", name="Undo the score").click()
    expect(extra).to_have_text("0")
    expect(grand).to_have_text("100")
    ann.expect_dice("44444")  # as they lay
    ann.score("fours")
    expect(grand).to_have_text("255")


def test_the_back_button_shows_how_things_are(stage: Stage, person: Person, size: str) -> None:
    ann = at(person("Ann", size), stage.put(stage.scene("yahtzee", "Ann").start()))
    ann.roll()
    ann.score()
    open_more(ann.page)
    ann.page.get_by_role("link", name="Help").click()
    expect(ann.page.get_by_role("heading", name="Help")).to_be_visible()
    ann.page.go_back()
    expect(ann.page.locator("td.latest")).to_have_count(1)
    ann.turn()


def test_a_page_of_yesterday_is_told_so(stage: Stage, person: Person) -> None:
    """Two tabs of one person, one of them cut off from the news."""
    path = stage.put(stage.scene("yahtzee", "Ann").start())
    page = person("Ann")
    page.route(re.compile(r"/live\?"), lambda route: route.abort())
    old, new = at(page, path), at(person("Ann"), path)
    page.route(f"**{path}", lambda route: route.abort())
    new.turn()
    old.page.locator("#roll").click()
    expect(old.page.get_by_role("alert")).to_contain_text("The game has changed since you looked.")
    old.expect_version(new.version)


def test_reload_and_restart_in_the_middle_of_a_turn(server: Serving, tmp_path: Path, person: Person) -> None:
    """The server is killed and started again in the long version; else its gate is shut and opened."""
    with Serving(tmp_path) if LONG else Gate(server.port) as far:
        page = person(size="phone", url=far.url)
        page.goto("/")
        page.get_by_role("button", name="Play", exact=True).click()
        ann = Player(page)
        ann.roll()
        ann.hold(0, 2)
        ann.roll()
        dice, version = ann.dice, ann.version
        page.reload()
        ann.expect_version(version)
        ann.expect_dice(dice)
        expect(page.locator("#die-0")).to_be_checked()

        far.kill() if isinstance(far, Serving) else far.shut()
        page.locator("#roll").click()  # the server does not answer, and the page says so
        expect(page.locator("body")).to_have_class(re.compile("offline"))
        far.start() if isinstance(far, Serving) else far.open()
        expect(page.locator("body")).not_to_have_class(re.compile("offline"))
        ann.expect_version(version)
        ann.expect_dice(dice)
        ann.roll()
        ann.score()
        expect(page.locator("td.latest")).to_have_count(1)
