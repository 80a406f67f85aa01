"""The score pad without a connection: from the first tap to the end of a match, and what happens when it is back."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from browser.conftest import Person
from browser.offline_sheet import QUEUE, Turn, ambiguous, enter, queue_of, shown_totals, totals, turns, written
from browser.settled import CLICK, SHEET, press, reload_typed, settle, until
from browser.test_pad import TURN, Pad, pad_at
from fivedice.core.game import Scorecard
from fivedice.core.rules import shipped
from fivedice.table.actions import events as ev
from fivedice.table.service import handing_over
from for_each import for_each
from long import LONG, long_only
from web.gate import LATENCY, Gate
from web.pads import open_pad, who, write
from web.serving import Serving
from web.stage import Stage

KEPT = f"""async (path) => {{
    const {{ version }} = document.getElementById("table").dataset;
    return (await ({SHEET})(path))?.base?.version === Number(version);
}}"""
READY = """async () => navigator.serviceWorker.controller !== null
    && Boolean(await caches.match("/pad/sheet")) && Boolean(await caches.match("/pad/rules/yardzee"))"""
PATHS = """async () => {
    const found = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return found.flat().map((one) => new URL(one.url).pathname);
}"""
FORGOTTEN = f"async (path) => !(await ({SHEET})(path))"
# The queue is sent again when the test says so, and the test knows when that is done.
HELD_RETRY = """(() => {
    const start = window.setTimeout.bind(window);
    window.setTimeout = (run, ...more) => (run.name === "resend" ? ((window.retry = run), 0) : start(run, ...more));
})()"""
RETRY = "() => window.retry?.()"
NO_STREAM = "window.EventSource = class extends EventTarget { close() {} }"
ONLY_HERE = "Your browser\N{RIGHT SINGLE QUOTATION MARK}s storage is full or off. Keep this page open."
FULL = "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
# A key is pressed in the transaction that gives the sheet its id at the server.
TYPE_WHILE_MOVING = """(key) => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value, ...more) {
        if (this.name === "sheets" && !value.id.startsWith("l-")) {
            IDBObjectStore.prototype.put = put;
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        }
        return put.call(this, value, ...more);
    };
}"""
UNDO = f"""async (times) => {{
    {CLICK}
    const shown = () => ["#undo", "#undo-last"].find((each) => document.querySelector(each)?.offsetParent);
    for (let number = 0; number < times; number += 1) await click(shown() ?? "#undo");
}}"""
FORTY = """async () => {
    const { newSheet } = await import("/static/pad/store.js");
    for (let number = 0; number < 40; number += 1) await newSheet({ rules: "", label: "Yatzy", names: ["Zoe"] });
}"""
GAMES = 6 if LONG else 2  # of a match
NO_WORKERS = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })"


@pytest.fixture
def gate(server: Serving) -> Iterator[Gate]:
    with Gate(server.port) as gate:
        yield gate


def _go_dark(page: Page, gate: Gate) -> None:
    """The browser alone is not believed: a service worker that it wakes just then may still get a request through."""
    gate.shut()
    page.context.set_offline(True)


def _come_back(page: Page, gate: Gate) -> None:
    """Open the connection and say so to the pages: a browser without windows does not.

    A page that has tried again by itself may be on its way to another address. A locator waits for the page there,
    while `evaluate` would fail.
    """
    gate.open()
    page.context.set_offline(False)
    for each in page.context.pages:
        each.locator("html").dispatch_event("online")


def _ready_to_go_dark(page: Page, path: str) -> None:
    """The phone has the page of the table as it stands."""
    until(page, READY)
    until(page, KEPT, path)


def _watched(page: Page) -> list[str]:
    """What the page throws: nothing, if all is well."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


# --- no connection from before the first tap ---


