"""`fivedice verify`."""

from __future__ import annotations

import hashlib
import hmac
import json

from fivedice.dice import ProvableDice
from fivedice.notation import write_game
from fivedice.notation.proof import prove
from notation.test_proof import played


def test_a_true_record_is_verified(fivedice, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(write_game(played(2)))
    code, out, _ = fivedice("verify", str(file))
    assert code == 0
    assert "Verified:" in out
    assert json.loads(fivedice("verify", str(file), "--json")[1])["verified"] is True


def test_a_changed_die_is_named_with_its_place(fivedice, tmp_path):
    text = write_game(played(2))
    file = tmp_path / "game.txt"
    line = next(line for line in text.split("\n") if line.startswith("1. "))
    die = line[3]
    file.write_text(text.replace(line, "1. " + str(int(die) % 6 + 1) + line[4:]))
    code, _, err = fivedice("verify", str(file))
    assert code == 2
    assert "Round 1, " in err or "Turn 1, roll 1: " in err


def test_a_record_without_a_secret_says_why_it_cannot_be_verified(fivedice, tmp_path):
    game = played(2)
    game.tags.clear()
    file = tmp_path / "game.txt"
    file.write_text(write_game(game))
    code, _, err = fivedice("verify", str(file))
    assert code == 2
    assert "no tag Dice" in err


def test_several_records_are_verified_one_by_one(fivedice, tmp_path):
    file = tmp_path / "games.txt"
    file.write_text("\n".join([write_game(played(2)), write_game(played(3))]))
    code, _, err = fivedice("verify", str(file))
    assert code == 2
    assert "several records" in err


def test_it_says_what_it_could_not_check_and_checks_what_was_noted(fivedice, tmp_path):
    file, game = tmp_path / "game.txt", played(2)
    file.write_text(write_game(game))
    lock, text = game.tags["Commitment"], "text 2 of Ann"
    out = fivedice("verify", str(file))[1]
    assert "--promise" in out
    assert "--text" in out
    assert json.loads(fivedice("verify", str(file), "--json")[1])["unchecked"] == ["promise", "text"]
    code, out, _ = fivedice("verify", str(file), "--promise", lock, "--text", text)
    assert (code, "Not checked" in out) == (0, False)
    for noted in (("--promise", "0" * 64), ("--promise", ""), ("--text", "text 2 of An"), ("--text", "")):
        assert fivedice("verify", str(file), *noted)[0] == 2, noted


def test_the_seal_is_what_the_page_says():
    """Written from docs/fair-dice.md alone."""
    record = write_game(played(2)).encode()
    lines = record.splitlines(keepends=True)
    (seal,) = [line for line in lines if line.startswith(b"[Seal ")]
    (secret,) = [line for line in lines if line.startswith(b"[Secret ")]
    message = b"".join(line for line in lines if line is not seal)
    assert hmac.new(secret.split(b'"')[1], message, hashlib.sha256).hexdigest() == seal.split(b'"')[1].decode()


def test_it_says_that_a_name_was_removed(fivedice, tmp_path):
    file, game = tmp_path / "game.txt", played(2)
    texts = tuple(f"text 2 of {name}" for name in game.players)
    known = ProvableDice("", game.book.fingerprint, game.players, texts).known
    game.players = ("Ann", "Former player 2")
    file.write_text(write_game(prove(game, game.tags["Secret"], (texts[0], ""), known)))
    code, out, _ = fivedice("verify", str(file))
    assert code == 0
    assert "had their name deleted" in " ".join(out.split())
    assert "names" in json.loads(fivedice("verify", str(file), "--json")[1])["unchecked"]
