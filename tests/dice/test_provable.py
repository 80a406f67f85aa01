"""Dice derived from a secret: known answers, independent of order, no favoured face."""

import hashlib
import hmac

import pytest
from hypothesis import given, strategies as st

from fivedice.core.dice import Place, ProvableDice, commitment
from fivedice.core.dice.sources import SCHEME
from for_each import for_each

SECRET = "5b" * 32
ANN_AND_BOB = ProvableDice(SECRET, "f00d", ("Ann", "Bob"), ("rain", "sun"))


def test_known_dice_follow_their_description() -> None:
    assert ANN_AND_BOB.throw(Place(1, 1, 0), 5, 6) == (6, 3, 2, 6, 6)
    assert ANN_AND_BOB.throw(Place(13, 3, 77), 5, 6) == (5, 1, 3, 1, 6)
    assert commitment("\ud800") == hashlib.sha256(b"\xed\xa0\x80").hexdigest()
    assert commitment("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    # Written out once more by hand: HMAC-SHA256 under the secret of the public facts and the place.
    public = b'["f00d",["Ann","Bob"],["rain","sun"]]'
    word = b"fivedice-1/" + hashlib.sha256(public).hexdigest().encode() + b"/4/2/3/0"
    bytes_ = hmac.new(SECRET.encode(), word, hashlib.sha256).digest()
    expected = next(byte for byte in bytes_ if byte < 252) % 6 + 1
    assert ANN_AND_BOB.die(4, 2, 3, 6) == expected
    assert SCHEME == "fivedice-1"


@for_each("secret", ["", "5b" * 32, "5b" * 32 + "c", "ü" * 33])
def test_secret_of_any_length_is_the_key(secret: str) -> None:
    word = b"fivedice-1/known/4/2/3/0"
    bytes_ = hmac.new(secret.encode(), word, hashlib.sha256).digest()
    expected = next(byte for byte in bytes_ if byte < 252) % 6 + 1
    dice = ProvableDice(secret, kept="known")
    assert (dice.known, dice.die(4, 2, 3, 6)) == ("known", expected)


@given(st.integers(1, 400), st.integers(1, 3), st.integers(1, 5))
def test_dice_depend_neither_on_count_nor_on_earlier_throws(turn: int, roll: int, count: int) -> None:
    every = ANN_AND_BOB.throw(Place(turn, roll, 0), 5, 6)
    assert ANN_AND_BOB.throw(Place(turn, roll, 99), count, 6) == every[:count]


@for_each(
    "other",
    [
        ProvableDice("5c" + SECRET[2:], "f00d", ("Ann", "Bob"), ("rain", "sun")),
        ProvableDice(SECRET, "f00e", ("Ann", "Bob"), ("rain", "sun")),
        ProvableDice(SECRET, "f00d", ("Ann", "Bop"), ("rain", "sun")),
        ProvableDice(SECRET, "f00d", ("Ann", "Bob"), ("rains", "un")),
        ProvableDice(SECRET, "f00d", ("Ann", "Bob", "rain"), ("sun",)),
    ],
)
def test_every_input_changes_the_dice(other: ProvableDice) -> None:
    places = [Place(turn, 1, 0) for turn in range(1, 9)]
    assert [other.throw(place, 5, 6) for place in places] != [ANN_AND_BOB.throw(place, 5, 6) for place in places]


def test_bytes_that_favour_low_faces_are_skipped() -> None:
    """Of 256 values the last four have no partner among six faces: where one stands first, the next one counts."""
    public = hashlib.sha256(b'["f00d",["Ann","Bob"],["rain","sun"]]').hexdigest()
    passed = set()
    for turn in range(1, 800):
        bytes_ = hmac.new(SECRET.encode(), f"fivedice-1/{public}/{turn}/1/0/0".encode(), hashlib.sha256).digest()
        if bytes_[0] >= 252:
            passed.add(bytes_[0])
            assert bytes_[1] < 252
            assert ANN_AND_BOB.die(turn, 1, 0, 6) == bytes_[1] % 6 + 1
        else:
            assert ANN_AND_BOB.die(turn, 1, 0, 6) == bytes_[0] % 6 + 1
    assert len(passed) > 1


def test_exhausted_block_leads_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """No such block can be found by trying; so it is made up, for the word that names it."""
    blocks = {b"0": bytes([252, 253, 254, 255] * 8), b"1": bytes([255] * 32), b"2": bytes([255, 251] + [0] * 30)}
    asked = []

    def made_up(key: bytes, word: bytes, name: str) -> bytes:
        asked.append((key, name, word.rpartition(b"/")[0]))
        return blocks[word.rpartition(b"/")[2]]

    monkeypatch.setattr("fivedice.core.dice.sources.hmac.digest", made_up)
    assert ANN_AND_BOB.die(7, 2, 3, 6) == 251 % 6 + 1
    assert len(asked) == 3
    assert len(set(asked)) == 1
    assert asked[0][:2] == (SECRET.encode(), "sha256")
    assert asked[0][2].endswith(b"/7/2/3")


def test_twelve_faces_are_all_drawn() -> None:
    drawn = {ANN_AND_BOB.die(turn, 1, 0, 12) for turn in range(300)}
    assert drawn == set(range(1, 13))
