"""Cards and positions as text: `yahtzee 1s:3,yz:0|2s:6,yz:50,yb:100 1 24466 2`.

A turn is `24466>44/24446>444/14444=4k:17`, or only its final dice: `~14444=4k:17`, or only its points: `~=4k:17`. Saved
rolls follow a plus: `1s:3,2s:6+2` is a card with two, `~144446+1=4k:16` a turn that saved one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Come, Game, Hold, Leave, Mark, Position, Scorecard, Scored, Skip, Step, Throw
from fivedice.core.game.legality import roll_for
from fivedice.core.game.playthrough import MOST_PLAYERS
from fivedice.core.rules import (
    MAX_ROLLS,
    RENAMED,
    TALLY_CODE as TALLY,
    AlikePolicy,
    AnyBook,
    RuleBook,
    book as find_book,
    played_by,
)
from fivedice.errors import IllegalCard, IllegalError, IllegalRecord, MalformedError, quote
from fivedice.message import Message, message

EMPTY = "-"

Card = TypeVar("Card")

SAVED = "+"
MOST_EXTRAS = 100  # no card has more boxes

_ENTRY = re.compile(r"([0-9a-z]{2}):([0-9]{1,5})(?:/([0-9]{1,2}))?").fullmatch
_NUMBER = re.compile(r"[0-9]{1,6}").fullmatch


def write_card(card: Scorecard) -> str:
    """Return a card as text: the filled boxes in the order of the sheet, then the sum of the extra bonuses.

    >>> fd.notation.write_card(fd.Scorecard.of("yahtzee", {"aces": 3, "yahtzee": 0}))
    '1s:3,yz:0'
    """
    boxes = zip(card.book.boxes, card.marks, strict=True)
    entries = [f"{box.code}:{points}" for box, points in boxes if points is not None]
    if card.bonuses:
        times = "" if card.extra is None else f"/{card.bonuses}"
        entries.append(f"{TALLY}:{card.extra_total}{times}")
    return (",".join(entries) or EMPTY) + (f"{SAVED}{card.saved}" if card.saved else "")


def read_card(text: str, book: AnyBook) -> Scorecard:
    """Return a card from its text. `book` is a key, a path or a `RuleBook`.

    Raise MalformedError if the text cannot be read, IllegalCard if the rules do not allow the card.

    >>> fd.notation.read_card("1s:3,yz:0", "yahtzee").total
    3
    """
    book = find_book(book)
    held, _, saved = text.partition(SAVED)
    if SAVED in text and not _NUMBER(saved):
        raise MalformedError("notation.bad-saved-rolls", text=quote(text))
    marks: dict[str, int] = {}
    times = ""
    for entry in [] if held in {EMPTY, ""} else held.split(","):
        found = _ENTRY(entry)
        if found is None or (found[3] and found[1] != TALLY):
            raise MalformedError("notation.bad-entry", text=quote(entry))
        code, points, count = found[1], int(found[2]), found[3] or ""
        if code in marks:
            raise IllegalCard("notation.filled-twice", text=quote(text), code=quote(code))
        marks[code], times = points, times or count
    bonuses, extra = _read_tally(marks.pop(TALLY, 0), times, book)
    unknown = [code for code in marks if code not in book.by_code]
    if unknown:
        raise IllegalCard("notation.unknown-code", book=book, code=quote(unknown[0]), known=(*book.by_code, TALLY))
    boxes = {book.by_code[code].key: points for code, points in marks.items()}
    return Scorecard.of(book, boxes, bonuses, saved=int(saved or 0), extra=extra)


def _read_tally(points: int, times: str, book: RuleBook) -> tuple[int, int | None]:
    """Return how many extra bonuses there were, and their sum if that is needed."""
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
    return (_count_rising(points, policy) if policy.rising else points // policy.extra), None


def _count_rising(points: int, policy: AlikePolicy) -> int:
    """Return how many rising extra bonuses come to this sum."""
    count = next((number for number in range(1, MOST_EXTRAS) if policy.paid(number) >= points), 0)
    if policy.paid(count) != points:
        raise IllegalCard("notation.impossible-tally", points=points)
    return count


def write_position(position: Position) -> str:
    """Return a position as text: rules, cards, seat on turn (from 0), dice on the table, rolls left.

    >>> fd.write_position(fd.Position.start("yahtzee", 2))
    'yahtzee -|- 0 - 3'
    """
    cards = "|".join(write_card(card) for card in position.cards)
    return f"{position.book.key} {cards} {position.seat} {position.dice} {position.rolls_left}"


def read_position(text: str, book: AnyBook | None = None) -> Position:
    """Return a position from its text. House rules must be given as `book`: a path or a `RuleBook`.

    Raise MalformedError if the text cannot be read, IllegalError if no game has this position, UnknownBook for other
    rules.

    >>> fd.read_position("yahtzee 1s:3|- 1 24466 2").cards[0].total
    3
    """
    fields = text.split()
    if len(fields) != 5 or not _NUMBER(fields[2]) or not _NUMBER(fields[4]):
        raise MalformedError("notation.bad-position", text=quote(text))
    rules = resolve_book(fields[0], book)
    cards = tuple(read_card(card, rules) for card in check_card_count(fields[1].split("|")))
    position = Position(cards, int(fields[2]), Keep.parse(fields[3]), int(fields[4]))
    check_position(position, text)
    return position


def check_card_count(cards: list[Card]) -> list[Card]:
    """Return the cards. Raise MalformedError if there are more than a game can have."""
    if len(cards) > MOST_PLAYERS:
        count, first = len(cards), quote(cards[0])
        raise MalformedError("notation.too-many-cards", most=MOST_PLAYERS, count=count, card=first)
    return cards


def resolve_book(key: str, given: AnyBook | None, fingerprint: str | None = None) -> RuleBook:
    """Return the rules that a text names. A text can only name shipped rules: it never opens a file.

    The fingerprint decides if the key meant other rules when the text was written.
    """
    book = None if given is None else find_book(given)
    if book is None or (book.key == key and key in RENAMED):
        return played_by(key, fingerprint)
    if book.key not in (key, RENAMED.get(key)):
        raise IllegalError("notation.other-book", key=quote(key), book=quote(book.key))
    return book


def check_position(position: Position, text: object) -> None:
    """Raise IllegalError if no game can have this position."""
    for wrong, reason in _list_faults(position):
        if wrong:
            raise IllegalError("notation.impossible-position", text=quote(text), book=position.book, reason=reason)


def _list_faults(position: Position) -> list[tuple[bool, Message]]:
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
    """One turn of a player: its moves in order and, once it is finished, the points as they were written down.

    `joker` is whether the points need the joker rules. `by_points` is whether only the points were noted, so that
    scoring the box is the only move, and `saved` how many rolls such a turn saved.

    >>> fd.notation.read_turn("24466>66/36666=6s:24", "yahtzee").points
    24
    """

    moves: tuple[TurnMove, ...]
    points: int | None = None
    joker: bool = False
    by_points: bool = False
    saved: int = 0

    def moves_in(self, position: Position) -> tuple[TurnMove, ...]:
        """Return the moves of the turn when it is played in this position.

        If only the points were noted, a roll that gives them is added. Raise IllegalMove if there is none.

        >>> turn = fd.notation.read_turn("~=6s:24", "yahtzee")
        >>> turn.moves_in(fd.Position.start("yahtzee", 1))[0].roll
        Roll.parse('16666')
        """
        mark = self.moves[-1]
        if not self.by_points or not isinstance(mark, Mark) or self.points is None:
            return self.moves
        stands_for = roll_for(position.card, mark.box, self.points)
        return Throw(stands_for, last=True, saved=self.saved, told=False), mark


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """One entry of a record: a turn, or that a player was skipped, left or came."""

    seat: int
    what: Turn | Skip | Leave | Come
    made: int  # the number of moves made in the game up to its end

    @property
    def takes_turn(self) -> bool:
        """Return whether the next seat is on turn after it."""
        return isinstance(self.what, Turn | Skip)


def turns_of(steps: Iterable[Step]) -> Iterator[Turn]:
    """Yield the turns of a game from its steps; the last one may be unfinished.

    >>> game = fd.Game.new("yahtzee", dice=fd.dice.scripted("24466"))
    >>> _ = game.roll(), game.mark("chance")
    >>> [turn.points for turn in fd.notation.turns_of(game.steps)]
    [22]
    """
    return (noted.what for noted in iterate_notes(steps) if isinstance(noted.what, Turn))


def iterate_notes(steps: Iterable[Step]) -> Iterator[RecordEntry]:
    """Yield all entries of a record, with their seats. Events during a turn come before it."""
    moves: list[TurnMove] = []
    seat = 0
    made = 0
    for made, step in enumerate(steps, start=1):
        move = step.move
        if isinstance(move, Leave | Come):
            yield RecordEntry(move.seat, move, made)
            continue
        seat = step.before.seat
        if isinstance(move, Skip):
            yield RecordEntry(seat, move, made)
            continue
        moves.append(move)
        if isinstance(move, Mark):
            scored = next(event for event in step.events if isinstance(event, Scored))
            by_points = isinstance(first := moves[0], Throw) and not first.told
            saved = first.saved if isinstance(first, Throw) and by_points else 0
            turn = Turn(tuple(moves[by_points:]), scored.points, scored.joker, by_points, saved)
            yield RecordEntry(seat, turn, made)
            moves = []
    if moves:
        yield RecordEntry(seat, Turn(tuple(moves)), made)


def write_turn(turn: Turn, book: AnyBook) -> str:
    """Return a turn as text, finished or not. `book` and the errors are those of `fd.book`.

    >>> fd.notation.write_turn(fd.notation.read_turn("~14444=4k:17", "yahtzee"), "yahtzee")
    '~14444=4k:17'
    """
    book = find_book(book)
    no_dice = f"{FINAL}{f'{SAVED}{turn.saved}' if turn.saved else ''}" if turn.by_points else ""
    return no_dice + "".join(_write_move(move, turn, book) for move in turn.moves).removeprefix("/")


def _write_move(move: TurnMove, turn: Turn, book: RuleBook) -> str:
    if isinstance(move, Throw):
        return f"{FINAL if move.last else '/'}{move.roll}{f'{SAVED}{move.saved}' if move.saved else ''}"
    if isinstance(move, Hold):
        return f">{move.keep}"
    return f"={book.box(move.box).code}:{turn.points}{'!' if turn.joker else ''}"


def read_turn(text: str, book: AnyBook) -> Turn:
    """Return a turn from its text. `book` is a key, a path or a `RuleBook`.

    Raise MalformedError if the text cannot be read, IllegalRecord for an unknown box. Whether the rules allow the turn
    is only known when it is played.

    >>> fd.notation.read_turn("24466>66/36666=6s:24", "yahtzee").moves[1]
    Hold(keep=Keep.parse('66'))
    """
    book = find_book(book)
    dice, equals, score = text.partition("=")
    final = _FINAL_DICE(dice)
    by_points = final is not None and final[1] is None and bool(equals)
    moves = () if by_points else tuple(_read_dice(dice, text, max(MAX_ROLLS, book.most_rolls)))
    if not equals:
        return Turn(moves)
    found = _SCORE(score)
    if found is None:
        raise MalformedError("notation.bad-score", text=quote(text))
    if found[1] not in book.by_code:
        raise IllegalRecord("notation.unknown-box", text=quote(text), book=book, code=quote(found[1]))
    saved = int(final[2] or 0) if by_points and final is not None else 0
    return Turn((*moves, Mark(book.by_code[found[1]].key)), int(found[2]), bool(found[3]), by_points, saved)


def _read_dice(dice: str, text: str, most: int) -> Iterator[TurnMove]:
    """Yield rolls and keeps in turn, as in `roll>keep/roll>keep/roll`. Final dice are a single roll."""
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
    """Play a recorded turn in the game. Raise IllegalRecord if the rules give other points."""
    for move in turn.moves_in(game.position):
        step = game.play(move)
        for event in step.events:
            if isinstance(event, Scored):
                _check_points(event, turn, game.book)


def _check_points(scored: Scored, turn: Turn, book: RuleBook) -> None:
    if (scored.points, scored.joker) != (turn.points, turn.joker):
        right = _describe_points(scored.points, joker=scored.joker)
        written = _describe_points(turn.points, joker=turn.joker)
        raise IllegalRecord("notation.other-points", box=book.box(scored.box), right=right, written=written)


def _describe_points(points: int | None, *, joker: bool) -> Message:
    return message("notation.points-by-joker" if joker else "notation.points", points=points)
