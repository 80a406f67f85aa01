"""`fivedice verify`."""

from __future__ import annotations

import json

from fivedice.notation import write_game
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
