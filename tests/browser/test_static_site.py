"""The score pad without a server: a folder of files, a web space that knows nothing of us, and then not even that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Person
from browser.offline_sheet import Turn, enter, shown_totals, totals, turns
from browser.settled import settle, until
from browser.test_pad_offline import KEPT, READY as SERVED
from fivedice.core.notation import read_games
from fivedice.core.rules import RuleBook, load_book, shipped
from fivedice.text.languages import menu
from fivedice.web.pages.home.static_site import Site, site_books
from long import LONG, few
from web.gate import Gate
from web.pads import open_pad, write
from web.serving import Serving
from web.stage import Stage

READY = """async () => navigator.serviceWorker.controller !== null && Boolean(await caches.match("rules/yatzy.json"))"""
# The script for paper comes after the sheet is painted. It paints the leaf whenever something is printed.
READY_TO_PRINT = """() => {
    dispatchEvent(new Event("beforeprint"));
    return document.getElementById("paper-leaves") !== null;
}"""
HOUSE = 'key = "two-box"\nname = "Two & Two"\nextends = "yatzy"\n[sheet]\nlayout = "players"\n'
BELOW = "any/where"


class Quiet(SimpleHTTPRequestHandler):
    """As `python3 -m http.server`, without a line for every request."""

    def log_message(self, *_: Any) -> None:
        pass


class WebSpace:
    """Somewhere that a folder can be put."""

    def __init__(self, folder: Path) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server.server_port}/{BELOW}/"
        self.thread = Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self) -> None:
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
        with suppress(OSError):
            self.server.server_close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("space")
    Site(site_books([load_book(HOUSE)])).write(folder / BELOW)
    return folder


@pytest.fixture
def space(files: Path) -> Iterator[WebSpace]:
    found = WebSpace(files)
    yield found
    found.close()


def _watched(page: Page) -> list[str]:
    """What goes wrong on a page, be it against its own policy."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    return errors


def _begin(page: Page, rules: str, *names: str, games: int = 1) -> None:
    page.locator(f"input[value={rules}]").check()
    for number, name in enumerate(names):
        page.get_by_label(f"Player {number + 1}", exact=True).fill(name)
    page.locator("select[name=games]").select_option(str(games))
    page.get_by_role("button", name="Open score pad").tap()
    page.wait_for_url("**/sheet.html#*")


def _saved(page: Page, folder: Path) -> Path:
    page.locator("#share > summary").tap()
    with page.expect_download() as download:
        page.locator("#save-sheet").tap()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def _link(page: Page) -> str:
    page.evaluate("navigator.share = undefined")
    page.locator("#share").evaluate("(one) => { one.open = true; }")
    page.locator("#share-now").evaluate("(one) => one.replaceChildren()")  # a link of before is not this one
    page.locator("#share-sheet").click()
    return page.locator("#sheet-link").input_value()  # which waits for it


