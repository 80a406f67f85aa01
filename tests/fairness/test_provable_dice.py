"""Are the provable dice fair? Faces, pairs of neighbours and all 252 patterns, by chi-square.

A short version runs always; campaign `fairness` throws a hundred million dice (FIVEDICE_FAIRNESS=1) and verifies a
thousand games. The secrets are fixed, so a result can be repeated and a failure is never bad luck.
"""

import hmac
import os
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement
from math import factorial, prod, sqrt
from multiprocessing import get_context

import pytest

from fivedice.core.dice import Place, ProvableDice
from fivedice.core.notation import write_game
from support.proofs import VERIFIER, flip_bit, is_verified, is_verified_by_the_short_program, play_proven_game

LONG = os.environ.get("FIVEDICE_FAIRNESS") == "1"
GAMES = 40  # secrets
TURNS = 500_000 if LONG else 2_500  # of five dice each: a hundred million, or half a million
RECORDS = 1000 if LONG else 40
Z = 3.719  # the normal deviate that is passed once in ten thousand

Counts = tuple[Counter[int], Counter[tuple[int, int]], Counter[tuple[int, ...]]]

pytestmark = pytest.mark.campaign


def limit(freedom: int) -> float:
    """The chi-square that is passed once in ten thousand (Wilson and Hilferty, 1931)."""
    return float(freedom * (1 - 2 / (9 * freedom) + Z * sqrt(2 / (9 * freedom))) ** 3)


class BiasedDice(ProvableDice):
    """A common mistake: a byte modulo six. Faces 1 to 4 come 43 times in 256, 5 and 6 42 times."""

    def die(self, turn: int, roll: int, die: int, faces: int) -> int:
        return hmac.digest(self.secret.encode(), f"{turn}/{roll}/{die}".encode(), "sha256")[0] % faces + 1


def count(kind: type[ProvableDice], number: int) -> Counts:
    dice = kind(f"{random.Random(number).getrandbits(256):064x}", "f00d", ("Ann", "Bob"), ("rain", str(number)))
    faces: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    patterns: Counter[tuple[int, ...]] = Counter()
    for turn in range(TURNS):
        fell = dice.throw(Place(turn, 1 + turn % 3, 0), 5, 6)
        faces.update(fell)
        pairs.update(((fell[0], fell[1]), (fell[2], fell[3])))  # none overlaps another: chi-square wants that
        patterns[tuple(sorted(fell))] += 1
    return faces, pairs, patterns


def count_all(kind: type[ProvableDice], games: int) -> Counts:
    """All games together, on all cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(count, [kind] * games, range(games))) if LONG else [count(kind, n) for n in range(games)]
    total: Counts = (Counter(), Counter(), Counter())
    for part in parts:
        for whole, piece in zip(total, part, strict=True):
            whole.update(piece)  # type: ignore[arg-type]
    return total


def chi_square(
    seen: Counter[int] | Counter[tuple[int, int]] | Counter[tuple[int, ...]], weights: dict[object, float]
) -> float:
    whole = sum(seen.values())
    assert set(seen) <= set(weights)
    return sum((seen[key] - whole * weight) ** 2 / (whole * weight) for key, weight in weights.items())  # type: ignore[index]


def pattern_weights() -> dict[object, float]:
    rolls = combinations_with_replacement(range(1, 7), 5)
    return {roll: factorial(5) / prod(factorial(roll.count(face)) for face in set(roll)) / 6**5 for roll in rolls}


FACE_WEIGHTS: dict[object, float] = dict.fromkeys(range(1, 7), 1 / 6)
PAIR_WEIGHTS: dict[object, float] = {(a, b): 1 / 36 for a in range(1, 7) for b in range(1, 7)}


def test_faces_pairs_and_patterns_are_uniform() -> None:
    faces, pairs, patterns = count_all(ProvableDice, GAMES)
    found = {
        "dice": sum(faces.values()),
        "faces": round(chi_square(faces, FACE_WEIGHTS), 1),
        "pairs": round(chi_square(pairs, PAIR_WEIGHTS), 1),
        "patterns": round(chi_square(patterns, pattern_weights()), 1),
    }
    print(found, "limits", round(limit(5), 1), round(limit(35), 1), round(limit(251), 1))
    assert found["dice"] == GAMES * TURNS * 5
    assert found["faces"] < limit(5)
    assert found["pairs"] < limit(35)
    assert found["patterns"] < limit(251)
    assert len(patterns) == 252


def test_planted_bias_is_detected() -> None:
    """By the very test above; half a million dice are enough for it."""
    faces = sum((count(BiasedDice, number)[0] for number in range(GAMES if not LONG else 1)), Counter[int]())
    assert chi_square(faces, FACE_WEIGHTS) > limit(5)


def test_many_games_verify_and_changed_bits_are_detected() -> None:
    luck, games = random.Random(8), 0
    for number in range(RECORDS):
        text = write_game(
            play_proven_game(1000 + number, luck.choice(["yahtzee", "yatzy", "yardzee"]), luck.choice([1, 2, 3]))
        )
        assert is_verified(text)
        assert VERIFIER(text)
        broken = flip_bit(text, luck)
        games += not is_verified(broken) and not is_verified_by_the_short_program(broken)
    assert games == RECORDS