@long_only
def test_a_match_without_any_connection(person: Person, gate: Gate) -> None:
    """From the set-up to the winner, corrections included; the server never answers again, and the sheet stays."""
    book = shipped("yardzee")
    sheet = turns(book, 2, GAMES)
    page = person(size="phone", url=gate.url)
    errors = _watched(page)
    page.goto("/pad")
    until(page, READY)
    _go_dark(page, gate)
    _set_up(page, "Ann", "Bob", games=GAMES)
    expect(page.locator("#headline")).to_have_text(TURN.format("Ann"))

    taps = enter(page, sheet)
    _check_taps(sheet, taps)
    before = totals(book, 2, GAMES, sheet)
    assert [each[:-1] for each in shown_totals(page, 2)] == before

    sheet = _correct_and_undo(page, sheet)
    after = totals(book, 2, GAMES, sheet)
    assert after != before
    assert shown_totals(page, 2) == [[*each, sum(each)] for each in after]
    best = max(map(sum, after))
    expect(page.locator("#headline")).to_contain_text(f"the match with {best}")
    page.reload()
    assert shown_totals(page, 2) == [[*each, sum(each)] for each in after]
    page.goto("/rules/yardzee")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Yardzee")
    page.goto("/statistics")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Score pad").tap()
    page.locator("#here-list a").tap()
    expect(page.locator("#headline")).to_contain_text(f"the match with {best}")
    assert not errors


def _set_up(page: Page, *names: str, games: int = 6) -> None:
    page.get_by_label("Yardzee").check()
    page.locator("select[name=games]").select_option(str(games))
    for number, name in enumerate(names):
        page.get_by_label(f"Player {number + 1}", exact=True).fill(name)
    page.get_by_role("button", name="Open score pad").tap()
    page.wait_for_url("**/pad/sheet#*")


def _check_taps(sheet: list[Turn], taps: list[int]) -> None:
    """Six by the dice: all and the box. Two by the box and its number; only if that is ambiguous, the dice too."""
    book = shipped("yardzee")
    cards = {(turn.game, turn.seat): Scorecard.empty(book) for turn in sheet}
    by_box = []
    for turn, count in zip(sheet, taps, strict=True):
        card = cards[turn.game, turn.seat]
        cards[turn.game, turn.seat] = written(card, turn.faces, turn.box)
        if not turn.box_first:
            assert count == 6 + (turn.points == 0 and count == 7), turn  # a zero that could be avoided asks
        else:
            assert count == (7 if ambiguous(card, turn) else 2), turn
            by_box.append(count)
    assert 7 in by_box
    assert 2 < sum(by_box) / len(by_box) < 3


def _correct_and_undo(page: Page, sheet: list[Turn]) -> list[Turn]:
    """A number in the first game with the same keys; then turns are taken back and written again."""
    place = next(
        number
        for number, turn in enumerate(sheet)
        if turn.game == 0 and turn.box == "chance" and len(set(turn.faces)) > 1
    )
    old = sheet[place]
    page.locator(f"#sheet-{old.seat}").tap()
    page.get_by_role("button", name=f"Correct {old.points} in Chance, game 1").tap()
    expect(page.locator("#headline")).to_have_text("Correct an entry")
    page.locator("#dice-instead").tap()
    for face in "66665":
        page.locator(f"#face-{face}").tap()
    expect(page.locator(".effect tr").first).to_contain_text(f"{old.points}→29")
    page.locator("#save-fix").tap()
    page.locator("#sheet-game").tap()
    changed = [*sheet[:place], Turn(0, old.seat, "66665", "chance", 29, box_first=False), *sheet[place + 1 :]]

    settle(page)
    page.evaluate(UNDO, 30)  # back into the game before
    expect(page.locator("#round")).to_contain_text(f"Game {GAMES - 1} of {GAMES}")
    enter(page, changed[-30:-1])
    expect(page.locator("#headline")).to_have_text(TURN.format("AnnBob"[3 * changed[-1].seat :][:3]))
    last = Turn(GAMES - 1, changed[-1].seat, changed[-1].faces, changed[-1].box, changed[-1].points, box_first=False)
    enter(page, [last])
    return changed


def test_a_sheet_of_the_phone_arrives_at_the_server_once(stage: Stage, person: Person, gate: Gate) -> None:
    page = person("Zoe", "phone", url=gate.url)
    page.goto("/pad")
    until(page, READY)
    _go_dark(page, gate)
    _set_up(page, "Ann", "Bob")
    sheet = turns(shipped("yardzee"), 2, 1)
    enter(page, sheet)
    page.locator("#next-game").tap()
    page.keyboard.type("11")  # and half a turn
    assert not stage.store.own_tables.of(who("Zoe"))
    _come_back(page, gate)
    page.wait_for_url("**/t/*")
    expect(page.locator("body.painted:not(.has-waiting)")).to_have_count(1)  # all of it is sent
    expect(page.locator("#slots .die:not(.empty)")).to_have_count(2)
    path = urlsplit(page.url).path
    assert _written(stage, path) == [turn.box for turn in sheet]
    assert len(stage.store.own_tables.of(who("Zoe"))) == 1
    expect(page.locator("#round")).to_have_text("Game 2 of 6 · Round 1 of 13")
    assert [each[0] for each in shown_totals(page, 2)] == [each[0] for each in totals(shipped("yardzee"), 2, 1, sheet)]
    page.goto("/pad")
    expect(page.locator("#here")).to_be_hidden()


