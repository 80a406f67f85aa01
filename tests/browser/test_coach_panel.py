"""The coach on a phone as people see it: fetched once, checked, kept, and in the words of the server's coach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from browser.advice import open_card
from browser.phone import column
from fivedice.coaching.hints import coach
from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.notation import read_card, write_card
from fivedice.core.rules import RuleBook, shipped
from fivedice.solver import solve
from fivedice.solver.solution.phone_values import packed_values
from fivedice.web.pages.pad.rule_data import coach_data, coach_links, rule_data
from long import examples, few
from rules.second_houses import BY_STEP
from solver.tiny_books import random_card

ASK = """async (args) => (await import("/unit/panel.js")).ask(...args)"""
READ = """async () => (await import("/unit/panel.js")).read()"""
ADVISED = """async () => (await import("/unit/panel.js")).advised"""
FETCH = "Keep the coach on this phone (0.1\N{NO-BREAK SPACE}MB)"
DAMAGED = "The download was damaged. Nothing was kept. Try again."
OFFLINE = "No connection. Nothing was kept. Try again when you are online."


class Server:
    """Answers for the files of one book; what it sends may be spoilt, and it may be gone."""

    def __init__(self, book: RuleBook) -> None:
        self.book, self.asked = book, 0
        self.file = packed_values(book, patient=True) or b""
        self.spoil: Callable[[bytes], bytes] = lambda file: file
        self.refuse: str | None = None
        self.gone = False

    def answer(self, route: Route) -> None:
        self.asked += 1
        if self.gone:
            route.abort()
        elif self.refuse:
            route.fulfill(status=503, json={"error": "error", "message": self.refuse})
        elif "/pad/coach/" in route.request.url:
            route.fulfill(json=coach_data(f"/pad/values/{self.book.key}?of=1", self.file))
        else:
            route.fulfill(body=self.spoil(self.file), content_type="application/octet-stream")


FORGET = """() => new Promise((done, failed) => {
    const deleting = indexedDB.deleteDatabase("fivedice-coach");
    deleting.onsuccess = () => done();
    deleting.onblocked = deleting.onerror = () => failed(new Error("the phone still has its coach"));
})"""


@pytest.fixture
def page(blank: Page) -> Iterator[Page]:
    start(blank)
    yield blank
    blank.unroute_all()


def start(page: Page) -> None:
    """Load the page as on a phone that has kept nothing."""
    page.goto("/")
    page.evaluate(FORGET)


def serving(page: Page, key: str) -> Server:
    server = Server(shipped(key))
    page.route("/pad/**", server.answer)
    return server


def shown(book: RuleBook, *, online: bool = False) -> dict[str, Any]:
    links = coach_links(book, book.key)
    return rule_data(book) | {"coach": links if online else links | {"hint": None}}


def ask(page: Page, card: Scorecard, dice: str, left: int | None = 0, *, online: bool = False) -> Any:
    return page.evaluate(ASK, [shown(card.book, online=online), column(card), dice, left])


STORED = """() => new Promise((done) => {
    const opening = indexedDB.open("fivedice-coach", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("values");
    opening.onsuccess = () => {
        opening.result.transaction("values").objectStore("values").count().onsuccess = ({ target }) => {
            opening.result.close();
            done(target.result);
        };
    };
})"""


def kept(page: Page) -> bool:
    """Return whether a new page gives advice without a request."""
    page.goto("/")
    answer = ask(page, Scorecard.empty(shipped("crag")), "566")
    return bool(answer["choices"])


def test_fetched_once_it_speaks_without_a_server(page: Page) -> None:
    server = serving(page, "crag")
    card = Scorecard.empty(server.book)
    assert FETCH in ask(page, card, "566")["buttons"]
    page.get_by_role("button", name=FETCH).click()
    expect(page.locator(".coach-choices li")).not_to_have_count(0)
    assert page.evaluate(STORED) == 1
    assert page.evaluate(ADVISED) == [coach(solve(server.book), card, Roll((5, 6, 6)), 0).choices[0].box]
    server.gone, before = True, server.asked
    assert kept(page)
    assert server.asked == before


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "the last byte is missing": lambda file: file[:-1],
    "20 bytes came": lambda file: file[:20],
    "a byte is another": lambda file: file[:-9] + b"?" + file[-8:],
    "nothing came": lambda _: b"",
}


def test_a_damaged_download_is_refused_and_nothing_is_kept(page: Page) -> None:
    server = serving(page, "crag")
    for how, spoil in SPOILT.items():
        start(page)
        server.spoil = spoil
        ask(page, Scorecard.empty(server.book), "566")
        page.get_by_role("button", name=FETCH).click()
        expect(page.get_by_role("alert"), how).to_have_text(DAMAGED)
        expect(page.locator(".coach-choices"), how).to_have_count(0)
        assert page.evaluate(STORED) == 0, how
        assert not kept(page), how
        server.spoil = lambda file: file
        page.get_by_role("button", name=FETCH).click()
        expect(page.locator(".coach-choices li"), how).not_to_have_count(0)


def test_a_connection_that_is_lost_on_the_way_leaves_nothing(page: Page) -> None:
    server = serving(page, "crag")
    ask(page, Scorecard.empty(server.book), "566")
    server.gone = True
    page.get_by_role("button", name=FETCH).click()
    expect(page.get_by_role("alert")).to_have_text(OFFLINE)
    server.gone = False
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name=FETCH)).to_be_visible()
    server.gone = True
    assert not kept(page)
    assert page.evaluate(READ)["alert"] == [OFFLINE]


def test_what_the_server_refuses_it_says_itself(page: Page) -> None:
    server = serving(page, "crag")
    server.refuse = "The best moves for Crag are worked out next."
    assert ask(page, Scorecard.empty(server.book), "566")["alert"] == [server.refuse]


def test_a_file_that_was_spoilt_on_the_phone_is_dropped(page: Page) -> None:
    serving(page, "crag")
    ask(page, Scorecard.empty(shipped("crag")), "566")
    page.get_by_role("button", name=FETCH).click()
    expect(page.locator(".coach-choices li")).not_to_have_count(0)
    page.evaluate(
        """() => new Promise((done) => {
            indexedDB.open("fivedice-coach").onsuccess = ({ target }) => {
                const store = target.result.transaction("values", "readwrite").objectStore("values");
                store.openCursor().onsuccess = ({ target: { result } }) => {
                    result.update({ ...result.value, file: result.value.file.slice(0, -1) }).onsuccess = done;
                };
            };
        }).then(() => {})"""
    )
    assert not kept(page)
    assert page.evaluate(READ)["alert"] == []
    expect(page.get_by_role("button", name=FETCH)).to_be_visible()


def test_where_nothing_can_be_stored_it_works_until_the_page_is_closed(page: Page) -> None:
    server = serving(page, "crag")
    page.evaluate("() => { indexedDB.open = () => { throw new Error('no') } }")
    ask(page, Scorecard.empty(server.book), "566")
    page.get_by_role("button", name=FETCH).click()
    expect(page.locator(".coach-choices li")).not_to_have_count(0)
    no_room = "This phone has no room for the coach. It works until you close this page."
    expect(page.get_by_role("alert")).to_have_text([no_room])


def test_a_book_that_is_too_large_says_so_without_asking(page: Page) -> None:
    server = serving(page, "crag")
    answer = ask(page, Scorecard.empty(shipped("maxi-yatzy")), "122345")
    assert answer["alert"] == ["The coach for these rules is too large for a phone. Ask it with a connection."]
    assert server.asked == 0


def test_it_can_be_removed(page: Page) -> None:
    serving(page, "crag")
    ask(page, Scorecard.empty(shipped("crag")), "566")
    page.get_by_role("button", name=FETCH).click()
    page.get_by_role("button", name="Remove from this phone").click()
    expect(page.get_by_role("button", name=FETCH)).to_be_visible()
    assert not kept(page)


def test_who_types_the_last_dice_says_how_many_rolls_are_left(page: Page) -> None:
    server = serving(page, "crag")
    card = Scorecard.empty(server.book)
    ask(page, card, "566", None)
    page.get_by_role("button", name=FETCH).click()
    expect(page.locator("[aria-pressed=true]")).to_have_text("0")
    page.get_by_role("button", name="1", exact=True).click()
    expect(page.locator("[aria-pressed=true]")).to_have_text("1")
    found = coach(solve(server.book), card, Roll((5, 6, 6)), 1)
    expect(page.locator("#coach-title")).to_have_text(found.headline)


def test_the_dice_that_are_meant_can_be_held(page: Page) -> None:
    server = serving(page, "crag")
    ask(page, Scorecard.empty(server.book), "126", 1)
    page.locator("#coach-fetch").click()
    best = coach(solve(server.book), Scorecard.empty(server.book), Roll((1, 2, 6)), 1).choices[0]
    assert best.keep is not None
    page.locator("#coach-hold").click()
    assert page.evaluate("async () => (await import('/unit/panel.js')).held") == "".join(map(str, best.keep.faces))


@pytest.mark.parametrize("key", few(["crag", "yahtzee"], 1))
def test_it_says_what_the_server_says(page: Page, key: str) -> None:
    """Headlines, costs and choices, word for word."""
    server, solution, random = serving(page, key), solve(shipped(key)), Random(key)
    ask(page, Scorecard.empty(server.book), "1" * server.book.dice)
    page.locator("#coach-fetch").click()
    expect(page.locator(".coach-choices li")).not_to_have_count(0)
    compared = 0
    for number in range(asked := examples(60)):
        card, left = open_card(random, server.book), random.randrange(server.book.rolls)
        faces = (
            random.choices(range(1, 7), k=server.book.dice) if number % 4 else [random.randint(1, 6)] * server.book.dice
        )
        roll = Roll(tuple(sorted(faces)))
        said = coach(solution, card, roll, left)
        answer = ask(page, card, str(roll), left)
        if sum(choice.best for choice in said.choices) > 1:
            continue  # the order of equal choices may differ
        compared += 1
        assert answer["title"] == said.headline
        assert answer["costs"][:2] == [said.price(choice) for choice in said.choices[:2]]
        assert answer["choices"][0] == str(said.choices[0].label)
        assert set(answer["choices"]) <= {
            str(choice.label) for choice in coach(solution, card, roll, left, best=99).choices
        }
        assert answer["totals"][0] == f"{card.total + said.choices[0].value:.1f}"
    assert compared > asked / 3


HINT = {
    "state": "ready",
    "message": "",
    "sentence": "Keep the two sixes. Best chance for Sixes.",
    "choices": [
        {"keep": "6-6", "box": None, "words": "keep 6-6", "value": 100.04, "best": True},
        {"keep": None, "box": "sixes", "words": "Sixes for 12", "value": 97.5, "best": False},
    ],
}


def test_until_it_is_here_the_server_is_asked(page: Page) -> None:
    """With the very card, in notation."""
    server, asked = serving(page, "crag"), []
    page.route("/api/hint?**", lambda route: (asked.append(route.request.url), route.fulfill(json=HINT))[1])
    card = Scorecard.of(server.book, {server.book.boxes[0].key: 3})
    answer = ask(page, card, "566", 1, online=True)
    assert (answer["title"], answer["choices"]) == (HINT["sentence"], ["keep 6-6", "Sixes for 12"])
    assert answer["totals"] == ["103.0", "100.5"]
    expect(page.get_by_role("button", name=FETCH)).to_be_visible()
    query = parse_qs(urlsplit(asked[0]).query)
    code = server.book.boxes[0].code
    assert query == {"book": ["crag"], "dice": ["566"], "rolls_left": ["1"], "card": [f"{code}:3"]}


def test_a_server_that_is_not_ready_says_how_far_it_is(page: Page) -> None:
    server = serving(page, "crag")
    server.refuse = "Not yet."
    how_far = {"state": "running", "message": "Working out the best moves.", "sentence": None, "choices": []}
    page.route("/api/hint?**", lambda route: route.fulfill(status=202, json=how_far))
    answer = ask(page, Scorecard.empty(server.book), "566", online=True)
    assert (answer["title"], "Try again" in answer["buttons"]) == ("Working out the best moves.", True)


CARDS = """async ([table, cards]) => {
    const { cardText } = await import("/static/pad/coach.js");
    const rules = (await import("/static/pad/judge.js")).prepare(table);
    return cards.map((card) => cardText(rules, card));
}"""


def test_cards_are_told_as_the_server_reads_them(blank: Page) -> None:
    for book in (shipped("yahtzee"), shipped("maxi-yatzy"), BY_STEP):
        random = Random(book.key)
        cards = [random_card(random, book) for _ in range(40)]
        texts = blank.evaluate(CARDS, [rule_data(book)["rules"], list(map(column, cards))])
        assert texts == list(map(write_card, cards)), book.key
        assert [read_card(text, book) for text in texts] == cards, book.key
