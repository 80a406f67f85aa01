"""A turn as text: `24466>44/24446>444/14444=4k:17`, or its final dice alone: `~14444=4k:17`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fivedice.dice import Keep, Roll
from fivedice.errors import IllegalRecord, MalformedError, quote
from fivedice.game import Game, Hold, Mark, Move, Scored, Step, Throw
from fivedice.message import Message, message
from fivedice.rules import MAX_ROLLS, RuleBook

FINAL = "~"

_DICE = re.compile(r"[1-9]{1,8}(>(-|[1-9]{1,8})/[1-9]{1,8})*(>(-|[1-9]{1,8}))?").fullmatch
_FINAL_DICE = re.compile(FINAL + r"[1-9]{1,8}").fullmatch
_SCORE = re.compile(r"([0-9a-z]{2}):([0-9]{1,5})(!?)").fullmatch


@dataclass(frozen=True, slots=True)
class Turn:
    """What one player did: moves in order, and the points as they were written down, if the turn is finished."""

    moves: tuple[Move, ...]
    points: int | None = None
    joker: bool = False


def turns_of(steps: Iterable[Step]) -> Iterator[Turn]:
    """Cut the steps of a game into turns; the last one may be unfinished."""
    moves: list[Move] = []
    for step in steps:
        moves.append(step.move)
        if isinstance(step.move, Mark):
            scored = next(event for event in step.events if isinstance(event, Scored))
            yield Turn(tuple(moves), scored.points, scored.joker)
            moves = []
    if moves:
        yield Turn(tuple(moves))


def write_turn(turn: Turn, book: RuleBook) -> str:
    """A turn as text, finished or not."""
    return "".join(_written(move, turn, book) for move in turn.moves).removeprefix("/")


def _written(move: Move, turn: Turn, book: RuleBook) -> str:
    if isinstance(move, Throw):
        return f"{FINAL if move.last else '/'}{move.roll}"
    if isinstance(move, Hold):
        return f">{move.keep}"
    return f"={book.box(move.box).code}:{turn.points}{'!' if turn.joker else ''}"


def read_turn(text: str, book: RuleBook) -> Turn:
    """A turn from its text. Whether the rules allow it shows when it is played."""
    dice, equals, score = text.partition("=")
    moves = tuple(_dice_moves(dice, text))
    if not equals:
        return Turn(moves)
    found = _SCORE(score)
    if found is None:
        raise MalformedError("notation.bad-score", text=quote(text))
    if found[1] not in book.by_code:
        raise IllegalRecord("notation.unknown-box", text=quote(text), book=book, code=quote(found[1]))
    return Turn((*moves, Mark(book.by_code[found[1]].key)), int(found[2]), bool(found[3]))


def _dice_moves(dice: str, text: str) -> Iterator[Move]:
    """Throws and holds alternate: `roll>keep/roll>keep/roll`. Final dice stand alone."""
    if _FINAL_DICE(dice):
        yield Throw(Roll.parse(dice.removeprefix(FINAL)), last=True)
        return
    if not _DICE(dice):
        raise MalformedError("notation.bad-turn", text=quote(text))
    if dice.count("/") >= MAX_ROLLS:
        count = dice.count("/") + 1
        raise MalformedError("notation.too-many-rolls-noted", text=quote(text), count=count, most=MAX_ROLLS)
    for part in dice.split("/"):
        roll, held, keep = part.partition(">")
        yield Throw(Roll.parse(roll))
        if held:
            yield Hold(Keep.parse(keep))


def replay(game: Game, turn: Turn) -> None:
    """Play a recorded turn in the game, and see that its points are what the rules give."""
    for move in turn.moves:
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