@pytest.mark.skipif(LATENCY > 0, reason="a second for each entry")
def test_a_match_set_up_offline_arrives_in_one_request_per_entry(stage: Stage, person: Person, gate: Gate) -> None:
    """Nothing is sent twice, and the page is not fetched again for each entry: six games arrive in about a second."""
    page = person("Zoe", "phone", url=gate.url)
    page.goto("/pad")
    until(page, READY)
    _go_dark(page, gate)
    _set_up(page, "Ann", "Bob")
    settle(page)
    sheet = turns(shipped("yardzee"), 2, 6)
    queue = queue_of(sheet)
    page.evaluate(QUEUE, queue)
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    _come_back(page, gate)
    page.wait_for_url("**/t/*")
    expect(page.locator("#ending")).to_be_visible()
    expect(page.locator("body.painted:not(.has-waiting)")).to_have_count(1)  # all of it is sent
    assert _written(stage, urlsplit(page.url).path) == [turn.box for turn in sheet]
    posts = [each for each in requests if each.method == "POST"]
    assert len(posts) == 1 + len(queue)
    others = [each.url for each in requests if each.method == "GET" and "/static/" not in each.url]
    assert len(others) <= 12, others


def test_a_die_typed_while_the_sheet_moves_to_the_server_is_kept(person: Person, gate: Gate) -> None:
    page = person("Zoe", "phone", url=gate.url)
    page.goto("/pad")
    until(page, READY)
    _go_dark(page, gate)
    _set_up(page, "Ann", "Bob")
    settle(page)
    page.keyboard.type("1")
    page.evaluate(TYPE_WHILE_MOVING, "1")
    _come_back(page, gate)
    page.wait_for_url("**/t/*")
    expect(page.locator("#slots .die:not(.empty)")).to_have_count(2)


def _written(stage: Stage, path: str) -> list[str]:
    """The boxes in the log itself: an entry that arrived twice would be seen."""
    events = stage.store.events_after(path.removeprefix("/t/"), 0)
    return [event.box for event in events if isinstance(event, ev.Scored)]


# --- a dead spot on the lawn ---


def test_a_dead_spot_of_many_rounds(stage: Stage, person: Person, gate: Gate) -> None:
    """Points, rules and totals for any number of turns; a reload in between; then everything arrives once."""
    path = open_pad(stage, "yardzee", ["Ann", "Bob"])
    page = person("Ann", "phone", url=gate.url)
    errors = _watched(page)
    pad = pad_at(page, path)
    pad.write("66663", "sixes", "Bob")
    pad.write("11123", "aces", "Ann")
    _ready_to_go_dark(page, path)

    _go_dark(page, gate)
    pad.enter("44444", "five_of_a_kind")
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator("#net")).to_have_text("No connection. 1 entry kept here")
    pad.tap("2223")
    reload_typed(page, faces=4)  # the page, what waits and what is half typed are still there
    expect(page.locator("#waiting")).to_contain_text("Ann: 4-4-4-4-4, Yardzee 50")
    expect(page.locator("#cell-0-five_of_a_kind")).to_contain_text("50")
    pad.enter("4", "twos")
    pad.tap("44444")  # a second turn of the same player: judged here, and for the sheet that waits
    expect(page.locator(".dock .reasons")).to_contain_text("4-4-4-4-4 must go in Fours, which is open")
    expect(page.locator("button.pad-box.legal")).to_have_text(["Fours\n+100\n20"], use_inner_text=True)
    page.locator("#box-fours").tap()
    expect(page.locator("tr.row-grand td").first).to_have_text(str(24 + 50 + 20 + 100))
    assert _written(stage, path) == ["sixes", "aces"]

    _come_back(page, gate)
    pad.expect_sent()
    assert _written(stage, path) == ["sixes", "aces", "five_of_a_kind", "twos", "fours"]
    expect(page.locator("tr.row-grand td").first).to_have_text(str(24 + 50 + 20 + 100))
    assert not errors


