"""Verifiable dice on the pages."""

import json
import random
import re
from dataclasses import asdict
from html import unescape

import httpx
import pytest

from fivedice.core.dice import ProvableDice, commitment
from fivedice.core.game import Game
from fivedice.core.notation import read_game, write_game
from fivedice.core.notation.proof import prove
from fivedice.core.notation.receipts import read_receipt, write_receipt
from fivedice.table.actions import commands as cmd
from fivedice.table.fairness.commitments import check_signature, public_key, sign, sign_message
from fivedice.table.service import Tables
from support.proofs import play_out
from support.tables import finish, play_house
from web.conftest import Caller
from web.stage import Stage


@pytest.fixture
def client(caller: Caller) -> httpx.Client:
    return caller("Fay")  # a visitor without rules chosen by another test


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


def test_one_click_keeps_the_shown_commitment(client: httpx.Client, tables: Tables) -> None:
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


def test_secret_is_hidden_until_the_end_then_verifiable(client: httpx.Client, tables: Tables) -> None:
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


def test_house_rules_game_can_be_verified(client: httpx.Client, tables: Tables) -> None:
    rules = 'extends = "yatzy"\nkey = "octo"\nname = "Octo"\nfaces = 8\n'
    table = tables.open("ann", "octo", rules=rules, then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")])
    finish(tables, table)
    assert "<h2>Verified</h2>" in client.get(f"/t/{table}/dice").text
    record = client.get(f"/t/{table}/record.txt").text
    alone = client.post("/verify", data={"record": record})
    assert (alone.status_code, "used house rules" in alone.text) == (422, True)


def test_commitment_is_shown_to_everyone_before_the_start(caller: Caller, tables: Tables) -> None:
    """Without script, with or without an invitation, at a full table too."""
    table = tables.open("hal", "yatzy", then=[cmd.SitDown("hal", f"Ann {seat}") for seat in range(12)])
    code, promise = tables.join_code(table), tables.state(table).promise
    for path in (f"/t/{table}", f"/t/{table}/join/{code}"):
        assert f"<code>{promise}</code>" in caller("Zoe").get(path).text, path


def test_commitment_of_the_rematch_is_shown_with_its_button(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "rain")
    finish(tables, table)
    page = client.get(f"/t/{table}").text
    again = client.post(f"/t/{table}/rematch", follow_redirects=False).headers["location"].removeprefix("/t/")
    lock = page.partition("Dice lock of the next game</summary>")[2].partition("</details>")[0]
    assert f"<code>{tables.state(again).promise}</code>" in lock


def test_early_end_reveals_the_secret(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "")
    assert "End this game" in client.get(f"/t/{table}").text
    page = client.post(f"/t/{table}/give-up", follow_redirects=True).text
    assert "This game ended early" in page
    assert tables.state(table).secret is not None
    assert client.get(f"/t/{table}/dice").status_code == 200


def test_public_page_counts_dice_of_finished_games(client: httpx.Client, tables: Tables) -> None:
    before = _dice(client.get("/fairness").text)
    table = play_by_click(client, "")
    finish(tables, table)
    thrown = sum(len(rolls[0].dice) for rolls in tables.state(table).lain)
    assert _dice(client.get("/fairness").text) == before + thrown
    assert _dice(client.get("/fairness").text) == before + thrown  # counted once


def _dice(page: str) -> int:
    found = re.search(r"<strong>([\d,]+)</strong> dice", page)
    return int(found[1].replace(",", "")) if found else 0


def test_receipt_is_the_same_everywhere(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "rain")
    file = client.get(f"/t/{table}/receipt.json")
    assert file.headers["content-disposition"] == f'attachment; filename="fivedice-receipt-{table}.json"'
    receipt = read_receipt(file.text)
    check_signature(receipt)
    assert (receipt.table, receipt.lock) == (table, tables.state(table).promise)
    assert client.get(f"/api/tables/{table}/receipt").json() == asdict(receipt)
    published = client.get("/api/key").json()
    assert published == {"algorithm": "Ed25519", "key": receipt.key, "id": receipt.key_id}
    for path in ("/verify", "/fairness"):
        page = client.get(path).text
        assert f"<code>{receipt.key}</code>" in page, path
        assert receipt.key_id in page, path
    for path in ("/api/tables/nowhere/receipt", "/t/nowhere/receipt.json"):
        assert client.get(path).status_code == 404
    assert f'href="/t/{table}/receipt.json" download' in client.get(f"/t/{table}").text


def test_pasted_record_is_compared_with_receipt_and_text(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "rain")
    receipt, other = (client.get(f"/t/{each}/receipt.json").text for each in (table, play_by_click(client, "")))
    finish(tables, table)
    record = client.get(f"/t/{table}/record.txt").text

    def pasted(**kept: str) -> tuple[int, str]:
        answer = client.post("/verify", data={"record": record} | kept)
        return answer.status_code, unescape(answer.text)

    status, page = pasted()
    assert (status, "Add your receipt below" in page, "Add it below" in page) == (200, True, True)
    status, page = pasted(receipt=receipt.replace("\n", "\r\n"), text="rain")
    assert (status, "Not checked" in page) == (200, False)
    assert "before the game began" in page
    assert "That is the key of this server." in page
    foreign = sign("07" * 32, table, read_receipt(receipt).time, read_receipt(receipt).lock)
    status, page = pasted(receipt=write_receipt(foreign))
    assert (status, f"signed by the key {read_receipt(receipt).key}" in page) == (422, True)
    for kept in ({"receipt": other}, {"receipt": "rain"}, {"text": "snow"}):
        status, page = pasted(**kept)
        assert (status, "<h2>Not verified</h2>" in page) == (422, True), kept
        assert next(iter(kept.values())).split("\n")[0] in page, "what was pasted stays in its field"


class Forger:
    """Signs records with a key of their own."""

    public_key = public_key("07" * 32)

    def sign_record(self, message: bytes) -> str:
        return sign_message("07" * 32, message)


def test_server_detects_other_moves_of_its_game(client: httpx.Client, tables: Tables) -> None:
    table = play_by_click(client, "rain")
    receipt = client.get(f"/t/{table}/receipt.json").text
    finish(tables, table)
    record = client.get(f"/t/{table}/record.txt").text
    assert f'[Key "{read_receipt(receipt).key}"]' in record
    assert client.get(f"/api/tables/{table}/record").text == record
    assert client.get(f"/api/tables/{table}/position").json()["record"] == record
    true = read_game(record)
    secret, texts = true.tags["Secret"], tuple(json.loads(true.tags["Texts"]))
    forged = Game.new(true.book, true.players, dice=ProvableDice(secret, true.book.fingerprint, true.players, texts))
    play_out(forged, random.Random(3))
    forged.tags |= {name: true.tags[name] for name in ("Table", "Begun") if name in true.tags}
    lie = write_game(prove(forged, secret, texts))
    alone = client.post("/verify", data={"record": lie})
    assert (alone.status_code, "<h2>Dice verified</h2>" in alone.text) == (200, True)
    assert "The moves are not checked" in alone.text
    own_key = write_game(prove(forged, secret, texts, signer=Forger()))
    signed = client.post("/verify", data={"record": own_key})
    assert (signed.status_code, "<h2>Dice verified</h2>" in signed.text) == (200, True), "anyone can make a key"
    assert "That is not the key of this server." in signed.text
    held = client.post("/verify", data={"record": lie, "receipt": receipt})
    assert (held.status_code, "with other moves" in held.text) == (422, True)
    unsigned = prove(true, secret, texts)  # as it was saved before records were signed
    old = client.post("/verify", data={"record": write_game(unsigned), "receipt": receipt})
    assert (old.status_code, "<h2>Dice verified</h2>" in old.text) == (200, True)


def test_page_replays_the_bots(client: httpx.Client, tables: Tables) -> None:
    then = [cmd.SitDown("ann", "Ann"), cmd.SeatBot("ann", "steady"), cmd.StartGame("ann")]
    table = tables.open("ann", "yatzy", then=then)
    play_house(tables, table)
    assert re.search(r"Steady bot was played again: all \d+ decisions", client.get(f"/t/{table}/dice").text)
    state = tables.state(table)
    assert state.secret is not None
    lying = state.running.copy()
    lying.tags["Bots"] = '["steady/1", ""]'
    record = write_game(prove(lying, state.secret, [seat.text for seat in state.seats]))
    answer = client.post("/verify", data={"record": record})
    assert (answer.status_code, "This bot would choose" in answer.text) == (422, True)
