"""Whole sheets on the phone are those of the table: operations, refusals, and the consequences of corrections."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page

from browser.phone import CALL, Phone
from browser.phone_sheets import random_walk
from fivedice.core.game import Game
from fivedice.core.notation import game_from_json
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.table.house_rules_text import house_book
from fivedice.table.state import TableState
from fivedice.text import word
from long import examples

FULL = bool(os.environ.get("FIVEDICE_PHONE"))
WALKS = 60 if FULL else examples(3)
STEPS = 45
SAVING = """extends = 'yahtzee'
name = 'Saving'
save_rolls = true
order = 'upper_first'

[bonus]
tiers = [{ from = 40, points = 10 }, { from = 63, points = 35 }]

[alike]
extra = [50, 100]
at_most = 3
"""
HOUSES = {"saving": SAVING}
KEYS = [*SHIPPED, *HOUSES]
GROUPS = [[key] for key in KEYS] if FULL else [KEYS]  # each of them is one test


def books(keys: list[str]) -> Iterator[tuple[RuleBook, str | None]]:
    """The books, and the rules that a table keeps where they are its own."""
    for key in keys:
        rules = HOUSES.get(key)
        yield shipped(key) if rules is None else house_book(rules), rules


@pytest.mark.parametrize("keys", GROUPS)
def test_a_phone_goes_on_as_the_table_would(blank: Page, keys: list[str]) -> None:
    for book, rules in books(keys):
        Phone(blank, book)
        random, compared = Random(book.key), 0
        for _ in range(WALKS):
            base, walk = random_walk(random, book, rules, STEPS)
            data = {"base": base, "ops": walk.ops, "steps": walk.steps, "asked": list(walk.asked(20))}
            data |= {"saved": word("table.saved-rolls"), "match": word("table.match-total")}
            assert blank.evaluate(CALL, ["compareSheets", book.key, json.dumps(data)]) == "", book.key
            compared += len(walk.ops) + 20
        print(f"{book.key}: {compared} operations and corrections compared")


@pytest.mark.parametrize("keys", GROUPS)
def test_a_sheet_is_the_same_on_another_phone_and_for_the_engine(blank: Page, keys: list[str]) -> None:
    """By link and by file, whatever was done on it; and its record replays to the totals of the table."""
    for book, rules in books(keys):
        Phone(blank, book)
        random = Random(f"carried {book.key}")
        for _ in range(WALKS):
            base, walk = random_walk(random, book, rules, STEPS)
            carried = blank.evaluate(CALL, ["carry", book.key, json.dumps({"base": base, "ops": walk.ops})])
            assert carried["wrong"] == "", book.key
            assert carried["letters"] < 4000, book.key
            _expect_same(walk.state, [game_from_json(game, book) for game in carried["record"]])


def _expect_same(state: TableState, games: list[Game]) -> None:
    for number, game in enumerate(games):
        seats = len(state.all_games[number].players)
        wanted = [card.total for card in state.cards_in(number)[:seats]]
        assert [card.total for card in game.position.cards] == wanted, state.book.key
        assert game.is_over == state.all_games[number].is_over, state.book.key
