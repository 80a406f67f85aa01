"""The two first journeys from start to end: in each of the four first books on a phone and on a desk, in the others on
a small phone."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import Page, expect

import fivedice as fd
from browser.chromium import SIZES
from browser.conftest import Person
from browser.player import Player
from fivedice.table.actions import commands as cmd
from fivedice.table.state import TableState
from long import LONG, every_run, few, long_only
from web.stage import Stage

pytestmark = every_run  # what matters most takes no turns

BOOKS = {"yardzee": "Yardzee", "yahtzee": "Yahtzee", "yatzy": "Yatzy", "yahtzee-classic": "Yahtzee Classic"}
SMALL = {"width": 390, "height": 664}
OTHERS = {key: fd.book(key).name for key in fd.SHIPPED if key not in BOOKS and not fd.book(key).variant}


def test_one_press_and_a_newcomer_rolls(person: Person, size: str) -> None:
    page = person(size=size)
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    player = Player(page)
    player.roll()
    expect(player.rolls_left).to_contain_text("2 rolls left")
    assert len(player.dice) == 5


@pytest.mark.parametrize(("size", "book"), few(product(SIZES, BOOKS), 1))
def test_alone_to_the_final_score(stage: Stage, person: Person, size: str, book: str) -> None:
    _alone(stage, person(size=size), book, by_hand=LONG and size != "desk")  # else the first boxes and the last ones


@long_only
@pytest.mark.parametrize("book", few(OTHERS, 1))
def test_the_other_books_on_a_small_phone(stage: Stage, person: Person, book: str) -> None:
    page = person(size="phone", viewport=SMALL)
    _alone(stage, page, book, by_hand=False)


def _alone(stage: Stage, page: Page, book: str, *, by_hand: bool) -> None:
    rules, name = fd.book(book), (BOOKS | OTHERS)[book]
    _choose(page, book)
    page.get_by_role("button", name="Start now").click()
    expect(page.locator("#headline")).to_have_text("Your turn")

    player = Player(page)
    player.roll()
    before = player.dice
    page.goto("/")  # away in the middle of a turn: the way back is the first door
    expect(page.get_by_role("heading", level=1)).to_have_text("Your game is waiting")
    expect(page.locator(".where")).to_contain_text(f"{name} · round 1 of")
    page.get_by_role("link", name="Continue").click()
    player.expect_dice(before)
    last = rules.dice - 1
    player.hold(1, last)
    player.roll()
    after = player.dice
    assert [after[1], after[last]] == [before[1], before[last]]
    if rules.rolls > 2:
        expect(page.locator("#die-1")).to_be_checked()
        expect(page.locator("#die-0")).not_to_be_checked()
    player.score()
    if rules.save_rolls:
        expect(player.rolls_left).to_have_text(re.compile(r"4 rolls left, *1 saved"))
        expect(page.locator(".chip .saved")).to_contain_text("+1")
    if not by_hand:
        player.turn()
        skip_ahead(stage, player, turns_left=2)
        page.reload()
    if rules.save_rolls:
        _spend(player, rules.rolls)
    total = player.finish()

    expect(page.locator("tr.row-grand td")).to_have_text(str(total))
    expect(page.locator("#record")).to_have_value(re.compile(name.split()[0], re.IGNORECASE))
    page.goto("/")  # the book is remembered, and Play is one press again
    expect(page.locator(".hero")).to_contain_text(f"The score to beat in {name}: {total}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(page).to_have_title(re.compile(name))


def _spend(player: Player, own: int) -> None:
    """Use the rolls of the turn, and one saved roll."""
    saved = player.page.locator(".rolls .saved")
    before = int(saved.inner_text().split()[0])
    for _ in range(own):
        player.roll()
    expect(saved).to_have_text(f"{before} saved")
    player.roll()
    expect(saved).to_have_text(f"{before - 1} saved")
    player.score()


def _choose(page: Page, book: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Another game").click()
    named = page.get_by_role("radio", name=re.compile(rf"^{(BOOKS | OTHERS)[book]}\b"))
    named.and_(page.locator(f"[value={book}]")).check()


@pytest.mark.parametrize("book", few(BOOKS, 1))
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
    for page in (host, guest):
        expect(page.locator(".scores")).to_be_visible()

    _round(ann, bob)
    skip_ahead(stage, ann, turns_left=2)  # the first round and the last one by hand
    for player in (ann, bob):
        player.page.reload()
    _round(ann, bob)

    for page in (host, guest):
        expect(page.locator("#headline")).to_contain_text(re.compile(r"wins? with|shares? the win"))
    totals = host.locator("tr.row-grand td").all_text_contents()
    assert len(totals) == 2
    expect(guest.locator("tr.row-grand td")).to_have_text(totals)
    won = [re.search(r"with (\d+)", page.title()) for page in (host, guest)]  # each reads it from the own seat
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
        seeing.expect_dice(acting.dice)
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