def test_both_wrote_and_the_person_chooses(stage: Stage, person: Person, gate: Gate) -> None:
    """Both entries are shown, of this phone and of the other; one tap settles them and all that wait behind."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    other = pad_at(person("Ann", "phone"), path)
    for dice, box in (("66661", "sixes"), ("12345", "chance"), ("55551", "fives"), ("22341", "twos")):
        pad.enter(dice, box)
    other.write("55552", "fives", "Bob")
    _come_back(page, gate)
    clash = page.locator(".clash")
    expect(clash).to_contain_text("Ann: 6-6-6-6-1, Sixes 24")
    expect(clash).to_contain_text("Ann: 2-5-5-5-5, Fives 20")
    page.locator("#take-mine").tap()
    pad.expect_sent()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    assert _sheet(stage, path) == ["sixes", "chance", "fives", "twos"]


@long_only
def test_a_correction_that_comes_too_late_names_all_numbers(stage: Stage, person: Person, gate: Gate) -> None:
    """What it was, what it should be, and what another phone made of it meanwhile."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    write(stage, path, "66661", "sixes")
    page, pad = _cut_off(person, gate, path)
    other = pad_at(person("Ann", "phone"), path)
    for phone, points in ((page, 18), (other.page, 12)):
        phone.locator("#turn-0-0").click()
        phone.locator(f"#points-{points}").click()
        phone.locator("#save-fix").click()
    other.expect_sent()
    _come_back(page, gate)
    refused = page.locator("#panel .refused")
    expect(refused).to_contain_text("Correct Ann: 1-6-6-6-6, Sixes 24 to Ann: Sixes 18.")
    expect(refused).to_contain_text("On the sheet: Ann: Sixes 12")
    page.get_by_role("button", name="Discard entry").tap()
    pad.expect_sent()
    expect(page.locator("#turn-0-0")).to_contain_text("12")


def test_what_the_other_wrote_may_stay(stage: Stage, person: Person, gate: Gate) -> None:
    """Then an entry behind it may be against the rules: two taps put it elsewhere, with its dice.

    Until then it stays, however long the person thinks, and whatever they tap.
    """
    page, pad, path = _refused(stage, person, gate)
    change = "button:text-is('Change entry')"
    press(page, change)
    for leave in (lambda: press(page, "#cancel-entry", change), page.reload, lambda: None):
        expect(page.locator("#say")).to_have_text("Ann: 5-5-5-5-1, Fives 20")
        page.evaluate(RETRY)
        expect(page.locator("#box-four_of_a_kind strong")).to_have_text("20")
        expect(page.locator("#waiting li")).to_have_count(2)
        leave()
        settle(page)
    page.locator("#box-four_of_a_kind").tap()
    pad.expect_sent()
    assert _sheet(stage, path) == ["fives", "chance", "four_of_a_kind", "twos"]


def test_entry_behind_a_discarded_one_waits_for_the_missing_turn(stage: Stage, person: Person, gate: Gate) -> None:
    page, pad, path = _refused(stage, person, gate)
    page.get_by_role("button", name="Discard entry").tap()
    expect(page.locator("#waiting li")).to_have_count(1)
    page.evaluate(RETRY)
    expect(page.locator("#waiting")).to_contain_text("Bob: 2-2-3-4-1, Twos 4")
    expect(page.locator("#waiting").get_by_role("button", name="Discard entry")).to_be_visible()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    pad.enter("33312", "threes")
    pad.expect_sent()
    assert _sheet(stage, path) == ["fives", "chance", "threes", "twos"]


