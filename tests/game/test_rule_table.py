"""The table of a book, read by hand: what it says of any roll on any card is what the engine says."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import fivedice as fd
from fivedice.dice import Roll, rolls
from fivedice.game.card import line_values
from fivedice.game.rule_table import rule_table
from solver.tiny_books import newer_book, random_book, random_card, saving_book

Table = dict[str, Any]


def said(table: Table, card: fd.Scorecard, number: int, roll: Roll) -> dict[str, tuple[int, int]]:
    """Points and extra of every legal box, by the columns of the table alone."""
    filled = card.filled
    available = next((stage & ~filled for stage in table["stages"] if stage & ~filled), 0)
    boxes, points, extra = available, [column[number] for column in table["points"]], 0
    alike = table["alike"]
    if alike is not None and roll.alike is not None:
        face, own = roll.alike - 1, card.marks[alike["box"]]
        gone = 0 if alike["own"][face] & ~filled else 1
        steps = [step for step in alike["steps"] if step["offers"][face][gone] & available]
        step = steps[0] if steps and (own if alike["applies"] == "scored" else own is not None) else None
        if step is not None:
            boxes, points = step["offers"][face][gone] & available, alike["worths"][step["worth"]][face]
        if own and (alike["most"] is None or card.bonuses < alike["most"]):
            usual = alike["extras"][min(card.bonuses, len(alike["extras"]) - 1)]
            extra = usual if step is None or step["extra"] is None else step["extra"]
    return {key: (points[place], extra) for place, (key, *_) in enumerate(table["boxes"]) if boxes >> place & 1}


def compare(card: fd.Scorecard) -> None:
    table = json.loads(json.dumps(rule_table(card.book)))
    for number, roll in enumerate(rolls(card.book.dice, card.book.faces)):
        wanted = {key: (entry.points, entry.bonus) for key, entry in card.options(roll).items()}
        assert said(table, card, number, roll) == wanted, (card, roll)
    paid = [_pays(bonus["tiers"], card.counted(bonus["boxes"])) for bonus in table["bonuses"]]
    assert tuple(paid) == card.totals.bonuses
    assert len(table["lines"]) == len(line_values(card))


def _pays(tiers: list[list[int]], total: int) -> int:
    return max((points for least, points in tiers if total >= least), default=0)


@pytest.mark.parametrize("key", fd.rules.SHIPPED)
def test_shipped_books(key: str) -> None:
    random = Random(key)
    for _ in range(3):
        compare(random_card(random, fd.book(key)))


@pytest.mark.parametrize("make", [random_book, newer_book, saving_book])
def test_any_book_and_card(make: Any) -> None:
    random = Random(5)
    for _ in range(60):
        book = make(random)
        compare(fd.Scorecard.empty(book))
        compare(random_card(random, book))
