"""What a person does on a score pad while something else is on its way: no tap is lost, doubled or another player's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from sqlalchemy import Connection, delete, update

from browser.conftest import Person
from browser.pad_phone import entries
from browser.settled import PAINTED, until
from browser.test_pad import TURN, Pad, pad_at
from fivedice.store import schema
from fivedice.table.service import handing_over
from fivedice.web.http.page_files import static_address
from long import every_run
from web.pads import open_pad, turns, who
from web.stage import Stage

pytestmark = every_run  # what matters most takes no turns

# A transaction of another window: until it ends, whatever this page wants to keep waits in its order.
HOLD = """() => new Promise((done) => {
    const opening = indexedDB.open("fivedice-pad");
    opening.onsuccess = () => {
        const store = opening.result.transaction("sheets", "readwrite").objectStore("sheets");
        let isHeld = true;
        const goOn = () => { if (isHeld) store.get("none").onsuccess = goOn; else opening.result.close(); };
        window.release = () => { isHeld = false; };
        goOn();
        done();
    };
})"""
# Everything that is on the screen from now on: the headline, and how many entries can be corrected.
WATCH = """() => {
    window.seen = [];
    const look = () => seen.push([
        document.getElementById("headline").innerText, document.querySelectorAll("#sheet [id^=turn-]").length]);
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
# Whether the panel is there when a fresh part of the server has just taken its place.
WATCH_PANEL = """() => {
    window.shown = [];
    document.addEventListener("fivedice:shown", () => shown.push(document.getElementById("left-behind") !== null));
}"""
TWICE = """() => { const yes = document.getElementById("confirm-yes"); yes.click(); yes.click(); }"""
STORED = """() => new Promise((done) => {
    const opening = indexedDB.open("fivedice-pad");
    opening.onsuccess = () => {
        opening.result.transaction("sheets", "readwrite").objectStore("sheets").get("none").onsuccess = () => done();
    };
})"""  # all that was to be kept before


STORE, STATE = (static_address(f"pad/{name}.js") for name in ("store", "state"))
SET_UP = f"""async () => {{
    const {{ newSheet }} = await import("{STORE}");
    const {{ dataset: {{ rules }} }} = document.querySelector("input[value=yatzy]");
    const setUp = {{ rules, page: "/rules/yatzy", book: "yatzy", label: "Yatzy", names: ["Ann", "Bob"], first: 0,
        games: 1, matchTotal: false, mode: "quick" }};
    return [await newSheet(setUp), await newSheet(setUp)];
}}"""
# Another window has modules of its own.
ELSEWHERE = f"""const {{ changeAll }} = await import("{STORE}#elsewhere");"""
MOVE = f"""async (id) => {{
    {ELSEWHERE}
    const {{ move }} = await import("{STATE}");
    await changeAll([id, "moved"], (both) => move(both, "moved"));
}}"""
DELETE = f"async (id) => {{ {ELSEWHERE} await changeAll([id], () => [null]); }}"
LOOK = "dispatchEvent(new Event('online'))"  # as a phone that was out of reach


@pytest.fixture
def ann(regular: Person) -> Callable[[str], Pad]:
    def open_at(path: str) -> Pad:
        pad = pad_at(regular("Ann", "phone"), path)
        expect(pad.page.locator("#box-chance")).to_be_visible()
        return pad

    return open_at


def _boxes(stage: Stage, path: str) -> list[str]:
    return [f"{each.name} {each.box} {each.points}" for each in entries(stage, path)]


def test_a_zero_is_scored_once_and_for_the_player_who_was_asked_about(stage: Stage, ann: Callable[[str], Pad]) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    pad = ann(path)
    pad.tap("66661")
    pad.page.locator("#box-fives").tap()
    expect(pad.page.locator("#confirm-yes")).to_be_visible()
    pad.page.evaluate(TWICE)
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(pad.page.locator("body:not([data-keeping])")).to_have_count(1)
    pad.expect_sent()
    assert _boxes(stage, path) == ["Ann fives 0"]
    pad.tap("66661")
    pad.page.locator("#box-fives").tap()
    expect(pad.page.locator("#confirm-yes")).to_be_visible()
    turns(stage, path, ("22221", "twos"))  # by another phone
    pad.page.evaluate(LOOK)
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    expect(pad.page.locator("#confirm-yes")).to_have_count(0)


def test_keys_pressed_before_the_rules_have_come_count(stage: Stage, person: Person) -> None:
    page = person("Ann", "phone")
    held: list[Route] = []
    page.route("**/pad/rules/*", lambda route: held.append(route))
    with page.expect_request("**/pad/rules/*"):
        page.goto(open_pad(stage, "yatzy", ["Ann", "Bob"]))
    page.keyboard.type("66")
    held[0].continue_()
    expect(page.locator("#slots .die:not(.empty)")).to_have_count(2)


def test_a_form_is_sent_also_where_an_entry_arrives_under_the_finger(stage: Stage, ann: Callable[[str], Pad]) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    pad = ann(path)
    held: list[Route] = []
    pad.page.route("**/commands", lambda route: held.append(route), times=1)
    pad.page.locator("#people summary").first.click()
    pad.page.locator("#join-name").fill("Cleo")
    with pad.page.expect_request("**/commands"):
        pad.enter("66661", "sixes")
    pad.page.get_by_role("button", name="Add player").hover()
    pad.page.mouse.down()
    with pad.page.expect_response(f"**{path}") as fresh:
        held[0].continue_()
    fresh.value.finished()
    pad.page.evaluate(PAINTED)
    pad.page.mouse.up()
    expect(pad.page.locator("#scores li")).to_have_count(3)


def test_a_tap_counts_also_where_an_entry_is_kept_under_the_finger(stage: Stage, ann: Callable[[str], Pad]) -> None:
    pad = ann(open_pad(stage, "yatzy", ["Ann", "Bob"]))
    pad.tap("66661")
    pad.page.evaluate(HOLD)
    pad.page.locator("#box-sixes").click()
    pad.page.locator("#box-chance").hover()
    pad.page.mouse.down()
    pad.page.evaluate("release()")
    pad.page.evaluate(STORED)
    pad.page.evaluate(PAINTED)
    pad.page.mouse.up()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(pad.page.locator("#box-chance[aria-pressed=true]")).to_have_count(1)


def test_the_sheet_does_not_go_back_while_it_is_being_kept(stage: Stage, ann: Callable[[str], Pad]) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    pad = ann(path)
    pad.page.evaluate(HOLD)
    for dice, then in (("66661", "Bob"), ("66662", "Ann")):
        turns(stage, path, (dice, "sixes"))
        pad.page.evaluate(LOOK)
        expect(pad.headline).to_have_text(TURN.format(then))
    pad.page.evaluate(WATCH)
    pad.page.evaluate("release()")
    pad.page.evaluate(STORED)
    assert {headline for headline, _ in pad.page.evaluate("seen")} <= {TURN.format("Ann")}


def test_an_entry_that_is_kept_while_the_scorekeeper_changes_is_left_and_not_on_the_sheet(
    stage: Stage, ann: Callable[[str], Pad]
) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    pad = ann(path)
    pad.tap("66661")
    pad.page.evaluate(HOLD)
    pad.page.locator("#box-sixes").tap()
    _hand_on(stage, path)
    pad.page.evaluate(LOOK)
    expect(pad.page.locator("body.following")).to_have_count(1)
    pad.page.evaluate(WATCH)
    pad.page.evaluate("release()")
    expect(pad.page.locator("#left-behind li")).to_have_text("Ann: 6-6-6-6-1, Sixes 24")
    assert {entries for _, entries in pad.page.evaluate("seen")} == {0}


def test_a_panel_with_a_question_stays_while_a_fresh_page_takes_its_place(
    stage: Stage, ann: Callable[[str], Pad]
) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    pad = ann(path)
    pad.page.evaluate(HOLD)
    pad.tap("66661")
    pad.page.locator("#box-sixes").tap()
    _hand_on(stage, path)
    pad.page.evaluate(LOOK)
    expect(pad.page.locator("body.following")).to_have_count(1)
    pad.page.evaluate("release()")
    expect(pad.page.locator("#discard-left")).to_be_visible()
    pad.page.evaluate(HOLD)
    pad.page.evaluate(WATCH_PANEL)
    pad.page.evaluate(LOOK)
    until(pad.page, "() => shown.length > 0")
    pad.page.evaluate("release()")
    pad.page.evaluate(STORED)
    assert pad.page.evaluate("shown") == [True]
    pad.page.locator("#discard-left").tap()
    expect(pad.page.locator("#left-behind")).to_have_count(0)


def _hand_on(stage: Stage, path: str) -> None:
    code = handing_over.offer_pencil(stage.tables, path.removeprefix("/t/"), who("Ann"))
    handing_over.take_pencil(stage.tables, path.removeprefix("/t/"), who("Bob"), code)


def test_a_server_that_goes_back_to_an_older_copy_is_told_what_it_lacks(
    stage: Stage, ann: Callable[[str], Pad]
) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    pad = ann(path)
    pad.write("66661", "sixes", "Bob")
    then = stage.tables.state(path.removeprefix("/t/")).version
    pad.write("55551", "fives", "Ann")
    _go_back(stage, path, then)
    pad.tap("44441")
    pad.page.locator("#box-fours").tap()  # the server does not know of Bob's turn before it
    expect(pad.page.locator("#lost li")).to_have_text("Bob: 1-5-5-5-5, Fives 20")
    pad.page.locator("#write-lost").tap()
    pad.expect_sent()
    expect(pad.page.locator("#lost")).to_have_count(0)
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    assert _boxes(stage, path) == ["Ann sixes 24", "Bob fives 20", "Ann fours 16"]


def _go_back(stage: Stage, path: str, version: int) -> None:
    """Have a table as a backup of then has it; `fivedice restore` would change those of all tests."""
    row, event = schema.tables, schema.events
    here = path.removeprefix("/t/")

    def go_back(connection: Connection) -> None:
        connection.execute(delete(event).where(event.c.table_id == here, event.c.version > version))
        connection.execute(update(row).where(row.c.id == here).values(version=version, edition=5))

    stage.store.write(go_back)


def test_a_window_follows_its_sheet_that_another_has_moved_to_the_server(person: Person) -> None:
    """And not to another sheet of the phone."""
    page = person("Zoe", "phone")
    page.route("**/api/tables", lambda route: route.abort())
    page.goto("/pad")
    ids = page.evaluate(SET_UP)
    page.goto(f"/pad/sheet#{ids[0]}")
    expect(page.locator("#box-chance")).to_be_visible()
    page.keyboard.type("66")
    expect(page.locator("#slots .die:not(.empty)")).to_have_count(2)
    page.evaluate(MOVE, ids[0])
    page.wait_for_url("**/t/moved")


def test_a_window_whose_sheet_is_deleted_shows_no_other_sheet(person: Person) -> None:
    page = person("Zoe", "phone")
    page.route("**/api/tables", lambda route: route.abort())
    page.goto("/pad")
    ids = page.evaluate(SET_UP)
    page.goto(f"/pad/sheet#{ids[0]}")
    expect(page.locator("#box-chance")).to_be_visible()
    page.evaluate(DELETE, ids[0])
    page.wait_for_url("**/pad")
