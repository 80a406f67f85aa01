"""The score pad on a phone: a sheet from the first tap to the total of the match, corrections, followers."""

from __future__ import annotations

import re
from itertools import product
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from browser.conftest import Person
from browser.settled import click_all, reload_typed, settle
from fivedice.table.actions.commands import EndSheet
from long import few
from web.pads import KEEPER, fill, open_pad, turns, who as id_of
from web.serving import Serving
from web.stage import Stage

TURN = "{}\N{RIGHT SINGLE QUOTATION MARK}s turn"
# A browser without windows has no screen to keep on, and refuses; this one grants what phones grant.
STAYS_ON = "WakeLock.prototype.request = async () => new EventTarget()"


CELLS = """(rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.innerText))"""
BOXES, MORE = ".row-box", ".row-bonus, .row-extra"
TOO_SMALL = """(all) => all.map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 43.5)"""


class Pad:
    """A person who taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.headline = page.locator("#headline")

    def touch(self, dice: str) -> None:
        """Tap dice with a finger."""
        for face in dice:
            self.page.locator(f"#face-{face}").tap()

    def tap(self, dice: str, *then: str) -> None:
        """Tap dice, and what else is named, by script."""
        click_all(self.page, *(f"#face-{face}" for face in dice), *then)

    def enter(self, dice: str, box: str) -> None:
        self.tap(dice, f"#box-{box}")

    def write(self, dice: str, box: str, then: str) -> None:
        self.enter(dice, box)
        expect(self.headline).to_have_text(TURN.format(then))
        self.expect_sent()

    def expect_sent(self) -> None:
        settle(self.page)
        expect(self.page.locator("#waiting")).to_be_hidden()
        expect(self.page.locator("td.waiting")).to_have_count(0)


def pad_at(page: Page, path: str) -> Pad:
    page.goto(path)
    return Pad(page)


def test_six_games_of_yardzee_for_three_from_set_up_to_the_match(stage: Stage, person: Person) -> None:
    page = person(size="phone")
    page.goto("/")
    page.get_by_role("link", name="Score pad").tap()
    page.get_by_label("Yardzee").check()
    for number, name in enumerate(("Ann", "Bob", "Cleo")):
        page.get_by_label(f"Player {number + 1}", exact=True).fill(name)
    page.locator("input[name=first]").nth(1).check()
    page.get_by_role("button", name="Open score pad").tap()
    pad = Pad(page)
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator(".round")).to_have_text("Game 1 of 6 · Round 1 of 13")

    settle(page)  # taps before the script runs are lost
    pad.touch("6664")
    reload_typed(page, faces=4)  # half typed dice stay typed
    pad.touch("4")
    page.locator("#back").tap()
    pad.touch("6")
    expect(page.locator("#box-full_house strong")).to_have_text("0")
    page.locator("#box-full_house").tap()
    expect(page.locator(".dock .confirm")).to_contain_text("Score 0 in Full house? Another box would score.")
    page.get_by_role("button", name="Choose another box").tap()
    page.locator("#box-sixes").tap()
    expect(pad.headline).to_have_text(TURN.format("Cleo"))
    expect(page.locator("td.latest")).to_have_text("24")
    page.keyboard.type("44444")  # a keyboard does as well
    page.locator("#box-five_of_a_kind").tap()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    pad.write("12345", "large_straight", "Bob")
    pad.write("55555", "five_of_a_kind", "Cleo")
    pad.tap("44444")
    expect(page.locator(".dock .reasons")).to_contain_text("4-4-4-4-4 must go in Fours, which is open")
    expect(page.locator("button.pad-box.legal")).to_have_text(["Fours\n+100\n20"], use_inner_text=True)
    expect(page.locator("button.pad-box.shut")).to_have_count(11)
    page.locator("#box-fours").tap()
    expect(pad.headline).to_have_text(TURN.format("Ann"))
    expect(page.locator("tr.row-extra td").nth(2)).to_contain_text("100")

    # Roll by roll: it says which one, what is kept stays, and a mistyped roll is taken back.
    say = page.locator("#say")
    page.get_by_role("button", name="Roll by roll").tap()
    expect(say).to_have_text("Roll 1 of 3: tap the rolled dice")
    pad.tap("33521")
    expect(say).to_have_text("Roll 2 of 3: tap the dice you keep, then the rolled dice")
    page.locator("#die-0").tap()
    page.locator("#die-1").tap()
    expect(say).to_have_text("Roll 2 of 3: tap the 3 rolled dice")
    pad.tap("366")
    expect(page.locator("#die-2")).to_have_attribute("aria-label", "Keep die 3: 3")
    expect(page.locator("#die-1")).to_have_attribute("aria-pressed", "true")
    page.locator("#back").tap()
    expect(say).to_have_text("Roll 2 of 3: tap the 3 rolled dice")
    pad.tap("311")
    reload_typed(page, rolls=2)
    expect(say).to_have_text("Roll 3 of 3: tap the 3 rolled dice")
    expect(page.locator("#box-threes")).to_contain_text("9")
    page.locator("#box-threes").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(page.locator("#die-0")).to_have_count(0)  # dice never stay under the next name
    page.get_by_role("button", name="Quick").tap()
    expect(say).to_have_text("Tap the final dice, or a box")
    pad.expect_sent()
    path = urlsplit(page.url).path
    rolls = stage.tables.state(path.removeprefix("/t/")).lain[-1]  # the record shows what was kept
    assert [(roll.dice, roll.held) for roll in rolls] == [((3, 3, 5, 2, 1), ()), ((3, 3, 3, 1, 1), (0, 1))]

    _fill_as(stage, page, path, leave=5 * 39)
    expect(page.locator("#between")).to_contain_text("the match with")
    page.get_by_role("button", name="Start game 2 of 6").tap()
    expect(page.locator(".round")).to_have_text("Game 2 of 6 · Round 1 of 13")
    _fill_as(stage, page, path, leave=1)
    settle(page)
    last = page.locator("button.pad-box:not(.done)")
    expect(last).to_have_count(1)
    box = (last.get_attribute("id") or "").removeprefix("box-")
    pad.tap("22346")
    page.locator(f"#box-{box}").tap()
    expect(pad.headline).to_contain_text("the match with")
    _check_match(page)


def _fill_as(stage: Stage, page: Page, path: str, leave: int) -> None:
    """Write the many turns in between behind the scenes, as the scorekeeper of this browser; the page looks away."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    page.goto("/help")
    fill(stage, path, leave, key=cookies["fivedice_player"])
    page.goto(path)


