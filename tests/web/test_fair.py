"""Dice that anyone can check, on the pages."""

from __future__ import annotations

import re
from html import unescape

import httpx
import pytest

from fivedice.dice import commitment
from fivedice.table import commands as cmd
from fivedice.table.service import Tables
from table.test_service import finish
from web.conftest import Caller
from web.stage import Stage


@pytest.fixture
def client(caller: Caller) -> httpx.Client:
    return caller("Fay")  # somebody who has chosen no rules at another test


@pytest.fixture
def tables(stage: Stage) -> Tables:
    return stage.tables


def form_value(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, name
    return unescape(found[1])


def play_by_click(client: httpx.Client, text: str) -> str:
    """By the first page, or by the page for another game where one goes on."""
    home = client.get("/").text
    home = home if 'action="/play"' in home else client.get("/new").text
    answer = client.post("/play", data={"word": form_value(home, "word"), "text": text}, follow_redirects=False)
    return str(answer.headers["location"]).removeprefix("/t/")


def test_one_click_keeps_the_promise_of_the_page(client: httpx.Client, tables: Tables) -> None:
    home = client.get("/").text
    word = form_value(home, "word")
    answer = client.post("/play", data={"word": word, "text": "rain"}, follow_redirects=False)
    table = str(answer.headers["location"]).removeprefix("/t/")
    state = tables.state(table)
    assert state.seats[0].text == "rain"
    assert state.promise is not None
    assert state.promise in home, "the promise of one click must be on the page with the button"
    assert tables.store.promises.table(word) == table
    assert client.post("/play", data={"word": word}, follow_redirects=False).headers["location"] == f"/t/{table}"
    finish(tables, table)
    again = client.post("/play", data={"word": word}, follow_redirects=False)
    assert (again.status_code, "Press Play for a new game." in again.text) == (409, True)
    assert form_value(again.text, "word") != word


def test_the_secret_is_on_no_page_before_the_end_and_every_die_can_be_checked_after_it(
    client: httpx.Client,
    tables: Tables,
) -> None:
    table = play_by_click(client, "rain")
    header = tables.store.header(table)
    assert header is not None
    paths = [f"/t/{table}", f"/api/tables/{table}", f"/api/tables/{table}/events", f"/t/{table}/dice", "/tables"]
    for path in paths:
        assert header.secret not in client.get(path).text, path
    assert client.get(f"/t/{table}/dice").status_code == 404
    assert commitment(header.secret) in client.get(f"/t/{table}").text
    finish(tables, table)
    checked = client.get(f"/t/{table}/dice")
    assert checked.status_code == 200
    assert "<h2>Verified</h2>" in checked.text
    record = client.get(f"/t/{table}/record.txt").text
    pasted = client.post("/verify", data={"record": record.replace("\n", "\r\n")})
    assert (pasted.status_code, "<h2>Verified</h2>" in pasted.text) == (200, True)
    changed = client.post("/verify", data={"record": record.replace("[Texts ", "[texts ")})
    assert (changed.status_code, "<h2>Not verified</h2>" in changed.text) == (422, True)


def test_a_game_by_house_rules_can_be_checked_too(client: httpx.Client, tables: Tables) -> None:
    rules = 'extends = "yatzy"\nkey = "octo"\nname = "Octo"\nfaces = 8\n'
    table = tables.open("ann", "octo", rules=rules, then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")])
    finish(tables, table)
    assert "<h2>Verified</h2>" in client.get(f"/t/{table}/dice").text
    record = client.get(f"/t/{table}/record.txt").text
    alone = client.post("/verify", data={"record": record})
    assert (alone.status_code, "used house rules" in alone.text) == (422, True)


def test_the_promise_is_on_the_page_of_everyone_before_the_seats_are_locked(caller: Caller, tables: Tables) -> None:
    """Without script, with or without an invitation, at a full table too."""
    table = tables.open("hal", "yatzy", then=[cmd.SitDown("ann", f"Ann {seat}") for seat in range(12)])
    code, promise = tables.join_code(table), tables.state(table).promise
    for path in (f"/t/{table}", f"/t/{table}/join/{code}"):
        assert f"<code>{promise}</code>" in caller("Zoe").get(path).text, path


def test_the_promise_of_a_rematch_is_on_the_page_with_its_button(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "rain")
    finish(tables, table)
    page = client.get(f"/t/{table}").text
    again = client.post(f"/t/{table}/rematch", follow_redirects=False).headers["location"].removeprefix("/t/")
    assert f"Dice lock of the next game: <code>{tables.state(again).promise}</code>" in page


def test_giving_up_ends_the_game_and_tells_the_secret(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "")
    assert "End this game" in client.get(f"/t/{table}").text
    page = client.post(f"/t/{table}/give-up", follow_redirects=True).text
    assert "This game ended early" in page
    assert tables.state(table).secret is not None
    assert client.get(f"/t/{table}/dice").status_code == 200


def test_the_public_page_counts_the_dice_of_finished_games(client: httpx.Client, tables: Tables) -> None:
    before = _dice(client.get("/fairness").text)
    table = play_by_click(client, "")
    finish(tables, table)
    thrown = sum(len(rolls[0].dice) for rolls in tables.state(table).lain)
    assert _dice(client.get("/fairness").text) == before + thrown
    assert _dice(client.get("/fairness").text) == before + thrown  # counted once


def _dice(page: str) -> int:
    found = re.search(r"<strong>([\d,]+)</strong> dice", page)
    return int(found[1].replace(",", "")) if found else 0
