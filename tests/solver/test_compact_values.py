"""Values for a phone: read by the description of the file alone, and compared with the solution."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fivedice.core.rules import RuleBook, book
from fivedice.solver import Solution, solve
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime.solve_limits import fits_a_phone
from fivedice.solver.solution.phone_values import MARK, NOWHERE, compact, packed_values
from for_each import for_each
from solver.tiny_books import newer_book, random_book

HALF_A_STEP = 2.0**-21 + 1e-12


@dataclass
class Phone:
    """The values of a file, read slowly as its description says."""

    head: dict[str, Any]
    starts: dict[int, int]
    columns: list[list[int]]
    rows: list[list[int]]
    numbers: list[int]

    def value(self, mask: int, flag: int, lane: int) -> float:
        columns = self.columns[_packed(self.head["counted"], mask)]
        row = self.rows[_packed(self.head["flagged"], mask)][flag]
        assert NOWHERE not in (columns[lane], row)
        return float(self.numbers[self.starts[mask] + row * _count(columns) + columns[lane]]) / 2 ** self.head["bits"]


def _packed(boxes: list[int], mask: int) -> int:
    return sum((mask >> box & 1) << place for place, box in enumerate(boxes))


def _count(numbered: list[int]) -> int:
    return len(set(numbered) - {NOWHERE})


def read(file: bytes) -> Phone:
    packed = file[len(MARK) + 32 :]
    assert file[: len(MARK)] == MARK
    assert file[len(MARK) : len(MARK) + 32] == sha256(packed).digest()
    body = gzip.decompress(packed)
    start = 4 + int.from_bytes(body[:4], "little")
    head = json.loads(body[4:start])
    rest = body[start:]

    def take(count: int) -> bytes:
        nonlocal rest
        part, rest = rest[:count], rest[count:]
        assert len(part) == count
        return part

    def lines(count: int, width: int) -> list[list[int]]:
        return np.frombuffer(take(2 * count * width), "<u2").reshape(count, width).tolist()  # type: ignore[no-any-return]

    there = take((2 ** head["boxes"] + 7) // 8)
    columns = lines(2 ** len(head["counted"]), head["cap"] + 1)
    flags = head["alikes"] * prod(cap + 1 for _, cap in head["sums"])
    rows = lines(2 ** len(head["flagged"]), flags)
    planes = [take(head["numbers"]) for _ in range(head["bytes"])]
    assert not rest
    masks = [mask for mask in range(2 ** head["boxes"]) if there[mask // 8] >> mask % 8 & 1]
    sizes = {
        mask: (_count(columns[_packed(head["counted"], mask)]), _count(rows[_packed(head["flagged"], mask)]))
        for mask in masks
    }
    starts, at = {}, 0
    for mask in masks:
        starts[mask] = at
        at += sizes[mask][0] * sizes[mask][1]
    signed = [sum(plane[place] << 8 * weight for weight, plane in enumerate(planes)) for place in range(at)]
    numbers = [-(number + 1) // 2 if number % 2 else number // 2 for number in signed]
    _add_again(head, starts, sizes, numbers)
    return Phone(head, starts, columns, rows, numbers)


def _add_again(
    head: dict[str, Any], starts: dict[int, int], sizes: dict[int, tuple[int, int]], numbers: list[int]
) -> None:
    """Undo the compression steps in reverse order."""
    for box in reversed([box for box in range(head["boxes"]) if box not in head["counted"]]):
        for mask in starts:
            other = mask ^ 1 << box
            if mask >> box & 1 and other in starts:
                for place in range(min(prod(sizes[mask]), prod(sizes[other]))):
                    numbers[starts[mask] + place] += numbers[starts[other] + place]
    for mask in starts:
        width, height = sizes[mask]
        for row, column in product(range(height), range(1, width)):
            place = starts[mask] + row * width + column
            numbers[place] += numbers[place - 1]


def differences(solution: Solution) -> list[float]:
    """Of every state in which a turn can start, and of every full card."""
    phone = read(compact(solution.compiled, _table(solution), solution.book.fingerprint))
    compiled, found = solution.compiled, []
    assert phone.head["fingerprint"] == solution.book.fingerprint
    for mask in phone.starts:
        rows = phone.rows[_packed(phone.head["flagged"], mask)]
        columns = phone.columns[_packed(phone.head["counted"], mask)]
        for flag, lane in product(range(compiled.flags), range(compiled.lanes)):
            if NOWHERE not in (rows[flag], columns[lane]):
                found.append(abs(phone.value(mask, flag, lane) - _table(solution)[mask, flag, lane]))
    assert len(found) == solution.states
    return found


def _table(solution: Solution) -> Any:
    return solution.table


@for_each("key", ["yacht", "crag", "yatzy-forced"])
def test_compact_values_of_shipped_books_are_within_half_a_step(solved: Callable[[str], Solution], key: str) -> None:
    assert max(differences(solved(key))) <= HALF_A_STEP


@for_each("seed", range(24))
@for_each("make", [random_book, newer_book])
def test_compact_values_of_any_book_are_within_half_a_step(make: Callable[[Random], RuleBook], seed: int) -> None:
    """The layout covers tiers, further bonuses, rising extras and orders."""
    solution = solve(make(Random(seed)), cache=False)
    assert max(differences(solution)) <= HALF_A_STEP


def test_equal_books_have_equal_files(solved: Callable[[str], Solution]) -> None:
    """Values are found by fingerprint, whatever the sheet looks like."""
    crag = solved("crag")
    turned = replace(crag.book, boxes=tuple(reversed(crag.book.boxes)))
    assert turned.fingerprint == crag.book.fingerprint
    first = compact(crag.compiled, _table(crag), crag.book.fingerprint)
    assert first == compact(compiled_book(turned), _table(crag), turned.fingerprint)


@for_each("key", ["maxi-yatzy", "maxi-yatzy-plain"])
def test_large_books_have_no_compact_file(key: str) -> None:
    """Said before anything is worked out, even to the patient."""
    assert not fits_a_phone(book(key))
    assert packed_values(book(key), patient=True) is None
    assert fits_a_phone(book("kismet"))


def test_books_with_saved_rolls_have_no_compact_file() -> None:
    assert not fits_a_phone(replace(book("crag"), save_rolls=True))


def test_compact_file_uses_available_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the patient have a book worked out."""
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    tiny = random_book(Random(77))
    assert packed_values(tiny) is None
    made = packed_values(tiny, patient=True)
    assert made is not None
    assert packed_values(tiny) == made
    assert read(made).head["fingerprint"] == tiny.fingerprint
