"""`fivedice verify`."""

import hashlib
import hmac
import json
import sys
from dataclasses import replace
from random import Random

from fivedice.core.dice import ProvableDice
from fivedice.core.game import Game
from fivedice.core.notation import write_game
from fivedice.core.notation.proof import _seal, _write_without, prove
from fivedice.core.notation.receipts import table_mark, write_receipt
from fivedice.table.fairness.commitments import public_key, sign, sign_message
from support.proofs import play_out, play_proven_game

SEED = bytes(range(32)).hex()


def test_unsigned_changed_and_secretless_records(fivedice, tmp_path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_game(play_proven_game(2)))
    code, out, _ = fivedice("verify", str(file))
    assert (code, out.startswith("Dice verified: "), "Verified" in out) == (0, True, False)
    found = json.loads(fivedice("verify", str(file), "--json")[1])
    assert (found["verified"], "moves" in found["unchecked"]) == (False, True)
    text = write_game(play_proven_game(2))
    line = next(line for line in text.split("\n") if line.startswith("1. "))
    die = line[3]
    file.write_text(text.replace(line, "1. " + str(int(die) % 6 + 1) + line[4:]))
    code, _, err = fivedice("verify", str(file))
    assert code == 2
    assert "Round 1, " in err or "Turn 1, roll 1: " in err
    game = play_proven_game(2)
    game.tags.clear()
    file.write_text(write_game(game))
    code, _, err = fivedice("verify", str(file))
    assert code == 2
    assert "no tag Dice" in err
    file = tmp_path / "games.txt"
    file.write_text("\n".join([write_game(play_proven_game(2)), write_game(play_proven_game(3))]))
    code, _, err = fivedice("verify", str(file))
    assert code == 2
    assert "several records" in err


def test_unchecked_parts_are_named_and_notes_compared(fivedice, tmp_path):
    file, game = tmp_path / "game.txt", play_proven_game(2)
    file.write_text(write_game(game))
    lock, text = game.tags["Commitment"], "text 2 of Ann"
    out = fivedice("verify", str(file))[1]
    assert "--promise" in out
    assert "--text" in out
    assert json.loads(fivedice("verify", str(file), "--json")[1])["unchecked"] == [
        "promise",
        "text",
        "receipt",
        "moves",
    ]
    assert "The moves are not checked: no signature was verified." in out
    code, out, _ = fivedice("verify", str(file), "--promise", lock, "--text", text)
    assert (code, out.count("Not checked"), "Add --receipt." in out) == (0, 1, True)
    assert "is the one that you noted" in out
    assert "is in the dice" in out
    for noted in (("--promise", "0" * 64), ("--promise", ""), ("--text", "text 2 of An"), ("--text", "")):
        assert fivedice("verify", str(file), *noted)[0] == 2, noted


def test_receipt_is_compared_with_the_record_by_verify(fivedice, tmp_path):
    game, file, kept = play_proven_game(2), tmp_path / "game.txt", tmp_path / "receipt.json"
    game.tags |= {"Table": table_mark("t-1"), "Begun": "2026-11-16T03:00:00.000Z"}
    file.write_text(write_game(prove(game, game.tags["Secret"], json.loads(game.tags["Texts"]))))
    receipt = sign(SEED, "t-1", "2026-11-16T02:59:59.999Z", game.tags["Commitment"])
    kept.write_text(write_receipt(receipt))
    given = ("verify", str(file), "--text", "text 2 of Ann", "--receipt", str(kept))
    code, out, _ = fivedice(*given)
    assert (code, out.count("Not checked"), "Compare it with the server’s" in out) == (0, 1, True)
    assert f"signed at {receipt.time}, before the game began, by the key {receipt.key_id}" in out
    code, out, _ = fivedice(*given, "--key", receipt.key.upper())
    assert (code, "Not checked" in out, "is the one that you gave" in out) == (0, False, True)
    found = json.loads(fivedice(*given, "--json")[1])
    assert (found["signed"], found["unchecked"]) == ({"time": receipt.time, "key": receipt.key}, ["key", "moves"])
    assert fivedice(*given, "--key", "00" * 32)[0] == 2
    assert fivedice("verify", str(file), "--key", receipt.key)[0] == 2, "a key alone checks nothing"
    wrong = {
        "signature of the receipt is wrong": replace(receipt, time="2026-11-16T02:59:58.999Z"),
        "for the dice lock": sign(SEED, "t-1", receipt.time, "00" * 32),
        "for the game": sign(SEED, "t-2", receipt.time, receipt.lock),
        "had begun at": sign(SEED, "t-1", "2026-11-16T03:00:00.001Z", receipt.lock),
        "cannot be read": replace(receipt, signature=""),
    }
    for sentence, lie in wrong.items():
        kept.write_text(write_receipt(lie))
        code, _, err = fivedice(*given)
        assert (code, sentence in " ".join(err.split())) == (2, True), err


