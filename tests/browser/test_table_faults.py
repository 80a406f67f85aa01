"""What people stumbled over at the table: menus over answers, words that were cut, and a server that is away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Person
from browser.player import at, open_more
from fivedice.table.actions import events as ev
from web.gate import Gate
from web.serving import Serving
from web.stage import Seat, Stage

PHONE = {"width": 390, "height": 664}
CONTRAST = """([one, other]) => {
    const light = (element, property) => {
        const [r, g, b] = getComputedStyle(element)[property].match(/[\\d.]+/g).map(Number).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [a, b] = [one, other].map((found) => light(document.querySelector(found), 'backgroundColor'));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize(
    ("button", "answer"), [("Let someone take over", "#handover"), ("Leave game", "#come-back-0")], ids=str
)
def test_menu_closes_when_it_is_answered(stage: Stage, person: Person, button: str, answer: str) -> None:
    ann = at(person("Ann", "phone"), stage.put(stage.scene("yahtzee", "Ann", "Bob").start()))
    open_more(ann.page)
    ann.page.get_by_role("button", name=button).click()
    expect(ann.page.locator(answer)).to_be_visible()
    expect(ann.page.locator("#around")).not_to_have_attribute("open", "")


def test_menu_closes_when_the_game_was_ended(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), stage.put(stage.scene("yahtzee", "Ann").start()))
    open_more(ann.page)
    ann.page.get_by_text("End game", exact=True).click()
    ann.page.get_by_role("button", name="End this game").click()
    expect(ann.page.locator("#ending")).to_be_visible()
    expect(ann.page.locator("#around")).not_to_have_attribute("open", "")


def test_menu_stays_open_for_what_is_saved_in_it(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), stage.put(stage.scene("yahtzee", "Ann").start()))
    open_more(ann.page)
    ann.page.get_by_text("Coach and odds").click()
    ann.page.get_by_role("button", name="Show odds").click()
    expect(ann.page.get_by_role("button", name="Hide odds")).to_be_visible()


def test_points_of_a_joker_stay_in_their_cell(stage: Stage, person: Person) -> None:
    scene = stage.scene("yahtzee", "Ann", "Bob").start()
    for dice, box in (("44444", "five_of_a_kind"), ("11234", "aces"), ("44411", "fours"), ("22345", "twos")):
        scene.turn(dice, box)
    page = person("Ann", viewport=PHONE)
    page.goto(stage.put(scene.roll("44444")))
    over = """() => [...document.querySelectorAll('.worth')].flatMap((pill) => [...pill.querySelectorAll('*')]
        .filter((part) => { const [a, b] = [part, pill].map((one) => one.getBoundingClientRect());
            return a.width && (a.top < b.top || a.bottom > b.bottom || a.left < b.left || a.right > b.right); })
        .map((part) => pill.textContent)).concat([...document.querySelectorAll('.worth')]
        .filter((pill) => pill.scrollHeight > pill.clientHeight).map((pill) => pill.textContent))"""
    for width, height in ((390, 664), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(over) == [], width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rolls_that_are_left_can_be_seen(stage: Stage, person: Person, scheme: str) -> None:
    page = person("Ann", "phone", color_scheme=scheme)
    page.goto(stage.put(stage.scene("yahtzee", "Ann").start()))
    assert page.evaluate(CONTRAST, [".rolls .left", "#roll"]) >= 3


def test_roll_is_a_whole_word_in_large_letters(stage: Stage, person: Person) -> None:
    page = person("Ann", viewport=PHONE)
    for book, dice in (("yahtzee", "24466"), ("maxi-yatzy", "244661")):
        scene = stage.scene(book, "Ann").start()
        page.goto(stage.put(scene.turn("123456", "ones").roll(dice) if book == "maxi-yatzy" else scene.roll(dice)))
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        found = page.evaluate("""() => [...document.querySelectorAll('#roll > span, #roll .saved, .thumb .side')]
            .map((one) => {
                const [own, bar] = [one, one.closest('.thumb')].map((part) => part.getBoundingClientRect());
                const cut = one.scrollWidth - one.clientWidth > 1 && getComputedStyle(one).overflow !== 'visible';
                const outside = own.left < bar.left - 1 || own.right > bar.right + 1 || own.bottom > bar.bottom + 1;
                return [one.textContent, cut, outside];
            })""")
        assert not [text for text, cut, outside in found if cut or outside], (book, found)


def test_words_of_a_button_are_apart(stage: Stage, person: Person) -> None:
    bob = at(person("Bob", "phone"), stage.put(stage.scene("yahtzee", "Ann", "Bob").start().add(ev.Left(0))))
    assert bob.page.locator("[formaction$=dismiss]").inner_text() == "Finish for Ann"


def test_a_person_who_left_is_not_called_away(stage: Stage, person: Person) -> None:
    bob = at(person("Bob", "phone"), stage.put(stage.scene("yahtzee", "Ann", "Bob").start().add(ev.Left(0))))
    expect(bob.page.locator(".chip").first).to_contain_text("left")
    expect(bob.page.locator("#skip")).to_contain_text("Ann has left.")


def covers(page: Page, over: str, below: str) -> bool:
    """Return whether the pseudo-element `over` may lie on the element `below`."""
    return bool(
        page.evaluate(
            """([over, below]) => { const style = getComputedStyle(document.querySelector(over), '::after');
            return style.content !== 'none' && style.bottom === '0px' && style.position === 'fixed'
                && document.querySelector(below).getBoundingClientRect().bottom > innerHeight - 60; }""",
            [over, below],
        )
    )


def test_no_connection_is_said_beside_roll(stage: Stage, person: Person, server: Serving) -> None:
    with Gate(server.port) as gate:
        ann = at(person("Ann", url=gate.url, viewport=PHONE), stage.put(stage.scene("yahtzee", "Ann").start()))
        gate.shut()
        ann.page.locator("#roll").click()
        expect(ann.page.locator("body.offline")).to_have_count(1)
        said = ann.page.locator(".status").evaluate("line => getComputedStyle(line, '::before').content")
        assert "the move counts once" in said
        assert not covers(ann.page, "#table", "#roll")


def test_home_of_a_returning_player_opens_without_a_connection(stage: Stage, person: Person, server: Serving) -> None:
    stage.put(stage.scene("yahtzee", "Ann").start())
    with Gate(server.port) as gate:
        page = person("Ann", url=gate.url, size="phone")
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        gate.shut()
        page.goto("/")
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def test_a_slow_hint_is_seen_to_be_on_its_way(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), stage.put(stage.scene("yahtzee", "Ann").start().roll("24466")))
    held: list[Route] = []
    ann.page.route(re.compile(r"/hint$"), lambda route: held.append(route))
    ann.page.locator("#ask-coach").click()
    expect(ann.page.locator("#coach")).to_contain_text("working it out")
    held[0].continue_()
    expect(ann.page.locator("#coach-title")).to_be_visible()
    expect(ann.page.locator("#coach .working")).to_have_count(0)