def _refused(stage: Stage, person: Person, gate: Gate) -> tuple[Page, Pad, str]:
    """The third of four turns is refused, as its box was filled from another phone; the fourth waits for it."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    other = pad_at(person("Ann", "phone"), path)
    for dice, box in (("66661", "sixes"), ("12345", "chance"), ("55551", "fives"), ("22341", "twos")):
        pad.enter(dice, box)
    other.write("55552", "fives", "Bob")
    _come_back(page, gate)
    page.locator("#take-theirs").tap()
    expect(page.locator("#panel .refused")).to_contain_text("Ann: 5-5-5-5-1, Fives 20. Fives already has")
    return page, pad, path


@long_only
def test_dice_stay_with_their_player(stage: Stage, person: Person, gate: Gate) -> None:
    """Ann was skipped on another phone: her entry waits until it is her turn, and no other player gets her dice."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page, pad = _cut_off(person, gate, path)
    other = pad_at(person("Ann", "phone"), path)
    pad.enter("66661", "sixes")
    other.page.locator("#people summary").first.tap()
    other.page.locator("#skip").tap()
    expect(other.headline).to_have_text(TURN.format("Bob"))
    other.expect_sent()
    _come_back(page, gate)
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator("#waiting")).to_contain_text("Ann: 6-6-6-6-1, Sixes 24. ")
    pad.enter("12345", "chance")
    page.get_by_role("button", name="Change entry").tap()
    expect(page.locator("#box-sixes strong")).to_have_text("24")
    page.locator("#box-sixes").tap()
    pad.expect_sent()
    assert _sheet(stage, path) == ["chance", "sixes"]


