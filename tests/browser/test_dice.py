"""The dice as one touches them: keys, holds, digits, colours that are forced, and a server far away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.chromium import keep_pace
from browser.conftest import Person
from browser.one_screen import WINDOWS, Screen
from browser.player import Player, at, open_more
from long import few
from web.stage import Scene, Stage

DICE = "24466"


def rolled(stage: Stage) -> str:
    return stage.put(stage.scene("yahtzee", "Ann").start().roll(DICE))


def test_space_rolls_whatever_has_the_focus(stage: Stage, person: Person) -> None:
    page = person("Ann")
    for focus in ("#die-0", "#roll", "#ask-coach", "#box-chance", ".bar .brand"):
        ann = at(page, rolled(stage))
        version = ann.version
        page.locator(focus).focus()
        page.keyboard.press(" ")
        expect(ann.table, focus).to_have_attribute("data-version", str(version + 1))
        expect(ann.rolls_left, focus).to_contain_text("1 roll left")
        expect(page.locator("#die-0"), focus).not_to_be_checked()


def test_space_never_scores(stage: Stage, person: Person) -> None:
    ann = at(person("Ann"), stage.put(stage.scene("yahtzee", "Ann").start().roll(DICE).roll(DICE)))
    ann.page.locator("#roll").focus()
    ann.page.keyboard.press(" ")
    expect(ann.page.locator("#roll")).to_have_count(0)
    version = ann.version
    expect(ann.page.locator(":focus")).to_have_id(re.compile("^box-"))  # the next thing to do
    ann.page.keyboard.press(" ")
    ann.page.keyboard.press("Enter")
    ann.expect_version(version + 1)


def test_enter_and_digits_hold_a_die(stage: Stage, person: Person) -> None:
    ann = at(person("Ann"), rolled(stage))
    version = ann.version
    ann.page.locator("#die-1").focus()
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.press("3")
    expect(ann.page.locator("#die-1")).to_be_checked()
    expect(ann.page.locator("#die-2")).to_be_checked()
    ann.expect_version(version)


def test_a_held_die_lies_otherwise_from_the_first_time_on(stage: Stage, person: Person, size: str) -> None:
    ann = at(person("Ann", size), stage.put(stage.scene("yahtzee", "Ann").start()))
    ann.roll()
    look = "die => [getComputedStyle(die).transform, getComputedStyle(die).boxShadow]"
    die = ann.page.locator(".die-slot:has(#die-0) .die")
    expect(ann.page.locator(".cube")).to_have_count(0)
    before = die.evaluate(look)
    ann.hold(0)
    expect(die).to_have_css("transform", "matrix(1.03, 0, 0, 1.03, 0, -3)")
    assert all(was != now for was, now in zip(before, die.evaluate(look), strict=True))


def test_dice_are_seen_in_forced_colours(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", forced_colors="active"), rolled(stage))
    ground, edge, pips = ann.page.locator(".dice .die").first.evaluate(
        "die => [getComputedStyle(die).backgroundColor, getComputedStyle(die).borderTopColor,"
        " getComputedStyle(die.querySelector('.pips')).fill]"
    )
    assert ground not in (edge, pips)
    left = ann.page.locator(".rolls .left").first
    felt = "dot => getComputedStyle(dot.closest('.roll')).backgroundColor"
    assert left.evaluate("dot => getComputedStyle(dot).backgroundColor") != left.evaluate(felt)


def test_digits_stand_for_pips_where_they_are_wanted(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), rolled(stage))
    digit, pips = ann.page.locator(".dice .digit").first, ann.page.locator(".dice .pips").first
    expect(digit).not_to_be_visible()
    open_more(ann.page)
    ann.page.get_by_role("button", name="Digits on dice").click()
    for _ in range(2):
        expect(digit).to_be_visible()
        expect(pips).not_to_be_visible()
        ann.page.reload()


def test_a_zero_is_not_written_by_pressing_enter_twice(stage: Stage, person: Person) -> None:
    ann = at(person("Ann"), stage.put(stage.scene("yahtzee", "Ann").start().roll("23346")))
    version = ann.version
    ann.page.locator("#box-full_house").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#confirm-no")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#confirm")).to_have_count(0)
    ann.expect_version(version)


def test_a_slow_server_is_seen_to_be_slow(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), rolled(stage))
    held: list[Route] = []
    ann.page.route(re.compile(r"/roll$"), lambda route: held.append(route))
    ann.hold(0)
    ann.page.locator("#roll").click()
    expect(ann.page.locator(".cube")).to_have_count(4)  # before any answer
    expect(ann.page.locator("body.waits")).to_have_count(1)
    said = ann.page.locator(".status").evaluate("line => getComputedStyle(line, '::after').content")
    assert "Waiting for the server" in said
    held[0].continue_()
    expect(ann.rolls_left).to_contain_text("1 roll left")
    expect(ann.page.locator("body.waits, .cube")).to_have_count(0)


def test_dice_come_down_again_where_nothing_was_rolled(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), rolled(stage))
    ann.page.route(re.compile(r"/roll$"), lambda route: route.abort())
    ann.page.locator("#roll").click()
    expect(ann.page.locator("body.offline")).to_have_count(1)
    expect(ann.page.locator(".cube")).to_have_count(0)
    ann.expect_dice(DICE)


def hold_back_answer(ann: Player) -> list[Route]:
    """Return a list that takes the next roll in place of the server."""
    held: list[Route] = []
    ann.page.route(re.compile(r"/roll$"), lambda route: held.append(route))
    return held


def test_points_are_hidden_until_the_dice_rest(stage: Stage, person: Person) -> None:
    """The dice come down at a pace of nearly nothing, so that nothing here depends on how quick a machine is."""
    ann = at(person("Ann", "phone"), rolled(stage))
    keep_pace(ann.page, 0.0001)
    ann.roll()
    expect(ann.page.locator("body.tumbling .cube")).to_have_count(5)
    for points in ann.page.locator(".worth").all():
        expect(points).to_have_css("opacity", "0")
    ann.page.evaluate("document.getAnimations().forEach((motion) => motion.finish())")
    expect(ann.page.locator("body.tumbling, .cube, .die.in-air")).to_have_count(0)
    keep_pace(ann.page, 20)
    expect(ann.page.locator(".box:not(.zero) .worth").first).to_have_css("opacity", "1")


@pytest.mark.parametrize("touched", ["label:has(#die-0)", "#box-chance", "key"])
def test_a_touch_in_mid_air_is_taken_and_ends_the_throw(stage: Stage, person: Person, touched: str) -> None:
    ann = at(person("Ann", "phone"), rolled(stage))
    keep_pace(ann.page, 0.0001)
    ann.roll()
    version = ann.version
    expect(ann.page.locator(".cube")).to_have_count(5)
    if touched == "key":
        ann.page.keyboard.press("1")
    else:
        ann.page.locator(touched).click()
    expect(ann.page.locator("body.tumbling, .cube")).to_have_count(0)
    if touched == "#box-chance":
        ann.expect_version(version + 1)
    else:
        expect(ann.page.locator("#die-0")).to_be_checked()


def test_kept_dice_do_not_move_and_no_slot_is_empty(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), rolled(stage))
    ann.hold(1, 3)
    held = hold_back_answer(ann)
    ann.page.locator("#roll").click()
    places = "cubes => cubes.map((cube) => cube.dataset.place)"
    for _ in ("before the answer", "after it"):
        expect(ann.page.locator(".die.in-air")).to_have_count(3)
        assert ann.page.locator(".cube").evaluate_all(places) == ["0", "2", "4"]
        if held:
            keep_pace(ann.page, 0.0001)
            held.pop().continue_()
            expect(ann.rolls_left).to_contain_text("1 roll left")


def test_opposite_faces_add_up_to_seven(blank: Page) -> None:
    seen = blank.evaluate("""async () => {
        const { around, lying, seenOf, times } = await import("/static/play/cube.js");
        const turns = [1, 2, 3, 4, 5, 6].map((face) => lying(face, 0.1));
        return turns.map((turn) => [turn, times(around([1, 0, 0], Math.PI), turn)].map((at) => seenOf(at)[0].face));
    }""")
    assert [up for up, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert {up + down for up, down in seen} == {7}


def test_less_motion_is_a_fade(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone", reduced_motion="reduce"), rolled(stage))
    ann.page.evaluate("""() => {
        document.body.dataset.cubes = 0;
        const { dataset } = document.body;
        const cubes = () => document.querySelectorAll('.cube').length;
        const count = () => { dataset.cubes = Number(dataset.cubes) + cubes(); };
        new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    }""")
    ann.roll()
    expect(ann.page.locator("body:not(.tumbling)")).to_have_attribute("data-cubes", "0")


def crowd(stage: Stage, count: int) -> Scene:
    names = ("Ann", "Bob", "Cleopatra", "Дмитрий", "אסתר", "Fritz", "Gustav", "Hildegard", "Ida", "Jo", "Kim", "Lu")
    return stage.scene("yahtzee", *names[:count])


@pytest.mark.parametrize("count", few([12, 8, 5], 1))
def test_many_players_have_room(stage: Stage, person: Person, count: int) -> None:
    page = person("Ann")
    path = stage.put(crowd(stage, count).start().roll(DICE))
    cut = """() => [...document.querySelectorAll('.scores td:not(:empty)')].filter((cell) => cell.offsetWidth
        && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"""
    for window in ("phone", "phone on its side", "desk"):
        width, height = WINDOWS[window]
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path)
        Screen(page, window, 13).look()
        assert page.evaluate(cut) == [], window


def test_a_tap_on_a_name_shows_another_column(stage: Stage, person: Person) -> None:
    ann = at(person("Ann", "phone"), stage.put(crowd(stage, 6).start().roll(DICE)))
    other = ann.page.locator("td[data-seat='3']").first
    expect(other).not_to_be_visible()
    ann.page.locator("[data-see='3']").click()
    expect(other).to_be_visible()
    ann.score("chance")
    expect(other).to_be_visible()
    ann.page.locator("[data-see='3']").click()
    expect(other).not_to_be_visible()


def test_without_script_a_name_leads_to_its_column(stage: Stage, person: Person) -> None:
    page = person("Ann", "phone", java_script_enabled=False)
    page.goto(stage.put(crowd(stage, 6).start().roll(DICE)))
    page.locator("[data-see='3']").click()
    expect(page.locator("td[data-seat='3']").first).to_be_visible()


def test_a_roll_off_of_eight_leaves_roll_free(stage: Stage, person: Person) -> None:
    scene = crowd(stage, 8).start(roll_off=("66666", *["1111" + str(face) for face in (1, 1, 2, 2, 3, 3, 4)]))
    page = person("Ann")
    page.set_viewport_size({"width": 390, "height": 664})
    ann = Player(page)
    page.goto(stage.put(scene))
    expect(page.locator("#rolloff")).to_contain_text("Hildegard")
    box = page.locator("#rolloff").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    Screen(page, "phone", 13).look()
    ann.roll()
    expect(page.locator("#rolloff")).to_have_count(0)


def test_five_of_a_kind_owns_the_felt(stage: Stage, person: Person) -> None:
    scene = stage.scene("yahtzee", "Ann", "Bob").start().roll("44446")
    bob = at(person("Bob", "phone"), path := stage.put(scene))
    bob.page.evaluate("""() => {
        const seen = (records) => records.flatMap((record) => [...record.addedNodes]).forEach((added) => {
            if (added.classList?.contains('cheer')) document.body.dataset.cheered = added.textContent;
        });
        new MutationObserver(seen).observe(document.body, { childList: true, subtree: true });
    }""")
    bob.page.route(re.compile(rf"{path}$"), lambda route: route.fulfill(body=_with_cheer(route)))
    at(person("Ann"), path).roll()
    expect(bob.page.locator("body")).to_have_attribute("data-cheered", "YAHTZEE!")
    expect(bob.page.locator(".cheer")).to_have_count(0)


def _with_cheer(route: Route) -> str:
    """A test cannot choose a server's dice, so it replaces the answer."""
    return route.fetch().text().replace('id="table"', 'id="table" data-celebrate="alike" data-cheer="YAHTZEE!"', 1)


def test_sound_is_made_only_where_it_is_wanted(stage: Stage, person: Person) -> None:
    page = person("Ann", "phone")
    page.add_init_script("""
        window.made = 0;
        const Real = window.AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.made += 1; } };
    """)
    ann = at(page, rolled(stage))
    ann.hold(0)
    ann.roll()
    assert page.evaluate("() => window.made") == 0
    page.get_by_role("button", name="Sound").click()
    page.wait_for_function("() => window.made === 1")
    page.reload()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("window", [(1280, 720), (1920, 1080)], ids=str)
def test_a_desk_shows_dice_thrown_across_the_felt_and_whole_names(
    stage: Stage, person: Person, window: tuple[int, int]
) -> None:
    page = person("Ann", viewport={"width": window[0], "height": window[1]})
    page.goto(stage.put(stage.scene("yahtzee", "Ann", "Bartholomew").start().roll("24466")))
    dice = [found.bounding_box() for found in page.locator(".dice .die").all()]
    tops = [box["y"] for box in dice if box]
    assert max(tops) - min(tops) > 40
    assert min(tops) > page.locator(".status").evaluate("all => all.getBoundingClientRect().bottom")
    assert max(box["y"] + box["height"] for box in dice if box) < page.locator("#roll").evaluate(
        "roll => roll.getBoundingClientRect().top"
    )
    cut = page.locator("bdi:visible").evaluate_all(
        "all => all.filter((name) => name.scrollWidth > name.clientWidth && name.clientWidth).map((n) => n.textContent)"
    )
    assert cut == []
    edges = page.locator(".scores [data-seat='0']").evaluate_all(
        "all => all.map((cell) => Math.round(cell.getBoundingClientRect().right))"
    )
    assert len(set(edges)) == 1, "one right edge for the numbers of a player"


def test_dice_stay_in_sight_while_a_win_is_celebrated(stage: Stage, person: Person) -> None:
    page = person("Uma", pace=0.1)  # the moment lasts; this is her first game, so none is her best
    scene = stage.scene("yahtzee", "Uma", "Bob").start(first=1).turn("12346", "chance").turn("44444", "five_of_a_kind")
    page.goto(stage.put(scene.play_until(1).roll("66612")))
    page.locator("button.box").first.click()
    expect(page.locator(".cheer")).to_have_text("You win!")
    for die in page.locator(".dice .die[data-face]").all():
        expect(die).to_be_visible()
    expect(page.locator(".dice .die[data-face]")).to_have_count(5)