def test_no_answer_in_a_turn_is_an_error(stage: Stage, person: Person) -> None:
    """A choice of dice that came after the roll was refused, and the console had a red line for it."""
    ann = at(person("Ann", "phone"), stage.put(stage.scene("yahtzee", "Ann").start().roll("23346")))
    refused: list[str] = []
    ann.page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    ann.hold(0, 1)
    ann.roll()
    ann.page.locator("#box-full_house").click()
    ann.page.locator("#confirm-yes").click()
    expect(ann.rolls_left).to_contain_text("3 rolls left")
    ann.page.wait_for_function("() => new Promise((done) => requestIdleCallback(() => done(true)))")
    assert refused == []


def test_a_tap_on_the_felt_hurries_a_bot_and_undo_does_not(stage: Stage, person: Person) -> None:
    scene = stage.scene("yahtzee", "Ann", Seat("Steady bot", bot="steady")).start().turn("55521", "fives")
    ann = at(person("Ann", "phone"), stage.put(scene))
    sent: list[str] = []
    ann.page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    ann.page.route(re.compile(r"/(undo|hurry)$"), lambda route: route.abort())
    ann.page.locator("#undo").click()
    expect(ann.page.locator("body.offline")).to_have_count(1)
    assert "hurry" not in sent
    with ann.page.expect_request(re.compile(r"/hurry$")):
        ann.page.locator(".game .status").click()


def test_a_picture_is_seen_at_the_name_of_its_player(stage: Stage, person: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    ann, bob = at(person("Ann", "phone", pace=1), path), at(person("Bob", "phone"), path)
    bob.page.locator("#around > summary").click()
    bob.page.get_by_role("button", name="Applause").click()
    expect(ann.page.locator(".reaction")).to_have_text("\N{CLAPPING HANDS SIGN}")
    expect(ann.page.locator("#live")).to_have_text("Bob: Applause")
    expect(bob.page.locator("#around")).not_to_have_attribute("open", "")


DESKS = {"desk": {"width": 1280, "height": 720}, "large desk": {"width": 1920, "height": 1080}}
CUT = """() => [...document.querySelectorAll('#headline, .scores .name')]
    .filter((one) => one.offsetWidth && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


@pytest.mark.parametrize("window", DESKS)
def test_a_desk_shows_dice_headline_and_lines_whole(stage: Stage, person: Person, window: str) -> None:
    """The coach lies above the dice that it speaks of; nothing is cut at the end."""
    page = person("Ann", viewport=DESKS[window])
    page.goto(stage.put(stage.scene("yahtzee", "Ann").start().roll("24466")))
    page.locator("#ask-coach").click()
    page.locator("#coach-why > summary").click()
    panel = page.locator("#coach-panel").bounding_box()
    tops = [box["y"] for die in page.locator(".dice .die").all() if (box := die.bounding_box())]
    assert panel is not None
    assert panel["y"] + panel["height"] <= min(tops), (panel, tops)
    assert page.locator("#coach-why .cost").last.bounding_box()["y"] < panel["y"] + panel["height"]  # type: ignore[index]
    names = ("Ann", "Bartholomew", "Chris", "Dora", "Emil", "Fay")
    page.goto(stage.put(stage.scene("yahtzee", *names).start().play_until(0)))
    assert page.evaluate(CUT) == []
