"""The two first journeys from start to end, in each of the four books, on a phone and on a desk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Person
from browser.player import Player
from fivedice.table import commands as cmd
from fivedice.table.state import TableState
from long import LONG
from web.stage import Stage

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
def test_alone_to_the_final_score(stage: Stage, person: Person, size: str, book: str) -> None:
    if size == "desk" and book in list(BOOKS)[:2] and not LONG:
        pytest.skip("played on a phone here, on both by make exhaustive")
    page = person(size=size)
    _choose(page, book)
    page.get_by_role("button", name="Start now").click()
    expect(page.locator("#headline")).to_have_text("Your turn")

    player = Player(page)
    player.roll()
    before = player.dice
    page.goto("/")  # away in the middle of a turn: the way back is the first door
    expect(page.get_by_role("heading", level=1)).to_have_text("Your game is waiting")
    expect(page.locator(".where")).to_contain_text(f"{BOOKS[book]} · round 1 of")
    page.get_by_role("link", name="Continue").click()
    assert player.dice == before
    player.hold(1, 3)
    player.roll()
    assert [player.dice[1], player.dice[3]] == [before[1], before[3]]
    expect(page.locator("#die-1")).to_be_checked()
    expect(page.locator("#die-0")).not_to_be_checked()
    player.score()
    if size == "desk":  # every box by hand on the phone, the first and the last ones on the desk
        player.turn()
        skip_ahead(stage, player, turns_left=2)
        page.reload()
    total = player.finish()

    expect(page.locator("tr.row-grand td")).to_have_text(str(total))
    expect(page.locator("#record")).to_have_value(re.compile(BOOKS[book].split()[0], re.IGNORECASE))
    page.goto("/")  # the book is remembered, and Play is one press again
    expect(page.locator(".hero")).to_contain_text(f"The score to beat in {BOOKS[book]}: {total}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(page).to_have_title(re.compile(BOOKS[book]))


def _choose(page: Page, book: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Another game").click()
    page.get_by_role("radio", name=re.compile(rf"^{BOOKS[book]}\b")).and_(page.locator(f"[value={book}]")).check()


@pytest.mark.parametrize("book", list(BOOKS) if LONG else list(BOOKS)[:2])
def test_a_friend_by_link_and_everyone_sees_each_move(stage: Stage, person: Person, book: str) -> None:
    host, guest = person(size="phone"), person(size="desk")
    ann, bob = Player(host), Player(guest)
    _choose(host, book)
    host.get_by_label("Your name").fill("Ann")
    host.get_by_role("button", name="Invite friends first").click()
    expect(host.get_by_role("img", name="QR code of this link")).to_be_visible()

    guest.goto(host.get_by_label("Invitation link").input_value())
    guest.get_by_label("Name").fill("Bob")
    guest.get_by_text("Colour, token and fair dice").click()
    guest.get_by_label("Token 5").check(force=True)
    guest.get_by_role("button", name="Join game").click()
    expect(guest.locator("#headline, h2").first).to_have_text("Waiting for the game to start")
    expect(host.locator(".people-list")).to_contain_text("Bob")  # live, without a reload
    host.get_by_role("button", name="Start game").click()
    expect(guest.locator(".scores")).to_be_visible()

    _round(ann, bob)
    _round(ann, bob)
    skip_ahead(stage, ann, turns_left=4)  # the first rounds and the last ones by hand
    for player in (ann, bob):
        player.page.reload()
    _round(ann, bob)
    _round(ann, bob)

    for page in (host, guest):
        expect(page.locator("#headline")).to_contain_text(re.compile(r"wins? with|shares? the win"))
    totals = host.locator("tr.row-grand td").all_text_contents()
    assert len(totals) == 2
    expect(guest.locator("tr.row-grand td")).to_have_text(totals)
    won = [re.search(r"with (\d+)", page.title()) for page in (host, guest)]  # each is told from their own seat
    assert won[0] is not None
    assert won[1] is not None
    assert won[0][1] == won[1][1]
    assert ("You win" in host.title()) != ("You win" in guest.title()) or "share" in host.title()


def _round(ann: Player, bob: Player) -> None:
    """A turn of each, seen by the other."""
    for _ in range(2):
        acting, seeing = (ann, bob) if ann.page.locator(".play.mine").count() else (bob, ann)
        acting.roll()
        seeing.expect_version(acting.version)
        assert seeing.dice == acting.dice
        acting.score()
        seeing.expect_version(acting.version)


def skip_ahead(stage: Stage, player: Player, turns_left: int) -> None:
    """Let the turns between be played behind the scenes."""
    table = player.table.get_attribute("data-id") or ""
    state = stage.tables.state(table)
    while state.game is not None and _open_boxes(state) > turns_left:
        who = state.seats[state.on_turn or 0].player or ""
        if not state.slots:
            stage.tables.execute(table, cmd.RollDice(who), version=state.version)
        elif state.game is not None:
            box = next(iter(state.game.position.ruling().legal))
            stage.tables.execute(table, cmd.FillBox(who, box), version=state.version)
        state = stage.tables.state(table)


def _open_boxes(state: TableState) -> int:
    assert state.game is not None
    return sum(mark is None for card in state.game.position.cards for mark in card.marks)
