"""The two first journeys from start to end, in each of the four books, on a phone and on a desk."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Person
from browser.player import Player

BOOKS = {"yardzee": "Yardzee", "yahtzee": "Yahtzee", "yatzy": "Yatzy", "yahtzee-classic": "Yahtzee Classic"}


def test_one_press_and_a_newcomer_rolls(person: Person, size: str) -> None:
    page = person(size=size)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    player = Player(page)
    player.roll()
    expect(player.rolls_left).to_contain_text("2 rolls left")
    assert len(player.dice) == 5


@pytest.mark.parametrize("book", BOOKS)
def test_alone_to_the_final_score(person: Person, size: str, book: str) -> None:
    page = person(size=size)
    _choose(page, book)
    page.get_by_role("button", name="Start now").click()
    expect(page.locator("#headline")).to_have_text("Your turn")

    page.goto("/")  # the book is remembered, and Play is one press again
    expect(page.locator(".hero")).to_contain_text(f"Starts a solo game of {BOOKS[book]}")
    page.get_by_role("button", name="Play", exact=True).click()
    player = Player(page)
    player.roll()
    before = player.dice
    player.hold(1, 3)
    player.roll()
    assert [player.dice[1], player.dice[3]] == [before[1], before[3]]
    expect(page.locator("#die-1")).to_be_checked()
    expect(page.locator("#die-0")).not_to_be_checked()
    player.score()
    total = player.finish()

    expect(page.locator("tr.row-grand td")).to_have_text(str(total))
    expect(page.locator("#record")).to_have_value(re.compile(BOOKS[book].split()[0], re.IGNORECASE))
    page.goto("/")
    expect(page.locator(".hero")).to_contain_text(f"The score to beat: {total}")


def _choose(page: Page, book: str) -> None:
    page.goto("/")
    page.get_by_role("radio", name=re.compile(rf"^{BOOKS[book]}\b")).and_(page.locator(f"[value={book}]")).check()


@pytest.mark.parametrize("book", BOOKS)
def test_a_friend_by_link_and_everyone_sees_each_move(person: Person, book: str) -> None:
    host, guest = person(size="phone"), person(size="desk")
    ann, bob = Player(host), Player(guest)
    _choose(host, book)
    host.get_by_label("Your name").fill("Ann")
    host.get_by_role("button", name="Invite friends first").click()
    expect(host.get_by_alt_text("QR code of the invitation link")).to_be_visible()

    guest.goto(host.get_by_label("Invitation link").input_value())
    guest.get_by_label("Name").fill("Bob")
    guest.get_by_label("token 5").check(force=True)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#headline, h2").first).to_have_text("Waiting for the start")
    expect(host.locator(".people-list")).to_contain_text("Bob")  # live, without a reload
    host.get_by_role("button", name="Start the game").click()
    expect(guest.locator(".sheet")).to_be_visible()

    for rounds_left in (2, 0):  # the first rounds and the last ones by hand, those between through the API
        for _ in range(2):
            _round(ann, bob)
        if rounds_left:
            _skip_ahead(ann, bob, rounds_left)

    for page in (host, guest):
        expect(page.locator("#headline")).to_contain_text(re.compile(r"wins with|share the win"))
    assert host.locator("tr.row-grand").inner_text() == guest.locator("tr.row-grand").inner_text()
    assert host.title() == guest.title()


def _round(ann: Player, bob: Player) -> None:
    """A turn of each, seen by the other."""
    for _ in range(2):
        acting, seeing = (ann, bob) if ann.table.get_attribute("data-turn") == "yours" else (bob, ann)
        acting.roll()
        seeing.expect_version(acting.version)
        assert seeing.dice == acting.dice
        acting.score()
        seeing.expect_version(acting.version)


def _skip_ahead(ann: Player, bob: Player, rounds_left: int) -> None:
    at_api = {True: Program(ann.page), False: Program(bob.page)}
    while at_api[True].open_boxes > 2 * rounds_left:
        at_api[at_api[True].look()["your_turn"]].turn()
    for player in (ann, bob):
        player.expect_version(at_api[True].look()["version"])


class Program:
    """The same person through the JSON API."""

    def __init__(self, page: Page) -> None:
        self._request = page.request
        self._address = f"/api/tables/{page.locator('#table').get_attribute('data-id')}"

    def look(self) -> dict[str, Any]:
        seen: dict[str, Any] = self._request.get(self._address).json()
        return seen

    @property
    def open_boxes(self) -> int:
        rows = [row for row in self.look()["rows"] if row["kind"] == "box"]
        return sum(cell["points"] is None for row in rows for cell in row["cells"])

    def turn(self) -> None:
        table = self._do(command="roll")
        box = next(row["box"] for row in table["rows"] for cell in row["cells"] if cell["preview"] is not None)
        self._do(command="score", box=box)

    def _do(self, **command: Any) -> dict[str, Any]:
        body = command | {"version": self.look()["version"]}
        answer = self._request.post(f"{self._address}/commands", data=body)
        assert answer.ok, answer.text()
        table: dict[str, Any] = answer.json()["table"]
        return table
