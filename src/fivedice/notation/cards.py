"""Cards and positions as text: `yahtzee 1s:3,yz:0|2s:6,yz:50,yb:100 1 24466 2`.

A turn is `24466>44/24446>444/14444=4k:17`, or its final dice alone: `~14444=4k:17`, or its points alone: `~=4k:17`.
Rolls saved for later stand behind a plus: `1s:3,2s:6+2` is a card that has two, `~144446+1=4k:16` a turn that left one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from fivedice.dice import Keep, Roll
from fivedice.errors import IllegalCard, IllegalError, IllegalRecord, MalformedError, quote
from fivedice.game import Come, Game, Hold, Leave, Mark, Position, Scorecard, Scored, Skip, Step, Throw
from fivedice.game.box_first import roll_for
from fivedice.game.playthrough import MOST_PLAYERS
from fivedice.message import Message, message
from fivedice.rules import (
    MAX_ROLLS,
    RENAMED,
    TALLY_CODE as TALLY,
    AlikePolicy,
    AnyBook,
    RuleBook,
    book as find_book,
    played_by,
)

EMPTY = "-"

Card = TypeVar("Card")

SAVED = "+"
MOST_EXTRAS = 100  # more than any card has boxes

_ENTRY = re.compile(r"([0-9a-z]{2}):([0-9]{1,5})(?:/([0-9]{1,2}))?").fullmatch
_NUMBER = re.compile(r"[0-9]{1,6}").fullmatch


def write_card(card: Scorecard) -> str:
    """The filled boxes in the order of the sheet, then the tally of extra bonuses in points."""
    boxes = zip(card.book.boxes, card.marks, strict=True)
    entries = [f"{box.code}:{points}" for box, points in boxes if points is not None]
    if card.bonuses:
        times = "" if card.extra is None else f"/{card.bonuses}"
        entries.append(f"{TALLY}:{card.extra_total}{times}")
    return (",".join(entries) or EMPTY) + (f"{SAVED}{card.saved}" if card.saved else "")


def read_card(text: str, book: AnyBook) -> Scorecard:
    """A card from its text, checked against the book."""
    book = find_book(book)
    held, _, saved = text.partition(SAVED)
    if SAVED in text and not _NUMBER(saved):
        raise MalformedError("notation.bad-saved-rolls", text=quote(text))
    marks: dict[str, int] = {}
    times = ""
    for entry in [] if held in {EMPTY, ""} else held.split(","):
        code, points, count = _entry(entry)
        if code in marks:
            raise IllegalCard("notation.filled-twice", text=quote(text), code=quote(code))
        marks[code], times = points, times or count
    bonuses, extra = _tally(marks.pop(TALLY, 0), times, book)
    unknown = [code for code in marks if code not in book.by_code]
    if unknown:
        raise IllegalCard("notation.unknown-code", book=book, code=quote(unknown[0]), known=(*book.by_code, TALLY))
    boxes = {book.by_code[code].key: points for code, points in marks.items()}
    return Scorecard.of(book, boxes, bonuses, saved=int(saved or 0), extra=extra)


def _entry(text: str) -> tuple[str, int, str]:
    found = _ENTRY(text)
    if found is None or (found[3] and found[1] != TALLY):
        raise MalformedError("notation.bad-entry", text=quote(text))
    return found[1], int(found[2]), found[3] or ""


def _tally(points: int, times: str, book: RuleBook) -> tuple[int, int | None]:
    """How many extra bonuses there were, and what they came to where that must be said."""
    policy = book.alike
    if points and (policy is None or not policy.pays_extra):
        raise IllegalCard("notation.no-tally", book=book, points=points)
    if policy is None or not points:
        return 0, None
    if policy.pays_by_step and times:
        return int(times), points
    if policy.pays_by_step or times:
        raise IllegalCard("notation.tally-with-count" if policy.pays_by_step else "notation.tally-alone", points=points)
    if not policy.rising and points % policy.extra:
        raise IllegalCard("notation.bad-tally", extra=policy.extra, points=points)
    return (_rising_tally(points, policy) if policy.rising else points // policy.extra), None


def _rising_tally(points: int, policy: AlikePolicy) -> int:
    """How many rising extras come to this."""
    count = next((number for number in range(1, MOST_EXTRAS) if policy.paid(number) >= points), 0)
    if policy.paid(count) != points:
        raise IllegalCard("notation.impossible-tally", points=points)
    return count


def write_position(position: Position) -> str:
    """A position as text: book, cards, seat on turn (from 0), dice on the table, rolls left."""
    cards = "|".join(write_card(card) for card in position.cards)
    return f"{position.book.key} {cards} {position.seat} {position.dice} {position.rolls_left}"


def read_position(text: str, book: AnyBook | None = None) -> Position:
    """A position from its text; give the book if it is not one of the shipped ones."""
    fields = text.split()
    if len(fields) != 5 or not _NUMBER(fields[2]) or not _NUMBER(fields[4]):
        raise MalformedError("notation.bad-position", text=quote(text))
    rules = resolve_book(fields[0], book)
    cards = tuple(read_card(card, rules) for card in bounded_cards(fields[1].split("|")))
    position = Position(cards, int(fields[2]), Keep.parse(fields[3]), int(fields[4]))
    check_position(position, text)
    return position


def bounded_cards(cards: list[Card]) -> list[Card]:
    """As many as a table can have."""
    if len(cards) > MOST_PLAYERS:
        count, first = len(cards), quote(cards[0])
        raise MalformedError("notation.too-many-cards", most=MOST_PLAYERS, count=count, card=first)
    return cards


def resolve_book(key: str, given: AnyBook | None, fingerprint: str | None = None) -> RuleBook:
    """The book that a text names. A text can only name shipped books: it never opens a file.

    The fingerprint tells a key that meant another book when the text was written.
    """
    book = None if given is None else find_book(given)
    if book is None or (book.key == key and key in RENAMED):
        return played_by(key, fingerprint)
    if book.key not in (key, RENAMED.get(key)):
        raise IllegalError("notation.other-book", key=quote(key), book=quote(book.key))
    return book


def check_position(position: Position, text: object) -> None:
    """Refuse what no game can show."""
    for wrong, reason in _faults(position):
        if wrong:
            raise IllegalError("notation.impossible-position", text=quote(text), book=position.book, reason=reason)


def _faults(position: Position) -> list[tuple[bool, Message]]:
    seats = len(position.cards)
    if not 0 <= position.seat < seats:
        return [(True, message("notation.no-such-seat", seat=position.seat, last=seats - 1))]
    book, dice, left, rolls = position.book, position.dice, position.rolls_left, position.rolls_in_turn
    thrown = len(dice) == book.dice
    other_dice = message("rules.other-dice", book=book, dice=book.dice, faces=book.faces, roll=dice)
    return [
        (position.card.is_full and not position.is_over, message("notation.seat-is-full", seat=position.seat)),
        (len(dice) > book.dice or max(dice, default=1) > book.faces, other_dice),
        (not 0 <= left <= rolls, message("notation.too-many-rolls", rolls=rolls)),
        (thrown and left == rolls, message("notation.rolled-too-early")),
        (position.is_over and (len(dice) > 0 or left != rolls), message("notation.dice-after-the-end")),
        (0 < len(dice) < book.dice and left == rolls, message("notation.kept-too-early")),
        (not thrown and left == 0, message("notation.no-roll-for-dice")),
    ]


FINAL = "~"
TurnMove: TypeAlias = Throw | Hold | Mark

_DICE = re.compile(r"[1-9]{1,8}(>(-|[1-9]{1,8})/[1-9]{1,8})*(>(-|[1-9]{1,8}))?").fullmatch
_FINAL_DICE = re.compile(FINAL + r"([1-9]{1,8})?(?:\+([0-9]{1,3}))?").fullmatch
_SCORE = re.compile(r"([0-9a-z]{2}):([0-9]{1,5})(!?)").fullmatch


@dataclass(frozen=True, slots=True)
class Turn:
    """What one player did: moves in order, and the points as they were written down, if the turn is finished."""

    moves: tuple[TurnMove, ...]
    points: int | None = None
    joker: bool = False
    by_points: bool = False  # nothing else was noted, so the mark is the only move
    saved: int = 0  # by such a turn, where the book keeps rolls for later

    def moves_in(self, position: Position) -> tuple[TurnMove, ...]:
        """The moves that it is when it is played there."""
        mark = self.moves[-1]
        if not self.by_points or not isinstance(mark, Mark) or self.points is None:
            return self.moves
        stands_for = roll_for(position.card, mark.box, self.points)
        return Throw(stands_for, last=True, saved=self.saved, told=False), mark


@dataclass(frozen=True, slots=True)
class Noted:
    """What stands in a record beside the others: a turn, or that somebody was skipped, left or came."""

    seat: int  # that did it, or whom it is about
    what: Turn | Skip | Leave | Come
    made: int  # how many moves of the game had been made by then

    @property
    def takes_turn(self) -> bool:
        """Whether the next seat is on turn after it."""
        return isinstance(self.what, Turn | Skip)


def turns_of(steps: Iterable[Step]) -> Iterator[Turn]:
    """Cut the steps of a game into turns; the last one may be unfinished."""
    return (noted.what for noted in notes_of(steps) if isinstance(noted.what, Turn))


def notes_of(steps: Iterable[Step]) -> Iterator[Noted]:
    """The same with whose they are, and all that happened between them; what happened amid a turn comes before it."""
    moves: list[TurnMove] = []
    seat = 0
    made = 0
    for made, step in enumerate(steps, start=1):
        move = step.move
        if isinstance(move, Leave | Come):
            yield Noted(move.seat, move, made)
            continue
        seat = step.before.seat
        if isinstance(move, Skip):
            yield Noted(seat, move, made)
            continue
        moves.append(move)
        if isinstance(move, Mark):
            scored = next(event for event in step.events if isinstance(event, Scored))
            yield Noted(seat, _finished(tuple(moves), scored), made)
            moves = []
    if moves:
        yield Noted(seat, Turn(tuple(moves)), made)


def _finished(moves: tuple[TurnMove, ...], scored: Scored) -> Turn:
    first = moves[0]
    if isinstance(first, Throw) and not first.told:
        return Turn(moves[1:], scored.points, scored.joker, by_points=True, saved=first.saved)
    return Turn(moves, scored.points, scored.joker)


def write_turn(turn: Turn, book: AnyBook) -> str:
    """A turn as text, finished or not."""
    book = find_book(book)
    untold = f"{FINAL}{f'{SAVED}{turn.saved}' if turn.saved else ''}" if turn.by_points else ""
    return untold + "".join(_written(move, turn, book) for move in turn.moves).removeprefix("/")


def _written(move: TurnMove, turn: Turn, book: RuleBook) -> str:
    if isinstance(move, Throw):
        return f"{FINAL if move.last else '/'}{move.roll}{f'{SAVED}{move.saved}' if move.saved else ''}"
    if isinstance(move, Hold):
        return f">{move.keep}"
    return f"={book.box(move.box).code}:{turn.points}{'!' if turn.joker else ''}"


def read_turn(text: str, book: AnyBook) -> Turn:
    """A turn from its text. Whether the rules allow it shows when it is played."""
    book = find_book(book)
    dice, equals, score = text.partition("=")
    final = _FINAL_DICE(dice)
    by_points = final is not None and final[1] is None and bool(equals)
    moves = () if by_points else tuple(_dice_moves(dice, text, max(MAX_ROLLS, book.most_rolls)))
    if not equals:
        return Turn(moves)
    found = _SCORE(score)
    if found is None:
        raise MalformedError("notation.bad-score", text=quote(text))
    if found[1] not in book.by_code:
        raise IllegalRecord("notation.unknown-box", text=quote(text), book=book, code=quote(found[1]))
    saved = int(final[2] or 0) if by_points and final is not None else 0
    return Turn((*moves, Mark(book.by_code[found[1]].key)), int(found[2]), bool(found[3]), by_points, saved)


def _dice_moves(dice: str, text: str, most: int) -> Iterator[TurnMove]:
    """Throws and holds alternate: `roll>keep/roll>keep/roll`. Final dice stand alone."""
    final = _FINAL_DICE(dice)
    if final and final[1]:
        yield Throw(Roll.parse(final[1]), last=True, saved=int(final[2] or 0))
        return
    if not _DICE(dice):
        raise MalformedError("notation.bad-turn", text=quote(text))
    if dice.count("/") >= most:
        count = dice.count("/") + 1
        raise MalformedError("notation.too-many-rolls-noted", text=quote(text), count=count, most=most)
    for part in dice.split("/"):
        roll, held, keep = part.partition(">")
        yield Throw(Roll.parse(roll))
        if held:
            yield Hold(Keep.parse(keep))


def replay(game: Game, turn: Turn) -> None:
    """Play a recorded turn in the game, and see that its points are what the rules give."""
    for move in turn.moves_in(game.position):
        step = game.play(move)
        for event in step.events:
            if isinstance(event, Scored):
                _check_points(event, turn, game.book)


def _check_points(scored: Scored, turn: Turn, book: RuleBook) -> None:
    if (scored.points, scored.joker) != (turn.points, turn.joker):
        right, written = _points(scored.points, joker=scored.joker), _points(turn.points, joker=turn.joker)
        raise IllegalRecord("notation.other-points", box=book.box(scored.box), right=right, written=written)


def _points(points: int | None, *, joker: bool) -> Message:
    return message("notation.points-by-joker" if joker else "notation.points", points=points)
