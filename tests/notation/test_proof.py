"""Records with the proof of their dice: verified unchanged, refused after any change."""

import json
import random
import re
import sys
from hashlib import sha512

import pytest

import fivedice as fd
from fivedice.core.dice import ProvableDice, commitment
from fivedice.core.game import Game
from fivedice.core.notation import read_game, write_game
from fivedice.core.notation.proof import Verdict, check_noted, prove, read_record_signature, verify, verify_record
from fivedice.core.rules import SHIPPED
from fivedice.errors import IllegalRecord, MalformedError
from for_each import for_each
from rules.houses import extend
from support.proofs import (
    NAMES,
    PROGRAM,
    VERIFIER,
    flip_bit,
    is_verified,
    is_verified_by_the_short_program,
    play_out,
    play_proven_game,
    reseal,
)


@for_each("book", SHIPPED)
@for_each("players", [1, 3])
def test_proven_game_is_verified_by_library_and_short_program(book: str, players: int) -> None:
    text = write_game(play_proven_game(3, book, players))
    verdict = verify_record(text)
    assert verdict == verify(read_game(text))
    assert verdict.throws > 13 * players
    assert VERIFIER(text).startswith(f"Dice verified: {verdict.throws} throws ")


def test_each_lie_is_named() -> None:
    game = play_proven_game(5)
    for tag, value, sentence in [
        ("Secret", "ab" * 32, "does not match the dice lock"),
        ("Commitment", commitment("another"), "does not match the dice lock"),
        ("Texts", '["rain", "sun"]', "the dice were|that the dice gave|The dice gave"),
        ("Dice", "fivedice-9", "Only fivedice-1 can be checked"),
        ("Seal", "00" * 32, "the seal is not"),
        ("Seal", "\ud800", "the seal is not"),
        ("Date", "2026-01-01", "the seal is not"),
    ]:
        lying = game.copy()
        lying.tags[tag] = value
        with pytest.raises(IllegalRecord, match=sentence):
            verify(lying)


def test_impossible_parts_of_a_locked_game_are_refused() -> None:
    game = play_proven_game(5)
    secret = game.tags["Secret"]
    commented = game.copy()
    commented.comments[0] = "lucky"
    with pytest.raises(IllegalRecord, match="comment"):
        verify_record(reseal(write_game(commented), secret))
    again = game.copy()
    again.tags["Rematch"] = "no"
    with pytest.raises(IllegalRecord, match="'no'"):
        verify_record(reseal(write_game(again), secret))


def test_equivalent_but_rewritten_record_is_refused() -> None:
    text = write_game(play_proven_game(6))
    with pytest.raises(IllegalRecord, match="written differently"):
        verify_record(text + "\x0b")
    with pytest.raises(SystemExit, match="the seal"):
        VERIFIER(text + "\x0b")


@for_each("texts", ["rain", '"rain"', '["rain"]', '["rain", 7]'])
def test_unreadable_texts_are_quoted(texts: str) -> None:
    game = play_proven_game(5)
    game.tags["Texts"] = texts
    with pytest.raises(MalformedError, match="list with one text per player"):
        verify(game)


def test_missing_proof_differs_from_wrong_proof() -> None:
    with pytest.raises(SystemExit, match="whose secret has been told"):
        VERIFIER(write_game(Game.new("yatzy", ["Ann"], dice=fd.dice.seeded(1))))
    with pytest.raises(IllegalRecord, match="no tag Dice"):
        verify(Game.new("yatzy", ["Ann"], dice=fd.dice.seeded(1)))


def test_start_must_follow_from_the_dice_unless_rematch() -> None:
    luck, secret = random.Random(1), "cd" * 32
    dice = ProvableDice(secret, fd.book("yatzy").fingerprint, NAMES[:2], ("", ""))
    fair = Game.new("yatzy", NAMES[:2], dice=dice)
    game = Game.new("yatzy", NAMES[:2], dice=dice, first=1 - fair.first)
    play_out(game, luck)
    with pytest.raises(IllegalRecord, match="gave the start"):
        verify(prove(game, secret, ("", "")))
    with pytest.raises(SystemExit, match="NOT verified"):
        VERIFIER(write_game(prove(game, secret, ("", ""))))
    game.tags["Rematch"] = "yes"
    assert verify(prove(game, secret, ("", ""))).throws
    assert VERIFIER(write_game(prove(game, secret, ("", "")))).startswith("Dice verified")