class Server:
    """Signs records as a server does."""

    public_key = public_key(SEED)

    def sign_record(self, message):
        return sign_message(SEED, message)


def signed_game(number, moves=None):
    """Return a game that a server signed; `moves` are drawn anew by that seed, with the same secret."""
    game = play_proven_game(number)
    secret, texts = game.tags["Secret"], json.loads(game.tags["Texts"])
    if moves is not None:
        dice = ProvableDice(secret, game.book.fingerprint, game.players, tuple(texts))
        game = Game.new(game.book, game.players, dice=dice)
        play_out(game, Random(moves))
    game.tags |= {"Table": table_mark("t-1"), "Begun": "2026-11-16T03:00:00.000Z"}
    return prove(game, secret, texts, signer=Server())


def test_signed_moves_are_verified_by_server_key(fivedice, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(write_game(signed_game(2)))
    code, out, _ = fivedice("verify", str(file))
    assert (code, "and not changed since." in out, "Compare it with the server’s" in out) == (0, True, True)
    assert out.startswith("Dice verified: "), "anyone can make a key and sign with it"
    code, out, _ = fivedice("verify", str(file), "--key", Server.public_key)
    assert (code, "is the one that you gave" in out, "--key" in out) == (0, True, False)
    assert out.startswith("Verified: ")
    found = json.loads(fivedice("verify", str(file), "--json")[1])
    assert (found["moves_signed_by"], "moves" in found["unchecked"]) == (Server.public_key, False)
    assert not found["verified"]
    assert json.loads(fivedice("verify", str(file), "--key", Server.public_key, "--json")[1])["verified"]
    assert fivedice("verify", str(file), "--key", public_key("07" * 32))[0] == 2


def test_forged_key_and_receipt_are_not_verified(fivedice, tmp_path):
    """Only a key that the reader knows from elsewhere tells the server from a forger."""
    file, kept = tmp_path / "game.txt", tmp_path / "receipt.json"
    forged = signed_game(2, moves=7)
    file.write_text(write_game(forged))
    kept.write_text(write_receipt(sign(SEED, "t-1", "2026-11-16T02:59:59.999Z", forged.tags["Commitment"])))
    given = ("verify", str(file), "--receipt", str(kept), "--text", "text 2 of Ann")
    code, out, _ = fivedice(*given)
    assert (code, out.startswith("Dice verified: "), "Not checked: whose key" in out) == (0, True, True)
    assert not json.loads(fivedice(*given, "--json")[1])["verified"]
    assert fivedice(*given, "--key", public_key("07" * 32))[0] == 2, "the key of the true server"


def test_other_moves_with_true_dice_are_not_signed(fivedice, tmp_path):
    """A reader of the record knows its secret: other keeps, their own dice, and a right seal."""
    true, forged, file, kept = signed_game(2), signed_game(2, moves=7), tmp_path / "game.txt", tmp_path / "receipt.json"
    kept.write_text(write_receipt(sign(SEED, "t-1", "2026-11-16T02:59:59.999Z", true.tags["Commitment"])))
    secret, texts = true.tags["Secret"], json.loads(true.tags["Texts"])
    old, key = {name: true.tags[name] for name in ("Key", "Signature")}, public_key("07" * 32)
    assert forged.moves != true.moves
    for tags, given, said in (
        (old, (), "signature of the record is wrong"),
        ({**old, "Signature": ""}, (), "must be 128 hexadecimal digits"),
        ({**old, "Key": key}, ("--receipt", str(kept)), f"signed by the key {key}"),
        ({**old, "Key": key}, ("--key", Server.public_key), f"signed by the key {key}"),
    ):
        lie = prove(forged, secret, texts)
        lie.tags |= tags
        lie.tags["Seal"] = _seal(_write_without(lie, "Seal"), secret)
        file.write_text(write_game(lie))
        code, _, err = fivedice("verify", str(file), *given)
        assert (code, said in " ".join(err.split())) == (2, True), err
    file.write_text(write_game(prove(forged, secret, texts)))
    code, out, _ = fivedice("verify", str(file), "--receipt", str(kept))
    assert (code, "The moves are not checked" in out) == (0, True)


def test_missing_package_skips_moves_and_is_named(fivedice, tmp_path, monkeypatch) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_game(signed_game(2)))
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    code, out, _ = fivedice("verify", str(file))
    assert (code, "The moves are not checked" in out) == (0, True)
    code, _, err = fivedice("verify", str(file), "--key", Server.public_key)
    assert (code, "Install fivedice[web]" in err) == (2, True), err
    game, file, kept = play_proven_game(2), tmp_path / "game.txt", tmp_path / "receipt.json"
    file.write_text(write_game(game))
    kept.write_text(write_receipt(sign(SEED, "t-1", "2026-11-16T03:00:00.000Z", game.tags["Commitment"])))
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    code, _, err = fivedice("verify", str(file), "--receipt", str(kept))
    assert (code, "fivedice[web]" in err) == (2, True)
    assert fivedice("verify", str(file))[0] == 0


