"""Entering turns: nothing moves under the thumb, everything is in reach, by keyboard too; and who plays."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.settled import press, settle
from browser.test_pad import TURN, pad_at
from browser.test_pad_offline import gate
from long import long_only
from web.gate import Gate
from web.pads import fill, open_pad, turns
from web.stage import Stage

__all__ = ["gate"]

PLACES = """() => Object.fromEntries([...document.querySelectorAll("#card .pad-box, #face-1, #undo-last, #scores")]
    .filter((each) => each.offsetParent).map((each) => [each.id, JSON.stringify(each.getBoundingClientRect())]))"""
NAMES = """() => [...document.querySelectorAll("#card .name")]
    .filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent)"""
COLUMNS = """() => new Set([...document.querySelectorAll("#card .half")]
    .map((half) => half.getBoundingClientRect().top)).size"""
HEIGHTS = """() => [...document.querySelectorAll("#card button")]
    .map((box) => box.getBoundingClientRect().height)"""
IN_VIEW = """() => document.getElementById("card").getBoundingClientRect().bottom
    <= document.getElementById("dock").getBoundingClientRect().top"""
SEEN = """() => [...document.querySelectorAll("#sheet .row-grand, #dock, #card, #sheet thead")]
    .every((part) => part.getBoundingClientRect().bottom <= innerHeight && part.getBoundingClientRect().top >= 0)"""

WRITE = """(address) => fetch(address, { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ command: "write", game: 0, turn: 0, seat: 0, dice: "66661", box: "sixes", key: "o" }) })"""


def _phone(person: Person, width: int = 390, height: int = 664) -> Page:
    return person("Ann", "phone", viewport={"width": width, "height": height})


def test_nothing_moves_under_the_thumb(stage: Stage, person: Person) -> None:
    """Through dice, box first, a question, reasons, a correction, an undo and a player with a long name."""
    path = open_pad(stage, "yardzee", ["Ann", "Bartholomew of the Long Meadow behind the Mill"], games=6)
    turns(stage, path, ("44444", "five_of_a_kind"), ("44444", "five_of_a_kind"))
    page = _phone(person)
    pad = pad_at(page, path)
    settle(page)
    first = page.evaluate(PLACES)
    assert len(first) > 13

    def still() -> None:
        now = page.evaluate(PLACES)
        assert {name: place for name, place in first.items() if name in now and now[name] != place} == {}

    for step in ("#face-4", "#face-4", "#back", "#face-4", "#face-4", "#face-4", "#face-4", "#cancel-entry"):
        press(page, step)
        still()
    for step in ("#box-chance", "#cancel-entry", "#box-five_of_a_kind", "#points-0", "#cancel-entry"):
        press(page, step)
        still()
    pad.tap("12346")
    press(page, "#box-full_house")
    still()
    press(page, "#confirm-yes")
    expect(pad.headline).to_contain_text("Bartholomew")
    still()
    pad.expect_sent()
    press(page, "#undo-last")
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    still()
    assert page.evaluate("scrollY") == 0


def test_two_columns_of_whole_names_on_a_small_phone(stage: Stage, person: Person) -> None:
    page = _phone(person, 360, 640)
    for book in ("yardzee", "yahtzee", "yatzy", "kniffel", "kismet", "crag", "yacht", "maxi-yatzy"):
        page.goto(open_pad(stage, book, ["Ann", "Bob"]))
        settle(page)
        assert page.evaluate(COLUMNS) == 1, (book, "side by side")
        assert page.evaluate(NAMES) == [], book
        assert page.evaluate("document.documentElement.scrollWidth") == 360, book
        assert min(page.evaluate(HEIGHTS)) >= (40 if book != "maxi-yatzy" else 28), book  # twenty boxes
        assert page.evaluate(IN_VIEW), book


@long_only
def test_jokers_have_their_whole_names(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yahtzee", ["Ann"])
    turns(stage, path, ("44444", "five_of_a_kind"), ("44411", "fours"))
    page = _phone(person)
    pad_at(page, path).tap("44444")
    expect(page.locator("#box-large_straight")).to_contain_text("Lg. Straightjoker +10040", use_inner_text=False)
    settle(page)
    assert page.evaluate(NAMES) == []


def test_the_sheet_is_beside_the_keys_on_a_desk(stage: Stage, person: Person) -> None:
    """No scrolling for two players, whatever is being entered."""
    page = person("Ann", viewport={"width": 1280, "height": 720})
    for book, games in (("yardzee", 6), ("yatzy", 1), ("yahtzee", 1)):
        pad = pad_at(page, open_pad(stage, book, ["Ann", "Bob"], games=games))
        settle(page)
        assert page.evaluate(SEEN), book
        press(page, "#cell-0-chance button")
        expect(page.locator("#points-17")).to_be_visible()
        assert page.evaluate(SEEN), book
        page.locator("#points-17").click()
        expect(pad.headline).to_have_text(TURN.format("Bob"))


def test_by_keyboard_alone(stage: Stage, person: Person) -> None:
    page = person("Ann")
    pad = pad_at(page, open_pad(stage, "yatzy", ["Ann", "Bob"]))
    settle(page)
    page.keyboard.type("66661")
    expect(page.locator("#box-aces")).to_be_focused()  # the first that is legal
    page.locator("#box-sixes").press("Enter")
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    page.locator("#box-fours").press("Enter")
    expect(page.locator("#points-0")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#keypad")).to_be_visible()
    page.locator("#box-fours").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#cell-1-fours")).to_contain_text("4")
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    pad.expect_sent()


def test_people_come_go_and_change_their_names(stage: Stage, person: Person, gate: Gate) -> None:
    """Without a connection, and then as the server has it."""
    path = open_pad(stage, "yahtzee", ["Ann", "Bob"], games=2)
    fill(stage, path, leave=26)
    page = person("Ann", "phone", url=gate.url, service_workers="block")
    pad = pad_at(page, path)
    settle(page)
    gate.shut()
    page.context.set_offline(True)
    page.locator("#next-game").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    page.locator("#people summary").first.tap()
    page.locator("#name-1").fill("Rob")
    page.locator("#name-1").press("Enter")
    expect(pad.headline).to_have_text(TURN.format("Rob"))
    page.locator("#join-name").fill("Cleo")
    page.get_by_role("button", name="Add player").tap()
    expect(page.locator("#scores li")).to_have_text(["Ann 0", "Rob 0", "Cleo 0"])
    page.locator("#skip").tap()
    expect(pad.headline).to_have_text(TURN.format("Cleo"))
    pad.tap("66661")
    page.locator("#box-sixes").tap()
    page.locator("#leave-0").tap()
    expect(pad.headline).to_have_text(TURN.format("Rob"))
    page.locator("#end-early summary").tap()
    page.locator("#end-now").tap()
    expect(pad.headline).to_contain_text("the match with")
    expect(page.locator("#undo-place")).to_be_hidden()
    answer = pad.headline.inner_text()
    gate.open()
    page.context.set_offline(False)
    pad.expect_sent()
    page.reload()
    settle(page)
    expect(pad.headline).to_have_text(answer)
    state = stage.tables.state(path.removeprefix("/t/"))
    assert ([seat.name for seat in state.seats], state.seats_out, state.ended) == (["Ann", "Rob", "Cleo"], {0}, True)
    expect(page.locator("#ending")).to_be_visible()


def test_a_box_tapped_too_early_leaves_the_dice(stage: Stage, person: Person) -> None:
    page = _phone(person)
    pad = pad_at(page, open_pad(stage, "yahtzee", ["Ann", "Bob"]))
    settle(page)
    pad.tap("664")
    expect(page.locator("#say")).to_have_text("2 more dice, then a box")
    page.locator("#box-chance").tap()
    expect(page.locator("#say")).to_have_text("2 more dice, then a box")
    pad.tap("11")
    page.locator("#box-chance").tap()
    expect(page.locator("#cell-0-chance, #turn-0-0").first).to_contain_text("18")


def test_a_name_that_is_being_typed_stays(stage: Stage, person: Person) -> None:
    """While the sheet changes on another phone, and while an entry is written here."""
    path = open_pad(stage, "yahtzee", ["Ann", "Bob"])
    page = _phone(person)
    pad = pad_at(page, path)
    page.locator("#people summary").first.tap()
    page.locator("#join-name").fill("Cle")
    page.locator("#name-1").fill("Bobb")
    page.evaluate(WRITE, f"/api{path.replace('/t/', '/tables/')}/commands")  # as another phone would
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator("#join-name")).to_have_value("Cle")
    expect(page.locator("#name-1")).to_have_value("Bobb")
    pad.tap("11166")
    page.locator("#box-aces").tap()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    expect(page.locator("#join-name")).to_have_value("Cle")
    page.get_by_role("button", name="Add player").tap()
    expect(page.locator("#scores li")).to_have_count(3)
    expect(page.locator("#join-name")).to_have_value("")


def test_axe_finds_nothing_in_the_dock(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "maxi-yatzy", ["Ann", "Bob"])
    turns(stage, path, ("123456", "full_straight"))
    page = person("Ann", "phone", reduced_motion="reduce")
    pad = pad_at(page, path)
    settle(page)
    page.locator("#people summary").first.click()
    expect_clean(page)
    press(page, "#box-chance")
    expect_clean(page)
    press(page, "#turn-0-0", "#points-0")
    expect(page.locator("#save-fix")).to_be_visible()
    expect_clean(page)
    press(page, "#cancel-entry", "[data-mode=rolls]")
    pad.tap("112233")
    press(page, "#die-1")
    expect_clean(page)


def test_the_coach_is_asked_in_the_place_of_the_keys(stage: Stage, person: Person) -> None:
    """Its advice is not looked at here: it may have to be worked out first. It goes, and the dice are still there."""
    page = _phone(person)
    pad = pad_at(page, open_pad(stage, "yatzy", ["Ann", "Bob"]))
    settle(page)
    expect(page.locator("#ask-coach")).to_have_count(0)
    pad.tap("44431")
    page.locator("#ask-coach").tap()
    expect(page.locator("#coach-panel")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#say")).to_have_text("Which box?")
    page.locator("#box-fours").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator("#coach-panel")).to_have_count(0)