def test_a_game_without_any_server(space: WebSpace, person: Person, tmp_path: Path) -> None:
    """The end of two games for two: the web space is gone for good, and everything is still there."""
    book = shipped("yatzy")
    sheet = turns(book, 2, 2)
    by_hand = len(sheet) if LONG else 6
    page = person(size="phone", url=space.url)
    errors = _watched(page)
    page.goto(space.url)
    until(page, READY)
    _bring(page, _carried(book, sheet[: len(sheet) - by_hand], tmp_path, games=2))
    enter(page, sheet[len(sheet) - by_hand : -3])
    space.close()
    page.reload()
    enter(page, sheet[-3:])
    right = totals(book, 2, 2, sheet)
    assert [each[:-1] for each in shown_totals(page, 2)] == right

    file = _saved(page, tmp_path)
    games = read_games(file.read_text(encoding="utf-8"))
    assert [tuple(card.total for card in game.position.cards) for game in games] == list(zip(*right, strict=True))
    assert all(game.is_over and game.players == ("Ann", "Bob") for game in games)

    for path, title in {"": "Score pad", "rules.html": "Rules", "rules-two-box.html": "Two & Two"}.items():
        page.goto(space.url + path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    page.goto(f"{space.url}elsewhere.html")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert not [error for error in errors if "ERR_CONNECTION_REFUSED" not in error]


def test_folder_of_several_languages(tmp_path: Path, person: Person) -> None:
    """The phone chooses, a choice is remembered, and everything is still there without a connection."""
    languages = {code: menu()[code] for code in ("en", "de", "fr")}
    Site(site_books([]), languages=languages).write(tmp_path / BELOW)
    space = WebSpace(tmp_path)
    for locale, rules in {"de-AT": "Regeln", "fr": "Règles", "ja": "Rules"}.items():
        page = person(url=space.url, locale=locale, service_workers="block")
        page.goto(space.url)
        expect(page.get_by_role("navigation").get_by_role("link", name=rules, exact=True).first).to_be_visible()
    page = person(size="phone", url=space.url, locale="de")
    errors = _watched(page)
    page.goto(space.url)
    page.locator("details.languages > summary").tap()
    page.get_by_role("link", name="Français").tap()
    page.wait_for_url("**/fr/index.html")
    until(page, "async () => navigator.serviceWorker.controller && Boolean(await caches.match('rules-yatzy.html'))")
    page.goto(f"{space.url}sheet.html#nothing")
    page.wait_for_url("**/fr/index.html")
    page.locator("input[value=yatzy]").check()
    page.locator("button.primary.big").tap()
    page.wait_for_url("**/fr/sheet.html#*")
    assert "/fr/" not in _link(page), "the other phone chooses its own"
    space.close()
    page.goto(f"{space.url}?x")
    page.wait_for_url("**/fr/index.html")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert not [error for error in errors if "ERR_CONNECTION_REFUSED" not in error]


def test_a_sheet_goes_to_another_phone_by_file_and_by_link(space: WebSpace, person: Person, tmp_path: Path) -> None:
    """With a correction, a late player, one who leaves, and turns entered by their points or roll by roll."""
    page = person(size="phone", url=space.url, service_workers="block")
    errors = _watched(page)
    page.goto(space.url)
    _begin(page, "yardzee", "Ann", "Bob", games=2)
    enter(page, turns(shipped("yardzee"), 2, 1)[:7])
    page.locator("#people > summary").tap()
    page.locator("#join-name").fill("Cleo")
    page.get_by_role("button", name="Add player").tap()
    page.locator("#leave-0").tap()
    page.locator("#skip").tap()
    page.get_by_role("button", name="Roll by roll").tap()
    for face in "12345":
        page.locator(f"#face-{face}").tap()
    page.locator("#die-4").tap()
    for face in "1111":
        page.locator(f"#face-{face}").tap()
    page.locator("#box-chance").tap()
    page.locator("#turn-0-0").tap()  # is corrected
    page.locator("#dice-instead").tap()
    for face in "66666":
        page.locator(f"#face-{face}").tap()
    page.locator("#save-fix").tap()
    expect(page.locator("#save-fix")).to_have_count(0)
    before = _what_is_there(page)
    file, link = _saved(page, tmp_path), _link(page)
    (game,) = read_games(file.read_text(encoding="utf-8"))
    assert [str(card.total) for card in game.position.cards] == re.findall(r"\d+", page.locator("#scores").inner_text())

    for way in few(("file", "link", "paste"), 1):
        other = person(size="phone", url=space.url, service_workers="block")
        errors += _watched(other)
        other.goto(link if way == "link" else space.url)
        if way != "link":
            other.locator("#bring summary").tap()
        if way == "file":
            other.locator("#bring-file").set_input_files(file)
        if way == "paste":
            other.locator("#bring-text").fill(f"Look: {link}")
            other.locator("#bring-pasted").tap()
        expect(other.locator("#bring-now")).to_contain_text("Yardzee for Ann, Bob, and Cleo, 8 scores.")
        other.locator("#open-brought").tap()
        other.wait_for_url("**/sheet.html#*")
        assert _what_is_there(other) == before, way
        assert _link(other) == link, "once more, and nothing is lost"
    assert not errors


def _what_is_there(page: Page) -> tuple[str, ...]:
    settle(page)
    return tuple(
        page.locator(each).inner_text() for each in ("#headline", "#round", "#scores", "#sheet table", "#match")
    )


REFUSED: list[tuple[str | dict[str, Any], str]] = [
    ("", "This is not a score sheet."),
    ("[1, 2", "This is not a score sheet."),
    ('{"names": ["<b>"]}', "This is not a score sheet."),
    ("https://elsewhere.example/#sheet=AAAA", "This is not a score sheet."),
    ("x" * 200_001, "This is too large for a score sheet."),
    (
        {"fingerprint": "0" * 32, "label": "Grandma’s"},
        "This score sheet follows Grandma’s, which this score pad does not have.",
    ),
    ({"names": []}, "This is not a score sheet."),
    ({"names": ["Ann\n"]}, "A name in this score sheet can’t be shown: “Ann\\u000a”."),
    ({"names": ["Ann", "\u202eBob"]}, "A name in this score sheet can’t be shown: “\\u202eBob”."),
    ({"names": ["\u200b"]}, "A name in this score sheet can’t be shown: “\\u200b”."),
    ({"done": [{"command": "join", "name": "\u2066Cleo"}]}, "Entry 1 of this score sheet is damaged."),
    ({"names": ["Ann"] * 13}, "This is too large for a score sheet."),
    ({"games": 13}, "This is not a score sheet."),
    ({"done": [["1s", "11111"]] * 4001}, "This is too large for a score sheet."),
    ({"done": [["zz", "11111"]]}, "Entry 1 of this score sheet is damaged."),
    ({"done": [["1s", "11111"], {"command": "constructor"}]}, "Entry 2 of this score sheet is damaged."),
    (
        {"done": [["1s", "11111", {"rolls": [{"dice": "11111", "held": [0]}]}]]},
        "Entry 1 of this score sheet is damaged.",
    ),
    (
        {"done": [["1s", "11111"], ["1s", "11112"], ["1s", "11112"]]},
        "Entry 3 of this score sheet breaks the rules.",
    ),
    ({"done": [["1s", "111"]]}, "Entry 1 of this score sheet breaks the rules."),
    ({"done": [["yz", 7]]}, "Entry 1 of this score sheet breaks the rules."),
    ({"done": [{"command": "retire", "seat": 7}]}, "Entry 1 of this score sheet breaks the rules."),
]


def test_what_is_no_sheet_is_refused(blank_home: Page) -> None:
    book = shipped("yahtzee")
    good = {"book": "yahtzee", "fingerprint": book.fingerprint, "label": "Yahtzee", "names": ["Ann", "Bob"], "first": 0}
    good |= {"games": 1, "match": True, "opened": "2026-01-01T00:00:00Z", "done": []}
    before = blank_home.evaluate("JSON.stringify(localStorage)")
    for change, says in REFUSED:
        text, case = change if isinstance(change, str) else json.dumps(good | change), str(change)[:40]
        blank_home.locator("#bring-now").evaluate("(one) => one.replaceChildren()")  # no answer to the case before
        blank_home.locator("#bring-file").set_input_files({"name": "x.json", "mimeType": "", "buffer": text.encode()})
        expect(blank_home.locator("#bring-now [role=alert]"), case).to_contain_text(says)
        expect(blank_home.locator("#open-brought"), case).to_have_count(0)
        assert blank_home.evaluate("JSON.stringify(localStorage)") == before, case


def test_a_name_that_no_server_would_take_opens_no_sheet(blank_home: Page) -> None:
    blank_home.reload()
    blank_home.locator("input[name=name]").first.fill("\u202eAnn")
    blank_home.get_by_role("button", name="Open score pad").click()
    says = "A name has 1 to 60 visible characters on one line. You entered “\\u202eAnn”."
    expect(blank_home.locator("#pad-setup [role=alert]")).to_have_text(says)
    expect(blank_home.locator("#here")).to_be_hidden()


def test_opened_as_a_file_the_page_says_what_to_do(blank_home: Page, files: Path) -> None:
    expect(blank_home.locator("#opened-as-file[hidden]")).to_have_count(1)
    page = blank_home.context.new_page()
    page.goto((files / BELOW / "index.html").as_uri())
    expect(page.locator("#opened-as-file")).to_be_visible()
    expect(page.locator("#opened-as-file")).to_contain_text("python3 -m http.server")
    page.close()


@pytest.fixture(scope="module")
def blank_home(browser: Any, files: Path) -> Iterator[Page]:
    space = WebSpace(files)
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(space.url)
    yield page
    context.close()
    space.close()


def test_letters_that_stand_for_gigabytes(blank_home: Page) -> None:
    """Fifteen thousand letters of a link unpack to eleven million zeros, of which no more are read than a sheet has."""
    link = blank_home.evaluate("""async () => {
        const zeros = new Blob([new Uint8Array(11e6)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
        const bytes = new Uint8Array(await new Response(zeros).arrayBuffer());
        const letters = btoa(String.fromCharCode(...bytes));
        return "#sheet=" + letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    }""")
    assert len(link) < 16_000
    blank_home.locator("#bring").evaluate("(one) => { one.open = true; }")
    blank_home.locator("#bring-text").fill(link)
    blank_home.locator("#bring-pasted").click()
    expect(blank_home.locator("#bring-now [role=alert]")).to_contain_text("This is too large for a score sheet.")


def _carried(book: RuleBook, sheet: list[Turn], folder: Path, games: int) -> Path:
    """Write the turns of Ann and Bob to a file, as one phone saves a sheet for another."""
    about = {"book": book.key, "fingerprint": book.fingerprint, "label": book.name, "opened": "2026-01-01T00:00:00Z"}
    about |= {"names": ["Ann", "Bob"], "first": 0, "games": games, "match": True}
    done: list[Any] = []
    for before, turn in pairwise([*sheet[:1], *sheet]):
        if turn.game != before.game:
            done.append({"command": "next", "game": turn.game})
        done.append([book.boxes[book.index[turn.box]].code, turn.faces])
    file = folder / "sheet.json"
    file.write_text(json.dumps(about | {"done": done}), encoding="utf-8")
    return file


def _bring(page: Page, file: Path) -> None:
    """Open the sheet of a file on the page that sets up sheets."""
    page.locator("#bring-file").set_input_files(file)
    page.locator("#open-brought").tap()
    page.wait_for_url("**/sheet.html#*")


def test_a_sheet_on_one_page_of_paper(space: WebSpace, person: Person, tmp_path: Path) -> None:
    """Six games for two: twelve columns, and nothing else of the page."""
    book = shipped("yardzee")
    sheet: list[Turn] = turns(book, 2, 6)
    page = person(size="phone", url=space.url, service_workers="block")
    page.goto(space.url)
    _bring(page, _carried(book, sheet, tmp_path, games=6))
    settle(page)
    until(page, READY_TO_PRINT)
    for side in ({"landscape": True}, {"landscape": False}):
        pdf = page.pdf(format="A4", prefer_css_page_size=True, **side)  # type: ignore[arg-type]
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    page.emulate_media(media="print")
    leaf = page.locator(".print-leaf")
    expect(leaf).to_have_count(1)
    expect(page.locator("#card, #dock, .top, #share").first).to_be_hidden()
    shown = leaf.locator(".row-grand .field").all_inner_texts()
    assert list(map(int, shown)) == [total for each in totals(book, 2, 6, sheet) for total in each]
    again = leaf.locator("tr", has_text="Total of Upper Half")
    above, below = (again.nth(place).locator(".field").all_inner_texts() for place in (0, 1))
    assert above == below, "the card has it again above the grand total"
    expect(again.nth(1).locator("+ tr")).to_have_class("row-grand")
    expect(leaf.locator(".print-head")).to_contain_text("1/1/2026")
    expect(leaf.locator(".print-match")).to_contain_text(f"Ann {sum(totals(book, 2, 6, sheet)[0])}")
    page.emulate_media(media="screen")
    games = read_games(_saved(page, tmp_path).read_text(encoding="utf-8"))
    assert {game.tags["Date"] for game in games} == {"2026-01-01"}


def test_the_sheet_of_a_server_that_is_gone(stage: Stage, server: Serving, tmp_path: Path, person: Person) -> None:
    """What the server knew and what was written since: as a file, as a link for another phone, and on paper."""
    book = shipped("yatzy")
    sheet = turns(book, 2, 2)
    with Gate(server.port) as gate:
        page = person("Ann", "phone", url=gate.url)
        errors = _watched(page)
        path = open_pad(stage, "yatzy", ["Ann", "Bob"], games=2)
        for turn in sheet[:30]:
            write(stage, path, turn.faces, turn.box)
        page.goto(path)
        enter(page, sheet[30:31])
        expect(page.locator("body.painted:not(.has-waiting)")).to_have_count(1)
        page.reload()  # so that the server tells what it knows
        until(page, SERVED)
        until(page, KEPT, path)
        gate.shut()  # for good
        enter(page, sheet[31:40])
    before = page.locator("#scores").inner_text()
    file, link = _saved(page, tmp_path), _link(page)
    games = read_games(file.read_text(encoding="utf-8"))
    assert [game.is_over for game in games] == [True, False]
    assert [str(card.total) for card in games[1].position.cards] == re.findall(r"\d+", before)
    assert [card.total for card in games[0].position.cards] == [each[0] for each in totals(book, 2, 1, sheet[:30])]
    until(page, READY_TO_PRINT)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.goto(link)
    page.locator("#open-brought").tap()
    page.wait_for_url("**/pad/sheet#*")
    expect(page.locator("#scores")).to_have_text(before, use_inner_text=True)
    settle(page)
    assert _link(page).split("#")[0] == link.split("#")[0]
    assert not [error for error in errors if "ERR_" not in error]
