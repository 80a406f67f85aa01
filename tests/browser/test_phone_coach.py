"""The coach on a phone says what the server's says, to a millionth of a point: every choice, best first.

The campaign `advice` compares 10,000 situations of every shipped book that fits a phone, and hundreds of random books.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.advice import CALL, PhoneCoach
from fivedice.core.game.rule_table import rule_table
from fivedice.core.rules import SHIPPED, shipped
from fivedice.solver import Solution, solve
from fivedice.solver.runtime.solve_limits import fits_a_phone
from fivedice.solver.solution.phone_values import MARK, compact
from long import examples, few
from rules.second_houses import BY_STEP, COLOURED, RISING, STEPPED
from solver.tiny_books import newer_book, random_book

FULL = bool(os.environ.get("FIVEDICE_ADVICE"))
MOST = 1e-6  # points
SITUATIONS = 10_000 if FULL else examples(100)
BOOKS = 400 if FULL else examples(25)
HOUSES = {book.key: book for book in (STEPPED, RISING, BY_STEP, COLOURED) if fits_a_phone(book)}
KEYS = [*(key for key in SHIPPED if fits_a_phone(shipped(key))), *HOUSES]
GROUPS = [[key] for key in KEYS] if FULL else [few(KEYS, 3)]  # each of them is one test


def file_of(solution: Solution) -> bytes:
    table: Any = solution.table
    return compact(solution.compiled, table, solution.book.fingerprint)


@pytest.mark.parametrize("keys", GROUPS)
def test_every_choice_is_worth_what_the_server_says(blank: Page, keys: list[str]) -> None:
    for key in keys:
        solution = solve(HOUSES[key] if key in HOUSES else shipped(key))
        file = file_of(solution)
        worst = PhoneCoach(blank, solution, file).differs(Random(key), SITUATIONS, MOST)
        print(f"{key}: {SITUATIONS} situations, off by {worst:.1e} at most, {len(file):,} bytes")


@pytest.mark.parametrize("make", [random_book, newer_book])
def test_whatever_house_rules_say(blank: Page, make: Any) -> None:
    """Orders, tiers, further bonuses, rising extras, jokers of all kinds."""
    random, worst = Random(make.__name__), 0.0
    for number in range(BOOKS):
        solution = solve(replace(make(random), key=f"tiny{number % 8}"), cache=False)
        worst = max(worst, PhoneCoach(blank, solution, file_of(solution)).differs(random, 20, MOST))
    print(f"{make.__name__}: {BOOKS} books, off by {worst:.1e} at most")


def refusal(blank: Page, file: bytes, key: str = "crag") -> str:
    asked = ["refusal", json.dumps(rule_table(shipped(key))), base64.b64encode(file).decode()]
    return str(blank.evaluate(CALL, asked))


def test_a_file_that_is_not_whole_is_refused(blank: Page) -> None:
    file = file_of(solve(shipped("crag")))
    assert refusal(blank, file) == ""
    for cut in (0, 1, len(MARK), len(MARK) + 31, len(MARK) + 33, len(file) // 2, len(file) - 1):
        assert refusal(blank, file[:cut]) == "damaged", cut
    for place in (0, len(MARK), len(MARK) + 40, len(file) // 2, len(file) - 1):
        changed = bytearray(file)
        changed[place] ^= 1
        assert refusal(blank, bytes(changed)) == "damaged", place
    assert refusal(blank, file + b"\0") == "damaged"
    assert refusal(blank, file, "yacht") == "values of another book"


def test_without_digests_the_checksum_of_gzip_must_hold(blank: Page) -> None:
    """A page over plain http has no `crypto.subtle`."""
    file = file_of(solve(shipped("crag")))
    blank.evaluate("Object.defineProperty(crypto, 'subtle', {value: undefined, configurable: true})")
    assert refusal(blank, file) == ""
    for place in (len(MARK) + 60, len(file) // 2, len(file) - 1):
        changed = bytearray(file)
        changed[place] ^= 1
        assert refusal(blank, bytes(changed)) == "damaged", place
    assert refusal(blank, file[:-1]) == "damaged"
    blank.reload()