def test_requests_that_overlap_or_fail_are_sent_once_and_fetched_again(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Ann", "phone")
    for script in (NO_WORKERS, NO_STREAM):
        page.add_init_script(script)
    page.clock.install()
    pad = pad_at(page, path)
    looks: list[Route] = []
    sent: list[Route] = []
    page.route(f"**{path}", lambda route: looks.append(route))
    page.locator("#face-1").wait_for()
    pad.tap("66661")
    with page.expect_request(f"**{path}"):
        page.locator("#box-sixes").tap()
    page.route("**/commands", lambda route: sent.append(route))
    pad.tap("12345")
    with page.expect_request("**/commands"):
        page.locator("#box-chance").tap()
    with page.expect_response(f"**{path}"):
        looks[0].fulfill(status=503, body="")
    page.unroute(f"**{path}")
    page.clock.fast_forward(5000)  # every timer fires while the entry is on its way
    for each in sent:
        each.continue_()
    pad.expect_sent()
    assert len(sent) == 1

    page.unroute("**/commands")
    page.route(f"**{path}", lambda route: route.fulfill(status=503, body=""), times=1)
    pad.enter("55551", "fives")
    expect(page.locator("body.offline")).to_have_count(1)  # it has arrived, and nothing is left to be sent
    page.clock.fast_forward(5000)
    expect(page.locator("body.offline")).to_have_count(0)
    pad.expect_sent()


def _cut_off(person: Person, gate: Gate, path: str, workers: str = "block") -> tuple[Page, Pad]:
    """Open a sheet on a phone that then loses its connection; a reload without one needs its service worker."""
    page = person("Ann", "phone", url=gate.url, service_workers=workers)
    page.add_init_script(HELD_RETRY)
    pad = pad_at(page, path)
    settle(page)
    if workers == "allow":
        _ready_to_go_dark(page, path)
    _go_dark(page, gate)
    return page, pad


def _sheet(stage: Stage, path: str) -> list[str]:
    """The boxes as they stand, in the order of the turns."""
    game = stage.tables.state(path.removeprefix("/t/")).running
    return [str(move.box) for move in game.moves if hasattr(move, "box")]


def test_a_phone_with_forty_sheets_asks_to_delete_one(person: Person) -> None:
    page = person(size="phone")
    page.goto("/pad")
    page.evaluate(FORTY)
    page.route("**/pad", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.reload()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_role("button", name="Open score pad").tap()
    notice = page.locator("#here .notice")
    expect(notice).to_have_text("There is no room for another score sheet. Delete one first.")
    expect(notice).to_be_in_viewport()
    expect(page.locator("#here-list li")).to_have_count(40)
    page.get_by_role("button", name="Delete the score sheet of").first.tap()
    expect(notice).to_have_count(0)
    page.get_by_role("button", name="Open score pad").tap()
    expect(page.locator("#headline")).to_have_text(TURN.format("Ann"))


def test_over_plain_http_a_link_says_that_it_needs_the_server(stage: Stage, person: Person, gate: Gate) -> None:
    """There are no service workers there: a tap must not open the browser's error page, and loses nothing."""
    path = open_pad(stage, "yatzy", ["Ann", "Bob"], games=2)
    page = person("Ann", "phone", url=gate.url)
    for script in (NO_WORKERS, HELD_RETRY):
        page.add_init_script(script)
    pad = pad_at(page, path)
    pad.write("66661", "sixes", "Bob")
    gate.shut()  # and the browser does not know
    for target in ("#sheet-rules", ".brand", "#sheet-0", "#turn-0-0", "#sheet-1"):
        page.locator(target).tap()
        if target in {"#sheet-rules", ".brand"}:
            expect(page.locator("#toast")).to_have_text("No connection. This opens when it is back.")
    expect(page).to_have_url(f"{gate.url}{path}")
    page.locator("#cancel-entry").tap()
    page.evaluate(FULL)
    pad.tap("12345")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/commands")):
        page.locator("#box-chance").tap()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    expect(page.locator("#net")).to_have_text(ONLY_HERE)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/commands") else None)
    gate.open()
    page.evaluate(RETRY)
    pad.expect_sent()
    assert len(sent) == 1


LATE = {"coach.js": "#ask-coach", "coach.css": "#ask-coach", "share.js": "#share-sheet", "print.css": "#print-sheet"}
FOUND = {"#ask-coach": "#coach-title", "#share-sheet": "#sheet-link", "#print-sheet": "#printed"}
PRINT = "window.print = () => document.body.append(Object.assign(document.createElement('p'), { id: 'printed' }))"
NEEDS_CONNECTION = "No connection. This opens when it is back."


@for_each("script", LATE)
def test_a_button_whose_script_cannot_be_fetched_says_so_and_works_later(
    script: str, stage: Stage, person: Person
) -> None:
    page = person("Ann", "phone")
    errors = _watched(page)
    page.add_init_script(PRINT)
    page.route(f"**/{script}", lambda route: route.abort())
    page.goto(open_pad(stage, "yahtzee", ["Ann", "Bob"]))
    Pad(page).tap("12345")
    page.locator("#share > summary").tap()
    page.locator(LATE[script]).tap()
    expect(page.locator("#toast")).to_have_text(NEEDS_CONNECTION)
    expect(page.locator("#box-chance.legal")).to_be_visible()
    expect(page.locator(FOUND[LATE[script]])).to_have_count(0)
    page.unroute(f"**/{script}")
    page.locator(LATE[script]).tap()
    expect(page.locator(FOUND[LATE[script]])).to_be_attached()
    assert not errors


def test_entries_left_on_a_phone_are_offered_once_their_script_has_come(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = person("Ann", "phone")
    errors = _watched(page)
    pad = pad_at(page, path)
    page.route("**/commands", lambda route: route.abort())
    page.route("**/share.js", lambda route: route.abort())
    pad.tap("66661")
    page.locator("#box-sixes").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    code = handing_over.offer_pencil(stage.tables, path.removeprefix("/t/"), who("Ann"))
    handing_over.take_pencil(stage.tables, path.removeprefix("/t/"), who("Bob"), code)
    page.evaluate("dispatchEvent(new Event('online'))")  # the server does not tell what a test wrote
    expect(page.locator("body.following")).to_have_count(1)
    expect(page.locator("#toast")).to_have_text(NEEDS_CONNECTION)
    page.unroute("**/share.js")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#left-behind li")).to_have_text("Ann: 6-6-6-6-1, Sixes 24")
    assert not errors


def test_only_the_keepers_pad_is_kept(stage: Stage, person: Person) -> None:
    """Another table of the same phone goes its own way, and a pad is forgotten with the pencil."""
    path = open_pad(stage, "yatzy", ["Ann"])
    page = person("Ann", "phone", service_workers="allow")
    pad_at(page, path)
    _ready_to_go_dark(page, path)
    page.goto(stage.put(stage.scene("yahtzee", "Ann").start()))
    page.locator("#roll").tap()
    expect(page.locator(".rolls")).to_contain_text("2 rolls left")
    kept = page.evaluate(PATHS)
    assert any(kept_path.endswith("/pad/pad.js") for kept_path in kept)
    assert not [kept_path for kept_path in kept if kept_path.startswith("/t/")]
    assert page.evaluate(SHEET, path)
    assert not page.evaluate(SHEET, urlsplit(page.url).path)

    table = path.removeprefix("/t/")
    code = handing_over.offer_pencil(stage.tables, table, who("Ann"))
    handing_over.take_pencil(stage.tables, table, who("Bob"), code)
    page.goto(path)
    expect(page.locator("#keypad")).to_have_count(0)
    until(page, FORGOTTEN, path)
