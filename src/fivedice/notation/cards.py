"""Cards and positions as text: `yahtzee 1s:3,yz:0|2s:6,yz:50,yb:100 1 24466 2`."""

from __future__ import annotations

import re
from typing import TypeVar

from fivedice.dice import Keep
from fivedice.errors import IllegalCard, IllegalError, MalformedError, quote
from fivedice.game import Position, Scorecard
from fivedice.game.play import MOST_PLAYERS
from fivedice.rules import RuleBook, shipped

TALLY = "yb"
EMPTY = "-"

Card = TypeVar("Card")

_ENTRY = re.compile(r"([0-9a-z]{2}):([0-9]{1,5})").fullmatch
_NUMBER = re.compile(r"[0-9]{1,6}").fullmatch


def write_card(card: Scorecard) -> str:
    """The filled boxes in the order of the sheet, then the tally of extra bonuses in points."""
    boxes = zip(card.book.boxes, card.marks, strict=True)
    entries = [f"{box.code}:{points}" for box, points in boxes if points is not None]
    if card.bonuses:
        entries.append(f"{TALLY}:{card.extra_total}")
    return ",".join(entries) or EMPTY


def read_card(text: str, book: RuleBook) -> Scorecard:
    """A card from its text, checked against the book."""
    marks: dict[str, int] = {}
    for entry in [] if text in {EMPTY, ""} else text.split(","):
        code, points = _entry(entry)
        if code in marks:
            raise IllegalCard(f"{quote(text)} fills {quote(code)} twice")
        marks[code] = points
    bonuses = _tally(marks.pop(TALLY, 0), book)
    unknown = [code for code in marks if code not in book.by_code]
    if unknown:
        known = " ".join(book.by_code)
        raise IllegalCard(f"{book.name} has no box {quote(unknown[0])}; its codes are {known} and {TALLY}")
    return Scorecard.of(book, {book.by_code[code].key: points for code, points in marks.items()}, bonuses)


def _entry(text: str) -> tuple[str, int]:
    found = _ENTRY(text)
    if found is None:
        raise MalformedError(f"{quote(text)} is no entry of a card: write code:points, such as '4s:12'")
    return found[1], int(found[2])


def _tally(points: int, book: RuleBook) -> int:
    extra = book.alike.extra if book.alike is not None else 0
    if points and (not extra or points % extra):
        raise IllegalCard(f"a tally of {points} is no number of extra bonuses of {extra} points in {book.name}")
    return points // extra if extra else 0


def write_position(position: Position) -> str:
    """Book, cards, seat on turn (from 0), dice on the table, rolls left."""
    cards = "|".join(write_card(card) for card in position.cards)
    return f"{position.book.key} {cards} {position.seat} {position.dice} {position.rolls_left}"


def read_position(text: str, book: RuleBook | None = None) -> Position:
    """A position from its text; give the book if it is not one of the shipped ones."""
    fields = text.split()
    if len(fields) != 5 or not _NUMBER(fields[2]) or not _NUMBER(fields[4]):
        wanted = "'book cards seat dice rolls-left', such as 'yahtzee 1s:3|yz:50 1 24466 2'"
        raise MalformedError(f"{quote(text)} is no position: write {wanted}")
    rules = resolve_book(fields[0], book)
    cards = tuple(read_card(card, rules) for card in bounded_cards(fields[1].split("|")))
    position = Position(cards, int(fields[2]), Keep.parse(fields[3]), int(fields[4]))
    check_position(position, text)
    return position


def bounded_cards(cards: list[Card]) -> list[Card]:
    """As many as a table can have."""
    if len(cards) > MOST_PLAYERS:
        raise MalformedError(
            f"there are {len(cards)} cards, {quote(cards[0])} first; a game has at most {MOST_PLAYERS}"
        )
    return cards


def resolve_book(key: str, book: RuleBook | None) -> RuleBook:
    """The book that a text names. A text can only name shipped books: it never opens a file."""
    if book is None:
        return shipped(key)
    if book.key != key:
        raise IllegalError(f"the text is about {quote(key)}, and the book given is {quote(book.key)}")
    return book


def check_position(position: Position, text: object) -> None:
    """Refuse what no game can show."""
    for wrong, reason in _faults(position):
        if wrong:
            raise IllegalError(f"{quote(text)} is no position of {position.book.name}: {reason}")


def _faults(position: Position) -> list[tuple[bool, str]]:
    seats = len(position.cards)
    if not 0 <= position.seat < seats:
        return [(True, f"there is no seat {position.seat}; seats are numbered from 0 to {seats - 1}")]
    book, dice, left = position.book, position.dice, position.rolls_left
    thrown = len(dice) == book.dice
    return [
        (position.card.is_full and not position.is_over, f"the card of seat {position.seat} is full"),
        (len(dice) > book.dice or max(dice, default=1) > book.faces, f"{dice} are not its dice"),
        (not 0 <= left <= book.rolls, f"a turn has {book.rolls} rolls"),
        (thrown and left == book.rolls, "dice lie on the table before the first roll"),
        (
            position.is_over and (len(dice) > 0 or left != book.rolls),
            "the game is over, so no dice are in play",
        ),
        (0 < len(dice) < book.dice and left == book.rolls, "dice are held before the first roll"),
        (not thrown and left == 0, "dice are in the cup and no roll is left"),
    ]
