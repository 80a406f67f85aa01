"""Is docs/fair-dice.md enough? A verifier that was written from it alone agrees with ours, on games and on lies."""

from __future__ import annotations

import json
import random
import re
from dataclasses import asdict, replace

import pytest

import fivedice as fd
from fairness import outsider
from fivedice.dice import ProvableDice
from fivedice.errors import IllegalRecord
from fivedice.game import Game
from fivedice.notation import write_game
from fivedice.notation.proof import prove
from fivedice.notation.receipts import table_mark, write_receipt
from fivedice.rules import SHIPPED
from fivedice.table.proof.checking import Noted, check_record
from fivedice.table.proof.signing import public_key, sign
from notation.test_proof import VERIFIER, flipped, play_out

SEED, TIME = "07" * 32, "2026-11-16T02:50:00.123Z"
NAMES = ('Ann "A\\"', "Béla 🎲", "Čapek", "D")
TEXTS = ("rain\t\b\u007f", "ümlaut 🎲", "", "\\")
GAMES = 40
STARTS = 150


def played(number: int) -> Game:
    """A proven game of one of the shipped rules, with one to four players, some of them a rematch."""
    luck = random.Random(number)
    book, players = fd.book(SHIPPED[number % len(SHIPPED)]), luck.randint(1, 4)
    secret, names, texts = f"{luck.getrandbits(256):064x}", NAMES[:players], TEXTS[:players]
    rematch = players > 1 and number % 5 == 0
    dice = ProvableDice(secret, book.fingerprint, names, texts)
    game = Game.new(book, names, dice=dice, first=luck.randrange(players) if rematch else None)
    play_out(game, luck)
    game.tags |= {"Table": table_mark(f"t-{number}"), "Begun": TIME} | ({"Rematch": "yes"} if rematch else {})
    return prove(game, secret, texts)


def begun(number: int) -> Game:
    """A roll-off, and a game that was ended before the first turn."""
    secret, players = f"{random.Random(number).getrandbits(256):064x}", 2 + number % 3
    dice = ProvableDice(secret, fd.book("yahtzee").fingerprint, NAMES[:players], TEXTS[:players])
    return prove(Game.new("yahtzee", NAMES[:players], dice=dice), secret, TEXTS[:players])


def test_both_verify_the_same_games() -> None:
    for number in range(GAMES):
        game = played(number)
        text, receipt = write_game(game), write_receipt(sign(SEED, f"t-{number}", TIME, game.tags["Commitment"]))
        ours = check_record(text, noted=Noted(receipt=receipt, key=public_key(SEED)))
        assert outsider.verify(text.encode(), receipt if number % 10 == 0 else None) == ours.verdict.throws


def test_all_verifiers_go_through_a_turn_of_dozens_of_rolls() -> None:
    book, secret = fd.book("maxi-yatzy"), "5a" * 32
    game = Game.new(book, ("Ann",), dice=ProvableDice(secret, book.fingerprint, ("Ann",), ("",)))
    while not game.is_over:
        game.roll()
        while game.position.rolls_left and sum(points is None for points in game.position.card.marks) == 1:
            game.hold("-")
            game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    text = write_game(prove(game, secret, ("",)))
    assert outsider.verify(text.encode()) == check_record(text).verdict.throws == 19 + book.most_rolls
    assert VERIFIER(text).startswith(f"Verified: {19 + book.most_rolls} throws ")
    head, late, end = text.rsplit("/", 2)
    lie = "111111>-" if late != "111111>-" else "222222>-"
    with pytest.raises(IllegalRecord, match="Turn 20, roll 40"):
        check_record(f"{head}/{lie}/{end}")


def test_both_agree_on_roll_offs_with_ties() -> None:
    games = [begun(number) for number in range(STARTS)]
    for game in games:
        text = write_game(game)
        assert outsider.verify(text.encode()) == check_record(text).verdict.throws == 0
    tied = [game for game in games if game.roll_off is not None and len(game.roll_off.throws) > len(game.players)]
    assert len(tied) > 5, "too few roll-offs went into a second round"


def test_both_refuse_the_same_lies() -> None:
    game = played(1)  # with a roll-off
    text, receipt = write_game(game), sign(SEED, "t-1", TIME, game.tags["Commitment"])
    assert game.roll_off is not None
    assert outsider.verify(text.encode(), write_receipt(receipt))
    lies = [
        (text, sign(SEED, "t-2", TIME, receipt.lock)),
        (text, sign(SEED, "t-1", "2026-11-16T02:50:00.124Z", receipt.lock)),
        (text, sign(SEED, "t-1", TIME, "00" * 32)),
        (text, replace(receipt, key=public_key("08" * 32))),
        (text, replace(receipt, time="2026-11-16T02:50:00.122Z")),
        (text, replace(receipt, signature=f"{int(receipt.signature[0], 16) ^ 1:x}{receipt.signature[1:]}")),
        (re.sub(r'\[First "\d+"\]', '[First "9"]', text), receipt),
        (text.replace("[Begun ", "[Date "), receipt),
        (text.replace(game.tags["Seal"], "00" * 32), receipt),
    ]
    for record, kept in lies:
        with pytest.raises(fd.FivediceError):
            check_record(record, noted=Noted(receipt=write_receipt(kept)))
        with pytest.raises((outsider.Refused, LookupError)):
            outsider.verify(record.encode(), json.dumps(asdict(kept)))


def test_a_changed_bit_is_seen_by_the_page_too() -> None:
    luck = random.Random(5)
    for number in range(1, 40):
        text = flipped(write_game(played(number % 8)), luck)
        with pytest.raises((outsider.Refused, LookupError, ValueError, AttributeError)):
            outsider.verify(text.encode("utf-8", "surrogateescape"))


def test_the_example_of_the_page_is_signed() -> None:
    """By an Ed25519 that shares nothing with ours, and the third example of RFC 8032."""
    receipt = sign(bytes(range(32)).hex(), "Zm9vYmFy_-0", TIME, "ab" * 32)
    assert outsider.is_signed(bytes.fromhex(receipt.key), receipt.signed, bytes.fromhex(receipt.signature))
    key = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
    signature = (
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )
    assert outsider.is_signed(bytes.fromhex(key), bytes.fromhex("af82"), bytes.fromhex(signature))
    assert not outsider.is_signed(bytes.fromhex(key), bytes.fromhex("af83"), bytes.fromhex(signature))
