"""The server's advice as plain data, to hold that of a phone against: unit/advice.js compares."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from playwright.sync_api import Page

from browser.phone import column
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Scorecard
from fivedice.core.game.rule_table import rule_table
from fivedice.core.rules import RuleBook
from fivedice.solver import Solution
from solver.tiny_books import random_card

BATCH = 100  # situations that are sent at once
ALIKE = 0.2  # of the rolls: jokers and extras are rare
CALL = """async ([name, ...args]) => (await import("/unit/advice.js"))[name](...args)"""


class PhoneCoach:
    """A book whose values the page has learnt."""

    def __init__(self, page: Page, solution: Solution, file: bytes) -> None:
        self._page, self._solution, self._key = page, solution, solution.book.key
        self._ask("learn", self._key, json.dumps(rule_table(solution.book)), base64.b64encode(file).decode())

    def differs(self, random: Random, count: int, most: float) -> float:
        """Return the largest difference of advice in `count` situations; raise for one above `most`."""
        found, worst = self.situations(random, count), 0.0
        while batch := list(islice(found, BATCH)):
            answer = self._ask("compare", self._key, json.dumps(batch), most)
            assert not isinstance(answer, str), answer
            worst = max(worst, answer)
        return worst

    def times(self, random: Random, count: int, left: int) -> list[float]:
        """Return the milliseconds of each piece of advice with this number of rolls left."""
        asked = [situation | {"left": left} for situation in self.situations(random, count)]
        found: list[float] = self._ask("times", self._key, json.dumps(asked))
        return found

    def situations(self, random: Random, count: int) -> Iterator[dict[str, Any]]:
        for _ in range(count):
            card = open_card(random, self._solution.book)
            book = card.book
            alike = random.random() < ALIKE
            faces = (
                [random.randint(1, book.faces)] * book.dice
                if alike
                else random.choices(range(1, book.faces + 1), k=book.dice)
            )
            roll, left = Roll(tuple(sorted(faces))), random.randrange(book.rolls)
            advice = self._solution.advise(card, roll, left)
            told = [(_dice(each.keep), each.box, card.total + each.value, each.loss) for each in advice]
            yield {"card": column(card), "dice": str(roll), "left": left, "told": told}

    def _ask(self, *call: Any) -> Any:
        return self._page.evaluate(CALL, list(call))


def open_card(random: Random, book: RuleBook) -> Scorecard:
    while (card := random_card(random, book)).is_full:
        pass
    return card


def _dice(keep: Keep | None) -> str | None:
    return None if keep is None else "".join(map(str, keep.faces))