def test_bot_with_other_moves_is_named(fivedice, tmp_path):
    """As careless as these moves are, no perfect bot made them."""
    game, file = play_proven_game(2), tmp_path / "game.txt"
    game.tags["Bots"] = '["", "perfect/1"]'
    file.write_text(write_game(prove(game, game.tags["Secret"], json.loads(game.tags["Texts"]))))
    code, _, err = fivedice("verify", str(file))
    assert (code, "This bot would choose" in err) == (2, True)


def test_seal_matches_the_documentation():
    """Written from docs/fair-dice.md alone."""
    record = write_game(play_proven_game(2)).encode()
    lines = record.splitlines(keepends=True)
    (seal,) = [line for line in lines if line.startswith(b"[Seal ")]
    (secret,) = [line for line in lines if line.startswith(b"[Secret ")]
    message = b"".join(line for line in lines if line is not seal)
    assert hmac.new(secret.split(b'"')[1], message, hashlib.sha256).hexdigest() == seal.split(b'"')[1].decode()


def test_removed_name_is_reported(fivedice, tmp_path):
    file, game = tmp_path / "game.txt", play_proven_game(2)
    texts = tuple(f"text 2 of {name}" for name in game.players)
    known = ProvableDice("", game.book.fingerprint, game.players, texts).known
    game.players = ("Ann", "Former player 2")
    file.write_text(write_game(prove(game, game.tags["Secret"], (texts[0], ""), known)))
    code, out, _ = fivedice("verify", str(file))
    assert code == 0
    assert "had their name deleted" in " ".join(out.split())
    assert "names" in json.loads(fivedice("verify", str(file), "--json")[1])["unchecked"]