@for_each("told", [False, True])
def test_roll_off_must_follow_from_the_dice(told: bool) -> None:
    luck, secret = random.Random(1), "cd" * 32
    dice = ProvableDice(secret, fd.book("yahtzee").fingerprint, NAMES[:2], ("", ""))
    first = Game.new("yahtzee", NAMES[:2], dice=dice).first
    throws = [fd.Roll.parse("11111" if seat != first else "66666") for seat in range(2)]
    lie = fd.RollOff(fd.book("yahtzee"), 2, tuple(throws)) if told else None
    game = Game.new("yahtzee", NAMES[:2], dice=dice, first=first, roll_off=lie)
    play_out(game, luck)
    with pytest.raises(IllegalRecord) as refused:
        verify(prove(game, secret, ("", "")))
    assert refused.value.message.kind == "notation.other-roll-off"


def test_short_program_detects_invented_held_dice() -> None:
    dice = ProvableDice("ab" * 32, fd.book("yatzy").fingerprint, ("Ann",), ("",))
    game = Game.new("yatzy", ["Ann"], dice=dice)
    game.roll()
    second = [dice.die(1, 2, die, 6) for die in range(3)]
    text = write_game(prove(game, dice.secret, ("",)))
    fell = str(game.position.roll)
    missing = next(face for face in "123456" if fell.count(face) < 2) * 2
    lie = f"{fell}>{missing}/{''.join(sorted([*missing, *map(str, second)]))}"
    lying = reseal(text.replace(f"1. {fell}", f"1. {lie}"), dice.secret)
    assert reseal(text, dice.secret) == text
    assert not is_verified(lying)
    with pytest.raises(SystemExit, match=f"no {missing} to hold"):
        VERIFIER(lying)


def test_short_program_detects_wrong_start_and_hidden_dice() -> None:
    game = play_proven_game(3, "yahtzee", 3)
    text = write_game(game)
    lying = reseal(text.replace(f'[First "{game.first}"]', f'[First "{(game.first + 1) % 3}"]'), game.tags["Secret"])
    assert not is_verified(lying)
    with pytest.raises(SystemExit, match="the start"):
        VERIFIER(lying)
    game = play_proven_game(3, "yatzy", 1)
    lying = reseal(write_game(game).replace("\n15. ", "\n15) "), game.tags["Secret"])
    assert not is_verified(lying)
    with pytest.raises(SystemExit, match="no turn"):
        VERIFIER(lying)


def test_short_program_is_short_and_handles_other_faces() -> None:
    book = extend("yatzy", "faces = 8", 'key = "octo"')
    secret, dice = "ef" * 32, ProvableDice("ef" * 32, book.fingerprint, NAMES[:2], ("", "x"))
    game = Game.new(book, NAMES[:2], dice=dice)
    play_out(game, random.Random(2))
    text = write_game(prove(game, secret, ("", "x")))
    assert VERIFIER(text, 8).startswith(f"Dice verified: {verify_record(text, book).throws} throws ")
    source = PROGRAM.read_text()
    imported = set(re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE))
    assert len(source.splitlines()) <= 60
    assert imported <= sys.stdlib_module_names


@for_each("number", range(20))
def test_changed_bit_is_always_detected(number: int) -> None:
    luck = random.Random(number)
    text = write_game(play_proven_game(number, luck.choice(["yahtzee", "yatzy"]), luck.choice([1, 2, 3])))
    assert is_verified(text)
    for _ in range(5):
        broken = flip_bit(text, luck)
        assert not is_verified(broken), broken
        assert not is_verified_by_the_short_program(broken), broken


