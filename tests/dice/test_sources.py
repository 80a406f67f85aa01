"""Sources of dice: seeded, scripted, fresh and real."""

from collections import Counter
from hashlib import sha256

import pytest

import fivedice as fd
from fivedice.core.dice import Place, fresh, outside, scripted, seeded
from for_each import for_each

FIRST = Place(turn=1, roll=1, throw=0)


@for_each(
    ("seed", "place", "faces", "dice"),
    [
        (7, FIRST, 6, (6, 2, 2, 6, 5, 5, 1, 1)),
        (7, Place(1, 2, 1), 6, (2, 1, 4, 1, 4, 2, 4, 4)),
        (7, Place(2, 1, 1), 6, (5, 4, 1, 3, 6, 2, 5, 1)),
        ("table 12", FIRST, 9, (5, 4, 3, 8, 6, 5, 6, 5)),
    ],
)
def test_seeded_dice_never_change(seed: int | str, place: Place, faces: int, dice: tuple[int, ...]) -> None:
    assert seeded(seed).throw(place, 8, faces) == dice


def test_seeded_dice_depend_on_seed_turn_and_roll_only() -> None:
    place = Place(turn=4, roll=2, throw=9)
    digests = b"".join(sha256(f"fivedice/x/4/2/{block}".encode()).digest() for block in range(3))
    words = [int.from_bytes(digests[start : start + 4], "big") for start in range(0, len(digests), 4)]
    assert seeded("x").throw(place, 24, 6) == tuple(word % 6 + 1 for word in words)
    assert seeded(7) == seeded("7")
    assert seeded(7).throw(FIRST, 5, 6) != seeded(8).throw(FIRST, 5, 6)
    assert seeded(7).throw(FIRST, 0, 6) == ()
    assert fresh() != fresh()
    assert fresh().decides_start
    dice = seeded("place")
    assert dice.throw(Place(3, 2, 4), 5, 6) == dice.throw(Place(3, 2, 9), 5, 6)
    throws = {dice.throw(Place(turn, roll, 0), 8, 9) for turn in range(20) for roll in range(1, 4)}
    assert len(throws) == 60


@for_each("faces", [2, 6, 7, 9])
def test_seeded_dice_are_fair(faces: int) -> None:
    """Chi-square over 40,000 dice of one fixed seed, far inside the 99.9% point for eight degrees of freedom."""
    dice = seeded("fair")
    count = Counter(face for turn in range(5000) for face in dice.throw(Place(turn, 1, turn), 8, faces))
    expected = 40_000 / faces
    assert set(count) == set(range(1, faces + 1))
    assert sum((seen - expected) ** 2 / expected for seen in count.values()) < 26.1


def test_neighbouring_dice_are_independent() -> None:
    dice = seeded("pairs")
    pairs = Counter(dice.throw(Place(turn, 1, turn), 2, 6) for turn in range(18_000))
    assert sum((pairs[a, b] - 500) ** 2 / 500 for a in range(1, 7) for b in range(1, 7)) < 66.6


def test_words_that_favour_low_faces_are_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """With six faces the four highest words of 32 bits have no partner."""

    class Digest:
        def digest(self) -> bytes:
            first_too_high = (2**32 - 4).to_bytes(4, "big")
            last_used = (2**32 - 5).to_bytes(4, "big")
            return first_too_high * 4 + last_used * 4

    monkeypatch.setattr("fivedice.core.dice.sources.sha256", lambda _: Digest())
    assert seeded(1).throw(FIRST, 5, 6) == ((2**32 - 5) % 6 + 1,) * 5 == (6,) * 5


def test_scripted_dice_come_in_order_and_end() -> None:
    dice = scripted("24466 1-2-3")
    assert dice == scripted(["24466", "123"])
    assert dice.throw(FIRST, 5, 6) == (2, 4, 4, 6, 6)
    assert dice.throw(Place(1, 2, 1), 3, 6) == (1, 2, 3)
    with pytest.raises(fd.DiceError, match="script has only 2 throws"):
        dice.throw(Place(1, 3, 2), 1, 6)
    with pytest.raises(fd.MalformedError, match="'12x'"):
        scripted("12345 12x")


@for_each(("count", "faces"), [(4, 6), (6, 6), (5, 5)])
def test_scripted_dice_must_fit_the_throw(count: int, faces: int) -> None:
    with pytest.raises(fd.DiceError, match=f"is 2-4-4-6-6. It must be {count} dice, each 1 to {faces}"):
        scripted("24466").throw(FIRST, count, faces)


def test_real_dice_must_be_entered_and_only_digital_dice_settle_the_start() -> None:
    with pytest.raises(fd.DiceError, match=r"Roll 5 real dice and enter them, as in roll\('12345'\)"):
        outside().throw(FIRST, 5, 6)
    assert (seeded(1).decides_start, scripted("1").decides_start, outside().decides_start) == (True, False, False)