def _check_match(page: Page) -> None:
    """The totals of the match against the boxes of every sheet, added up here."""
    best = []
    for seat in range(3):
        page.locator(f"#sheet-{seat}").tap()
        expect(page.locator(f"#sheet-{seat}")).to_have_attribute("aria-current", "true")
        settle(page)
        boxes, more = (page.locator(f"table.sheet tr:is({rows})").evaluate_all(CELLS) for rows in (BOXES, MORE))
        sums = [sum(int(row[game].split()[-1]) for row in boxes + more) for game in range(6)]
        faces = [sum(int(row[game]) for row in boxes[:6]) for game in range(6)]
        bonus = page.locator("table.sheet tr.row-bonus td").all_inner_texts()
        assert bonus == ["35" if total >= 63 else "0" for total in faces]
        assert page.locator("table.sheet tr.row-grand td").all_inner_texts() == list(map(str, sums))
        expect(page.locator(f"#match-{seat}")).to_have_text(str(sum(sums)))
        best.append(sum(sums))
    expect(page.locator("#headline")).to_contain_text(str(max(best)))


def test_a_yatzy_sheet_for_four_and_its_corrections(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob", "Cleo", "Dan"])
    upper_part = [("66666", "sixes"), ("55555", "fives"), ("44411", "fours")]
    for dice, box in upper_part:
        turns(stage, path, *[(dice, box)] * 4)
    page = person("Ann", "phone")
    pad = pad_at(page, path)
    pad.write("22333", "full_house", "Bob")
    bonus = page.locator("tr.row-bonus td")
    expect(bonus.first).to_contain_text("50")

    # One six too many: the bonus goes. The same keys in place; the consequences are shown first.
    _open_cell(page, "Correct 30 in Sixes, Ann")
    expect(page.locator("#points-30")).to_have_attribute("aria-current", "true")
    page.locator("#dice-instead").tap()
    pad.tap("66661")
    change = page.locator(".effect tr", has_text="Ann: Bonus").locator("td.num")
    expect(change).to_have_text(["50", "0"])
    page.get_by_role("button", name="Save correction").tap()
    expect(bonus.first).not_to_contain_text("50")
    pad.expect_sent()
    expect(page.locator("#turn-0-0")).to_have_text("24")

    # Fives should have been the full house, which is filled since: the reason is shown, and both change together.
    _open_cell(page, "Correct 25 in Fives, Ann")
    page.locator("#box-full_house").tap()
    page.locator("#points-19").tap()
    expect(page.get_by_role("alert")).to_contain_text("Ann’s Full House, scored later")
    expect(page.get_by_role("button", name="Save correction")).to_have_count(0)
    page.get_by_role("button", name="Threes 9").tap()
    page.get_by_role("button", name="Save correction").tap()
    expect(page.locator("tr.row-grand td").first).to_have_text(str(24 + 19 + 12 + 9))
    pad.expect_sent()
    expect(page.locator("tr.row-grand td").first).to_have_text(str(24 + 19 + 12 + 9))


def _open_cell(page: Page, label: str) -> None:
    page.get_by_role("button", name=label).tap()
    expect(page.locator("#headline")).to_have_text("Correct an entry")


def test_others_follow_live_and_the_pencil_is_handed_on(stage: Stage, person: Person, server: Serving) -> None:
    path = open_pad(stage, "yatzy", ["Ann", "Bob"])
    screen, bob = person("Ann", "phone"), person("Bob", "phone")
    screen.add_init_script(STAYS_ON)
    ann = pad_at(screen, path)
    ann.page.locator("#follow summary").tap()
    expect(ann.page.locator("#watch-link")).to_have_value(f"{server.url}{path}")
    bob.add_init_script("Object.defineProperty(Navigator.prototype, 'wakeLock', { value: undefined })")
    bob.clock.install()
    stream = re.compile(r"/live\?")
    bob.route(stream, lambda route: route.fulfill(status=503), times=1)  # a balancer whose server restarts
    with bob.expect_response(lambda answer: stream.search(answer.url) and answer.status == 503):
        bob.goto(path)
    with bob.expect_response(lambda answer: stream.search(answer.url) and answer.ok):
        bob.clock.fast_forward(5_000)
    expect(bob.locator("#keypad")).to_have_count(0)
    expect(ann.page.locator("#awake")).to_have_text("The screen stays on during the game.")
    ann.write("66666", "sixes", "Bob")
    expect(bob.locator("td.latest")).to_have_text("30")
    expect(bob.locator("#headline")).to_have_text(TURN.format("Bob"))
    expect(bob.locator("td.latest .cell")).to_have_count(0)

    ann.page.locator("#hand-on summary").tap()
    ann.page.get_by_role("button", name="Make link").tap()
    link = ann.page.locator("#pencil-link").input_value()
    bob.goto(link)
    bob.get_by_role("button", name="Keep score").tap()
    expect(bob.locator("#keypad")).to_be_visible()
    expect(bob.locator("#awake")).to_have_text("The screen may turn off. This browser can’t keep it on.")
    expect(ann.page.locator("#keypad")).to_have_count(0)
    expect(ann.page.locator("#awake")).to_be_hidden()
    Pad(bob).write("11111", "aces", "Ann")
    expect(ann.page.locator("td.latest")).to_have_text("5")


def test_everyone_can_use_it(stage: Stage, person: Person) -> None:
    """Axe in both colours, twice the letters on a phone, thumbs, and a phone on its side."""
    path = open_pad(stage, "yardzee", ["Ann", "Bob", "Cleo"], games=6)
    turns(stage, path, ("66663", "sixes"), ("44444", "five_of_a_kind"), ("12345", "chance"), ("22234", "twos"))
    page = person("Ann", "phone", reduced_motion="reduce")
    for where in (path, f"{path}?sheet=1", f"{path}/correct?game=0&turn=0", "/pad"):
        page.goto(where)
        if where in (path, f"{path}?sheet=1"):
            settle(page)
            expect(page.locator("#people-now li").first).to_be_attached()
        if where == path:  # every other page is looked at with the sights
            Pad(page).tap("44444")
            expect(page.locator(".dock .reasons")).to_be_visible()
            expect_clean(page)
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        targets = page.locator("main button:visible, main summary:visible, main td .cell:visible")
        assert targets.evaluate_all(TOO_SMALL) == [], where
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, (where, width)
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(path)
    settle(page)
    expect(page.locator("#box-fours")).to_be_visible()  # what was typed survives the turn of the phone
    assert page.evaluate("document.documentElement.scrollWidth") <= 844


def test_rolls_left_over_are_told_saved_and_corrected(stage: Stage, person: Person) -> None:
    page = person("Ann", size="phone", viewport={"width": 390, "height": 664})
    pad = pad_at(page, open_pad(stage, "maxi-yatzy", ("Ann", "Bob")))
    saved = page.locator("table.sheet thead .saved")
    pad.tap("123456")
    for count in ("0", "1", "2"):
        expect(page.locator(".left-over output")).to_have_text(count)
        if count != "2":
            page.locator("#more").tap()
    expect(page.locator("#more")).to_be_disabled()
    page.locator("#box-full_straight").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(saved).to_have_text(["2 saved"])
    pad.write("445566", "three_pairs", "Ann")
    expect(page.locator(".round")).to_have_text("Round 2 of 20 · 2 saved rolls")

    page.get_by_role("button", name="Roll by roll").tap()
    expect(page.locator("#say")).to_have_text("Roll 1 of 5: tap the rolled dice")
    pad.tap("111234")
    page.locator("#box-aces").tap()
    expect(pad.headline).to_have_text(TURN.format("Bob"))
    expect(saved).to_have_text(["4 saved"])

    page.get_by_role("button", name="Correct 21 in Full Straight, Ann").tap()
    expect(page.locator(".left-over output")).to_have_text("2")
    for _ in range(2):
        page.locator("#fewer").tap()
    page.locator("#points-21").tap()
    expect(page.locator(".effect tr")).to_have_text(re.compile(r"Ann: Saved rolls\s*4\s*→\s*2"))
    page.get_by_role("button", name="Save correction").tap()
    expect(saved).to_have_text(["2 saved"])
    pad.expect_sent()
    expect(saved).to_have_text(["2 saved"])


def test_a_correction_goes_down_the_steps_of_a_bonus(stage: Stage, person: Person) -> None:
    path = open_pad(stage, "kismet", ("Ann",))
    dice = ("11123", "22213", "33312", "44412", "55551", "66666")
    turns(stage, path, *zip(dice, ("aces", "twos", "threes", "fours", "fives", "sixes"), strict=True))
    page = person("Ann", size="phone", viewport={"width": 390, "height": 664})
    page.goto(path)
    bonus = page.locator("tr.row-bonus td")
    expect(bonus).to_have_text(re.compile(r"75\s*reached"))
    for face, ink in enumerate(("pips ink-0", "pips ink-1", "pips ink-2", "pips ink-2", "pips ink-1", "pips ink-0"), 1):
        expect(page.locator(f"#face-{face} svg")).to_have_class(ink)
    page.get_by_role("button", name="Correct 30 in Sixes, Ann").tap()
    page.locator("#points-18").tap()
    expect(page.locator(".effect tr").filter(has_text="Ann: Bonus").locator("td.num")).to_have_text(["75", "35"])
    page.get_by_role("button", name="Save correction").tap()
    expect(bonus).to_have_text(re.compile(r"35\s*reached"))
    expect(page.locator("tr.row-grand td")).to_have_text(str(68 + 35))


# What the server writes for pages without script, and what the script has painted: every sentence and every number.
SHOWN = """async () => {
    const told = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const texts = (page, parts) => [...page.querySelectorAll(parts)]
        .map((part) => part.textContent.replace(/\\s+/g, " ").trim());
    const SAID = "#headline, #round, #scores li, #standing, #next-game";
    const begun = JSON.parse(told.getElementById("table").dataset.pad).played.length;
    const rows = (page) => [...page.querySelectorAll("#sheet tbody tr:not(.row-heading, .row-match)")].map((row) =>
        [...row.cells].map((cell, at) => (at ? cell.textContent.match(/\\d+/)?.[0] : cell.firstChild.data.trim())));
    const painted = [...document.querySelectorAll("#tabs:not([hidden]) a:not(#sheet-game)")].map((tab) => {
        tab.click();
        return rows(document).map((row) => row.slice(0, begun + 1));
    });
    const joined = painted[0]?.map(([name], place) => [name, ...painted.flatMap((all) => all[place].slice(1))]);
    return [[texts(told, SAID), rows(told), texts(told, ".row-match td")],
            [texts(document, SAID), joined ?? rows(document), texts(document, ".match strong")]];
}"""


def test_the_script_paints_what_the_server_wrote(stage: Stage, person: Person) -> None:
    """The same page by two programs: with and without script people see the same numbers."""
    kismet = open_pad(stage, "kismet", ("Ann", "Bob"))
    dice = ("11123", "22213", "33312", "44412", "55551", "66666")
    for roll, box in zip(dice, ("aces", "twos", "threes", "fours", "fives", "sixes"), strict=True):
        turns(stage, kismet, (roll, box), ("12345", "straight") if box == "aces" else (roll, box))
    yardzee = open_pad(stage, "yardzee", ("Ann", "Bob", "Cleo"), games=6, first=1)
    turns(stage, yardzee, ("66663", "sixes"), ("44444", "five_of_a_kind"), ("12345", "chance"), ("22234", "twos"))
    turns(stage, yardzee, ("44444", "fours"), ("11111", "sixes"))
    maxi = open_pad(stage, "maxi-yatzy", ("Ann",))
    turns(stage, maxi, ("123456", "full_straight"))
    between, early, done = (open_pad(stage, "yatzy", ("Ann", "Bob"), games=games) for games in (3, 3, 2))
    fill(stage, between, leave=60)
    fill(stage, early, leave=50)
    stage.tables.execute(early.removeprefix("/t/"), EndSheet(id_of(KEEPER)))
    fill(stage, done)
    alone = open_pad(stage, "crag", ("Ann",))
    fill(stage, alone)
    for name in ("Ann", "Zoe"):  # one keeps the score, the other watches
        page = person(name, "phone")
        for path in (kismet, yardzee, maxi, between, early, done, alone):
            page.goto(path)
            settle(page)
            written, painted = page.evaluate(SHOWN)
            assert painted == written, (name, path)


# Words of the sheet's rows that stand on more than one line.
BROKEN = """(rows) => rows.flatMap((row) => [...row.firstChild.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(row.firstChild, index);
    range.setEnd(row.firstChild, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(([word]) => word))"""
# How far something reaches out of the part that scrolls, to the left behind the names of the rows or to the right.
OUTSIDE = """(one) => {
    const scroll = one.closest(".sheet-scroll").getBoundingClientRect(), box = one.getBoundingClientRect();
    const names = one.closest("tr").cells[0].getBoundingClientRect();
    return Math.max(0, Math.round(Math.max(names.right - box.left, box.right - scroll.right)));
  }"""


def test_a_small_phone_shows_whole_words_and_the_column_that_counts(stage: Stage, person: Person) -> None:
    names = ["Ann", "Bob", "Cleo", "Dora", "Emil"]
    running, over = (open_pad(stage, "kniffel", names, games=games) for games in (1, 6))
    fill(stage, running, leave=6)  # Emil is on turn
    fill(stage, over)
    last, head = (".match thead th >> nth=-1", ".sheet thead th:is(.on-turn, :has(.badge, .star)) >> nth=0")
    for who, (width, height) in few(product(("Ann", "Zoe"), ((390, 664), (360, 640))), 1):
        page = person(who, size="phone", viewport={"width": width, "height": height})
        for path, counts in ((running, [head]), (over, [head, last]), (f"{over}?sheet=4", [head, last])):
            page.goto(path)
            page.wait_for_selector(".sheet-scroll[data-revealed]")
            assert page.locator(".sheet th[scope=row]").evaluate_all(BROKEN) == [], (who, width, path)
            assert [page.locator(each).evaluate(OUTSIDE) for each in counts] == [0] * len(counts), (who, width, path)


def test_the_large_print_view_stays_on_its_pages(stage: Stage, person: Person) -> None:
    """Six games with winners: nothing is cut off at the right, and each section has one page."""
    path = open_pad(stage, "yardzee", ["Ann", "Bob"], games=6)
    fill(stage, path)
    page = person("Ann", size="desk")
    page.goto(f"{path}/print?large=yes")
    wide = "(all) => all.filter((leaf) => leaf.scrollWidth > leaf.clientWidth).length"
    assert page.locator(".print-leaf").evaluate_all(wide) == 0
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 4