def test_commitment_noted_before_the_game_is_compared() -> None:
    verdict = Verdict(dice=5, throws=1, commitment="ab" * 32, texts=("mine", "hers"))
    for promise, text in ((None, None), ("AB" * 32 + "\n", "mine"), ("ab" * 32, None), (None, "hers")):
        check_noted(verdict, promise, text)
    for promise in ("cd" * 32, ""):
        with pytest.raises(IllegalRecord) as refused:
            check_noted(verdict, promise, "mine")
        assert refused.value.message.kind == "notation.other-promise"
    for text in ("", "Mine"):
        with pytest.raises(IllegalRecord) as refused:
            check_noted(verdict, None, text)
        assert refused.value.message.kind == "notation.text-missing"


def test_anonymised_record_is_verified_by_its_hash() -> None:
    game = play_proven_game(11, players=3)
    known = ProvableDice("", game.book.fingerprint, game.players, tuple(f"text 11 of {name}" for name in NAMES)).known
    game.players = ("Ann", "Former player 2", "Čapek")
    texts = ("text 11 of Ann", "", "text 11 of Čapek")
    with pytest.raises(IllegalRecord):
        verify(prove(game, game.tags["Secret"], texts))
    text = write_game(prove(game, game.tags["Secret"], texts, known))
    verdict = verify_record(text)
    assert verdict.kept
    assert verdict.texts == texts
    assert VERIFIER(text).endswith("rules, names and texts are not checked against the dice.")
    assert "names and texts" not in VERIFIER(write_game(play_proven_game(11)))


def test_new_proof_replaces_the_old_one() -> None:
    game, texts = play_proven_game(12), [f"text 12 of {name}" for name in NAMES[:2]]
    older = prove(game, game.tags["Secret"], texts, "0" * 64)
    assert write_game(prove(older, game.tags["Secret"], texts)) == write_game(game)


class Stamp:
    """Signs with the digits of a hash: what is signed is looked at here, not how."""

    public_key = bytes(range(32)).hex()

    def sign_record(self, message: bytes) -> str:
        return sha512(message).hexdigest()


def test_signature_covers_all_but_signature_and_seal() -> None:
    game = play_proven_game(4)
    assert read_record_signature(game) is None
    signed = prove(game, game.tags["Secret"], json.loads(game.tags["Texts"]), signer=Stamp())
    text = write_game(signed)
    found = read_record_signature(read_game(text))
    assert found is not None
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith(("[Signature ", "[Seal "))]
    assert found.message.decode() == "fivedice-record-1\n" + "".join(lines)
    assert (found.key, found.signature) == (Stamp.public_key, sha512(found.message).hexdigest())
    assert verify_record(text).throws > 13
    assert VERIFIER(text).startswith("Dice verified: "), "older verifiers read it, too"
    again = prove(signed, game.tags["Secret"], json.loads(game.tags["Texts"]))
    assert write_game(again) == write_game(game)


@for_each(("name", "value"), [("Key", ""), ("Key", "x"), ("Signature", ""), ("Signature", "AB" * 64)])
def test_partial_signature_is_refused(name: str, value: str) -> None:
    game = play_proven_game(4)
    signed = prove(game, game.tags["Secret"], json.loads(game.tags["Texts"]), signer=Stamp())
    signed.tags[name] = value
    with pytest.raises(MalformedError, match="64 digits" if name == "Key" else "128 hexadecimal"):
        read_record_signature(signed)
    del signed.tags[name]
    with pytest.raises(MalformedError):
        read_record_signature(signed)


def test_lone_surrogate_is_part_of_the_seal() -> None:
    secret, texts = "5e" * 32, ("\ud83c",)  # as a box that counts characters may cut a picture in two
    game = Game.new("yatzy", ["Ann"], dice=ProvableDice(secret, fd.book("yatzy").fingerprint, ("Ann",), texts))
    play_out(game, random.Random(1))
    assert verify(prove(game, secret, texts)).texts == texts


@for_each("known", ["x", "0" * 63, "G" * 64, "0" * 65])
def test_invalid_hash_is_quoted(known: str) -> None:
    game = play_proven_game(11)
    with pytest.raises(MalformedError, match=re.escape(f"64 hexadecimal digits. It is {known[:20]!r}"[:40])):
        verify(prove(game, game.tags["Secret"], [f"text 11 of {name}" for name in game.players], known))
