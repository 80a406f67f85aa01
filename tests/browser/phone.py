"""The engine's judgement as plain data, to hold the scripts of the score pad against: unit/phone.js compares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from playwright.sync_api import Page

from fivedice.core.dice import Roll, rolls
from fivedice.core.game import Mark, Position, Ruling, Scorecard, Throw, apply, judge, sheet_lines
from fivedice.core.game.legality import _compute_entries, answers, roll_for
from fivedice.core.rules import Box, RuleBook, ScoreAs
from fivedice.core.rules.rule_book import Label
from fivedice.errors import IllegalError
from fivedice.message import Either, Message
from fivedice.web.pages.pad.rule_data import rule_data

BATCH = 64  # cards that are sent at once
CALL = """async ([name, book, json]) => (await import("/unit/phone.js"))[name](book, json)"""
NUMBERS = {"points", "saved", "most"}  # the engine quotes what it refuses


def told(book: RuleBook, reason: Message) -> dict[str, Any]:
    """A reason as scripts have it: boxes by key, sections by name, dice as text, and no name of the rule."""
    args = {name: value for name, value in reason.args.items() if name != "rule"}
    return {"kind": reason.kind} | {name: _plain(book, name, value) for name, value in args.items()}


def _plain(book: RuleBook, name: str, value: Any) -> Any:
    if isinstance(value, Box):
        return value.key
    if isinstance(value, Label):
        return next(line for line in ("upper", "lower") if book.labels[line] == value)
    if isinstance(value, Either):
        return list(value.items)
    if isinstance(value, tuple):
        return [each.key for each in value]
    return str(value) if isinstance(value, Roll) else int(value) if name in NUMBERS else value


def column(card: Scorecard) -> dict[str, Any]:
    return {"marks": card.marks, "bonuses": card.bonuses, "extra": card.extra, "saved": card.saved}


@dataclass
class Phone:
    """A book that the page has learnt, and how many judgements of it were compared."""

    page: Page
    book: RuleBook
    compared: int = 0
    _entries: dict[Any, int] = field(default_factory=dict)
    _new: list[Any] = field(default_factory=list)
    _zero: dict[Any, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._ask("learn", rule_data(self.book))

    def _ask(self, name: str, data: Any) -> str:
        return str(self.page.evaluate(CALL, [name, self.book.key, json.dumps(data)]) or "")

    def rulings(self, cards: Iterable[tuple[Scorecard, Iterable[int]]]) -> str:
        """The first difference between judgements of these rolls, by number, on these cards; or nothing."""
        rest = iter(cards)
        while batch := [self._ruled(card, which) for card, which in islice(rest, BATCH)]:
            entries, self._new = self._new, []
            if wrong := self._ask("compareRulings", {"entries": entries, "cards": batch}):
                return wrong
            self.compared += sum(len(card["rolls"]) for card in batch)
        return ""

    def _ruled(self, card: Scorecard, which: Iterable[int]) -> dict[str, Any]:
        every, closed, rows = rolls(self.book.dice, self.book.faces), [], []
        numbers: dict[Any, int] = {}
        for number in which:
            ruling = judge(card, every[number])
            key = (ruling.boxes, ruling.available, ruling.joker_step and every[number])
            if key not in numbers:
                numbers[key] = len(closed)
                closed.append({box: told(self.book, reason) for box, reason in ruling.reasons.items()})
            rows.append((number, ruling.boxes, self._told_entries(ruling), numbers[key], self._asks(ruling, number)))
        return {"card": column(card), "closed": closed, "rolls": rows}

    def _told_entries(self, ruling: Ruling) -> int:
        worth = ruling.joker_step.worth if ruling.joker_step else ScoreAs.PLAIN
        key = (ruling.roll, worth, ruling.bonus)
        if key not in self._entries:
            self._entries[key] = len(self._entries)
            all_boxes = _compute_entries(self.book, ruling.roll, ruling.joker_step, ruling.bonus)
            self._new.append([(entry.points, entry.bonus, entry.joker) for _, _, entry in all_boxes])
        return self._entries[key]

    def _asks(self, ruling: Ruling, number: int) -> bool:
        key = (number, ruling.boxes, ruling.joker_step)
        if key not in self._zero:
            self._zero[key] = bool(ruling.wasteful)
        return self._zero[key]

    def cards(self, cards: Iterable[Scorecard]) -> str:
        """Sums, lines and the numbers that boxes take."""
        rest = iter(cards)
        while batch := [{"card": column(card), "told": sums(card)} for card in islice(rest, BATCH)]:
            if wrong := self._ask("compareCards", batch):
                return wrong
            self.compared += len(batch)
        return ""

    def writing(self, cases: Iterable[dict[str, Any]]) -> str:
        """Boxes that are written, and refusals with their sentences."""
        rest = iter(cases)
        while batch := list(islice(rest, BATCH)):
            if wrong := self._ask("compareWriting", batch):
                return wrong
            self.compared += len(batch)
        return ""


def sums(card: Scorecard) -> dict[str, Any]:
    found = card.totals
    return {
        "totals": {
            "upper": found.upper,
            "bonus": found.bonus,
            "upperWithBonus": found.upper_with_bonus,
            "lowerBoxes": found.lower_boxes,
            "extra": found.extra,
            "lower": found.lower,
            "grand": found.grand,
            "bonuses": found.bonuses,
        },
        "lines": [(line.kind, line.section, line.role, line.value) for line in sheet_lines(card)],
        "answers": {
            box.key: [
                (
                    each.points,
                    "" if each.other else str(each.roll),
                    each.extra,
                    each.joker,
                    each.other and str(each.other),
                )
                for each in answers(card, box.key)
            ]
            for box in card.book.boxes
        },
    }


def attempts(card: Scorecard, rolled: Iterable[Roll], saved: int = 0) -> Iterator[dict[str, Any]]:
    """Each roll in each box, and each number without dice, as the engine writes it or says why not."""
    for box in card.book.boxes:
        for roll in rolled:
            yield _attempt(card, box.key, roll, None, saved)
        for points in {0, 1, *(each.points for each in answers(card, box.key))}:
            yield _attempt(card, box.key, None, points, saved)


def _attempt(card: Scorecard, box: str, roll: Roll | None, points: int | None, saved: int) -> dict[str, Any]:
    case = {"card": column(card), "box": box, "dice": roll and str(roll), "points": points, "saved": saved}
    try:
        return case | {"told": {"card": column(_after(card, box, roll or roll_for(card, box, points or 0), saved))}}
    except IllegalError as error:
        return case | {"told": {"reason": told(card.book, error.message), "sentence": str(error)}}


def _after(card: Scorecard, box: str, roll: Roll, saved: int) -> Scorecard:
    position = Position.start(card.book, 1)
    position = Position((card,), 0, position.dice, card.book.rolls + card.saved)
    judge(card, roll).check(box)  # a closed box is reported before rolls that cannot be left
    thrown = apply(position, Throw(roll, last=True, saved=saved)).after
    return apply(thrown, Mark(box)).after.cards[0]
