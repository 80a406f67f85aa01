"""What people stumbled over at the table: menus over answers, words that were cut, and a server that is away."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import Page, Route, expect

from browser.chromium import keep_pace
from browser.conftest import Person
from browser.player import at, open_more
from fivedice.table.actions import events as ev
from fivedice.text import available
from web.gate import Gate
from web.serving import Serving
from web.stage import Seat, Stage

CUT_WORDS = """() => [...document.querySelectorAll('.roll, .roll > span:first-child, .scores .name')].filter((one) =>
    one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 || (one.offsetHeight > 30
    && one.matches('.name') && !/[\\s-]/.test(one.textContent.trim()))).map((one) => one.textContent)"""
ABOVE = """all => Math.max(...all.map((one) =>
    one.parentElement.getBoundingClientRect().top - one.getBoundingClientRect().top))"""
SHORT_OF = "all => all.map((one) => Math.max(0, one.scrollWidth - one.offsetWidth))"
DRAWN = "((shapes) => [...document.querySelectorAll(shapes)].map((use) => use.getBBox().height))"
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


def test_words_of_the_large_button_and_of_boxes_are_whole_in_every_language(stage: Stage, person: Person) -> None:
    saved = stage.put(stage.scene("maxi-yatzy", "Ann").start().turn("123456", "ones").roll("244661"))
    used = stage.put(stage.scene("yahtzee", "Ann").start().roll("24466").roll("24466").roll("24466"))
    for language in available():
        page = person("Ann", locale=language)
        for path, width in product((saved, used), (390, 360, 320)):
            page.set_viewport_size({"width": width, "height": 664})
            page.goto(path)
            assert page.evaluate(CUT_WORDS) == [], (language, width)


def test_words_of_a_button_are_apart(stage: Stage, person: Person) -> None:
    bob = at(person("Bob", "phone"), stage.put(stage.scene("yahtzee", "Ann", "Bob").start().add(ev.Left(0))))
    assert bob.page.locator("[formaction$=dismiss]").inner_text() == "Let a bot finish for Ann"


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
    for tapped in (".game .status", "[data-hurry]"):
        with ann.page.expect_request(re.compile(r"/hurry$")):
            ann.page.locator(tapped).click()


def test_a_picture_is_seen_at_the_name_of_its_player(stage: Stage, person: Person) -> None:
    """Drawn by us: where no font has such pictures, letters would be boxes."""
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    ann, bob = at(person("Ann", "phone", pace=0.1), path), at(person("Bob", "phone"), path)
    bob.page.locator("#around > summary").click()
    bob.page.wait_for_function(f"() => {DRAWN}('.reactions use').filter((high) => high > 20).length === 6")
    bob.page.get_by_role("button", name="Applause").click()
    expect(ann.page.locator(".reaction")).to_be_in_viewport()
    ann.page.wait_for_function(f"() => {DRAWN}('.reaction use')[0] > 20")
    expect(ann.page.locator("#live")).to_have_text("Bob: Applause")
    expect(bob.page.locator("#around")).not_to_have_attribute("open", "")


def test_points_fly_where_they_can_be_seen(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", pace=0.1, viewport=PHONE), stage.put(stage.scene("yahtzee", "Ann").start().roll("24466")))
    ann.score("sixes")
    expect(ann.page.locator(".flown")).to_have_text("12")
    expect(ann.page.locator(".flown")).to_be_in_viewport()


@pytest.mark.parametrize("window", [(360, 640), (390, 664), (1280, 720)], ids=str)
def test_bonus_of_a_joker_and_its_reason_are_whole(stage: Stage, person: Person, window: tuple[int, int]) -> None:
    scene = stage.scene("yahtzee", "Ann", "Bob").start().turn("55555", "five_of_a_kind").turn("12346", "chance")
    page = person("Ann", viewport=dict(zip(("width", "height"), window, strict=True)))
    page.goto(stage.put(scene.turn("44444", "fours").turn("12346", "aces").roll("44444")))
    expect(page.locator(".row-extra td.main")).to_contain_text("100")
    assert page.locator(".row-extra td.main, #reasons summary").evaluate_all(SHORT_OF) == [0, 0]


LONG_NAMES = ("Maximilian", "Bartholomew", "Christopher")
CALL_AWAY = """() => { for (const chip of document.querySelectorAll('.chip:not(.main) > *'))
    if (!chip.querySelector('small')) chip.insertAdjacentHTML('beforeend', '<small class="state">away</small>'); }"""


@pytest.mark.parametrize(
    ("window", "names"),
    [
        ((360, 640), 2),
        ((390, 664), 2),
        ((390, 664), 3),
        ((820, 1180), 2),
        ((820, 1180), 3),
        ((1280, 720), 3),
        ((1280, 900), 3),
    ],
    ids=str,
)
def test_names_are_whole_while_their_players_are_away(
    stage: Stage, person: Person, window: tuple[int, int], names: int
) -> None:
    page = person(LONG_NAMES[0], viewport=dict(zip(("width", "height"), window, strict=True)))
    scene = stage.scene("yahtzee", *LONG_NAMES[:names]).start(first=1)
    page.goto(stage.put(scene.turn("66661", "sixes")))
    page.evaluate(CALL_AWAY)  # a server says so by itself once it has run for a while
    assert page.locator(".chip bdi, .chip small").evaluate_all(SHORT_OF) == [0] * (2 * names - 1)
    assert page.locator(".chip bdi").evaluate_all(ABOVE) <= 0, "no name is cut at its top"
    if window[0] > 1000:  # elsewhere, the columns are headed by tokens
        assert page.locator(".scores thead bdi").evaluate_all(SHORT_OF) == [0] * names


def test_waiting_for_a_long_name_breaks_no_word(stage: Stage, person: Person) -> None:
    page = person("Ann", viewport={"width": 360, "height": 640})
    page.goto(stage.put(stage.scene("yahtzee", "Ann", "Bartholomew").start(first=1)))
    bounds = page.locator(".roll.idle bdi").evaluate("(name) => name.getClientRects().length")
    assert bounds == 1


def test_own_total_is_in_sight_among_six(stage: Stage, person: Person) -> None:
    names = ("Ann", "Bartholomew", "Chris", "Dora", "Emil", "Fay")
    page = person("Dora", viewport=PHONE)
    page.goto(stage.put(stage.scene("yahtzee", *names).start().roll("12345")))
    expect(page.locator(".chip.main strong")).to_be_in_viewport(ratio=1)
    box = page.locator(".chip.main strong").bounding_box()
    assert box is not None
    assert page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).matches('.main strong')", [box["x"] + 5, box["y"] + 5]
    )


def test_dice_are_seen_before_their_numbers_are_read(stage: Stage, person: Person) -> None:
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    bob = at(person("Bob", "phone", pace=0.1), path).page
    at(person("Ann"), path).roll()
    expect(bob.locator("body.tumbling .said")).to_have_css("opacity", "0")
    keep_pace(bob, 20)
    expect(bob.locator("body:not(.tumbling) .said")).to_contain_text("Ann rolled")
    expect(bob.locator(".said")).to_have_css("opacity", "1")


@pytest.mark.parametrize("window", [(1280, 720), (1920, 1080)], ids=str)
def test_coach_leaves_the_dice_free_and_kept_dice_close_ranks(
    stage: Stage, person: Person, window: tuple[int, int]
) -> None:
    page = person("Ann", viewport=dict(zip(("width", "height"), window, strict=True)))
    ann = at(page, stage.put(stage.scene("yahtzee", "Ann").start().roll("24466")))
    ann.hold(0, 4)
    page.locator("#ask-coach").click()
    page.locator("#coach-why > summary").click()
    expect(page.locator(".choices li")).to_have_count(4)
    slots = page.locator(".die-slot").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width])"
    )
    panel = page.locator("#coach-panel").bounding_box()
    assert panel is not None
    assert panel["y"] + panel["height"] <= min(y for _, y, _ in slots)
    tray = [slots[0], slots[4]]
    assert round(tray[1][0] - tray[0][0]) == round(slots[2][0] - slots[1][0]), "no gap between dice that are kept"
    assert round(tray[0][0] + tray[1][0]) == round(slots[1][0] + slots[3][0]), "around the middle"


CUT = """() => [...document.querySelectorAll('#headline, .scores .name')]
    .filter((one) => one.offsetWidth && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


def test_a_desk_cuts_no_headline_and_no_line(stage: Stage, person: Person) -> None:
    page = person("Ann", viewport={"width": 1280, "height": 720})
    names = ("Ann", "Bartholomew", "Chris", "Dora", "Emil", "Fay")
    page.goto(stage.put(stage.scene("yahtzee", *names).start().play_until(0)))
    assert page.evaluate(CUT) == []


def test_a_cell_that_swells_makes_nothing_wider(stage: Stage, person: Person) -> None:
    """Points that land in their box make it larger for a moment, also at the edge of a phone."""
    page = person("Ann", "phone", viewport={"width": 390, "height": 664})
    at(page, stage.put(stage.scene("yahtzee", "Ann", "Bob").start().roll("12345"))).score("chance")
    page.wait_for_function("() => [...document.styleSheets].some((sheet) => sheet.href?.endsWith('play/joy.css'))")
    wider = page.evaluate("""() => [...document.querySelectorAll(".scores td.main")].map((cell) => {
        const game = document.querySelector(".game");
        cell.style.scale = "1.35";
        const by = game.scrollWidth - game.clientWidth;
        cell.style.scale = "";
        return by;
    })""")
    assert set(wider) == {0}


# Chips that are partly in sight: to the left of the row, or below the own one, which always stays in sight.
HALF_SEEN = """() => {
    const [row, own] = ['.seats', '.chip.main'].map((one) => document.querySelector(one).getBoundingClientRect());
    return [...document.querySelectorAll('.chip:not(.main)')].map((chip) => [chip, chip.getBoundingClientRect()])
        .filter(([, { left, right }]) => right > row.left + 1 && left < own.left - 1)
        .filter(([, { left, right }]) => left < row.left - 1 || right > own.left + 1)
        .map(([chip]) => chip.textContent.trim());
}"""
MANY = ("Ann", "Bartholomew", "Chris", "Dora", "Emil", "Fay", "Gustav", "Hildegard", "Ida", "Jo", "Kim", "Lu")


@pytest.mark.parametrize("window", [(360, 600), (390, 664), (844, 390), (820, 1180)], ids=str)
def test_names_among_many_are_in_sight_or_not_but_never_cut(
    stage: Stage, person: Person, window: tuple[int, int]
) -> None:
    page = person("Ann", viewport=dict(zip(("width", "height"), window, strict=True)))
    for count in (5, 6, 12):
        for first in (0, count - 2):
            page.goto(stage.put(stage.scene("yahtzee", *MANY[:count]).start(first=first).roll("24466")))
            page.evaluate(CALL_AWAY)
            assert page.evaluate(HALF_SEEN) == [], (count, first)
            assert set(page.locator(".chip small").evaluate_all(SHORT_OF)) == {0}, (count, first)
            if first:
                expect(page.locator(".chip.on-turn")).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("window", [(360, 640), (390, 664), (820, 1180), (1280, 720)], ids=str)
def test_names_of_three_are_whole_at_the_end(stage: Stage, person: Person, window: tuple[int, int]) -> None:
    page = person(LONG_NAMES[0], viewport=dict(zip(("width", "height"), window, strict=True)))
    page.goto(stage.put(stage.scene("yahtzee", *LONG_NAMES).start().play_until(0)))
    expect(page.locator(".standing bdi")).to_have_count(3)
    page.wait_for_function("() => [...document.styleSheets].some((sheet) => sheet.href?.endsWith('play/end.css'))")
    assert page.locator(".standing bdi").evaluate_all(SHORT_OF) == [0, 0, 0]


@pytest.mark.parametrize("book", ["yahtzee", "yatzy", "maxi-yatzy"])
def test_totals_on_a_desk_are_high_enough_for_their_numbers(stage: Stage, person: Person, book: str) -> None:
    page = person("Ann", viewport={"width": 1280, "height": 720})
    page.goto(stage.put(stage.scene(book, "Ann", "Bob").start()))
    high = page.locator(".scores tbody tr:not(.row-box, .row-heading)").evaluate_all(
        "all => all.map((row) => row.getBoundingClientRect().height)"
    )
    assert min(high) >= 26


@pytest.mark.parametrize("count", [2, 3, 12])
def test_names_are_whole_on_a_phone_on_its_side(stage: Stage, person: Person, count: int) -> None:
    page = person("Ann", viewport={"width": 844, "height": 390})
    page.goto(stage.put(stage.scene("yahtzee", *MANY[:count]).start(first=1).roll("24466")))
    assert min(page.locator(".chip bdi").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")) >= 0


@pytest.mark.parametrize(
    ("book", "language", "turns"),
    [
        ("kismet", "en", []),
        ("yatzy", "en", []),
        ("maxi-yatzy", "en", []),
        ("yahtzee", "de", [("44444", "five_of_a_kind"), ("66666", "sixes")]),  # an extra bonus makes eight in a row
    ],
)
def test_boxes_on_the_end_card_are_named_in_whole(
    stage: Stage, person: Person, book: str, language: str, turns: list[tuple[str, str]]
) -> None:
    page = person("Ann", viewport={"width": 360, "height": 640}, locale=language)
    scene = stage.scene(book, "Ann").start()
    for turn in turns:
        scene.turn(*turn)
    page.goto(stage.put(scene.play_until(0)))
    page.wait_for_function("() => [...document.styleSheets].some((sheet) => sheet.href?.endsWith('play/end.css'))")
    cut = page.locator(".strip dt > [aria-hidden]").evaluate_all(
        "all => all.filter((name) => name.offsetWidth > name.parentElement.clientWidth).map((name) => name.textContent)"
    )
    assert cut == []


def test_names_are_whole_in_large_letters(stage: Stage, person: Person) -> None:
    page = person("Ann", viewport=PHONE)
    page.goto(stage.put(stage.scene("yahtzee", "Ann", "Bob").start().turn("66661", "sixes").turn("66661", "sixes")))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.locator(".chip bdi").evaluate_all(SHORT_OF) == [0, 0]
    expect(page.locator(".chip.main bdi")).to_be_in_viewport(ratio=0.95)
    expect(page.locator(".chip.main strong")).to_be_in_viewport(ratio=0.95)
