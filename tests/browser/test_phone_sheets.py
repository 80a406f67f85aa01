"""Whole sheets on the phone are those of the table: operations, refusals, and the consequences of corrections."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from browser.modules import blank_page
from browser.phone import CALL, Phone
from browser.phone_sheets import random_walk
from fivedice.notation import game_from_json
from fivedice.rules import SHIPPED, shipped
from fivedice.table.house_rules_text import house_book
from fivedice.words import word

WALKS = 60 if os.environ.get("FIVEDICE_PHONE") else 3
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


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Any]:
    with blank_page(browser) as found:
        yield found


@pytest.mark.parametrize("key", [*SHIPPED, *HOUSES])
def test_a_phone_goes_on_as_the_table_would(page: Any, key: str) -> None:
    rules = HOUSES.get(key)
    book = shipped(key) if rules is None else house_book(rules)
    Phone(page, book)
    random, compared = Random(key), 0
    for _ in range(WALKS):
        base, walk = random_walk(random, book, rules, STEPS)
        data = {"base": base, "ops": walk.ops, "steps": walk.steps, "asked": list(walk.asked(20))}
        data |= {"saved": word("table.saved-rolls"), "match": word("table.match-total")}
        assert page.evaluate(CALL, ["compareSheets", book.key, json.dumps(data)]) == ""
        compared += len(walk.ops) + 20
    print(f"{key}: {compared} operations and corrections compared")


@pytest.mark.parametrize("key", [*SHIPPED, *HOUSES])
def test_a_sheet_is_the_same_on_another_phone_and_for_the_engine(page: Any, key: str) -> None:
    """By link and by file, whatever was done on it; and its record replays to the totals of the table."""
    rules = HOUSES.get(key)
    book = shipped(key) if rules is None else house_book(rules)
    Phone(page, book)
    random = Random(f"carried {key}")
    for _ in range(WALKS):
        base, walk = random_walk(random, book, rules, STEPS)
        carried = page.evaluate(CALL, ["carry", book.key, json.dumps({"base": base, "ops": walk.ops})])
        assert carried["wrong"] == ""
        assert carried["letters"] < 4000
        games = [game_from_json(game, book) for game in carried["record"]]
        state = walk.state
        for number, game in enumerate(games):
            seats = len(state.all_games[number].players)
            assert [card.total for card in game.position.cards] == [
                card.total for card in state.cards_in(number)[:seats]
            ]
            assert game.is_over == state.all_games[number].is_over
