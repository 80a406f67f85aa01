"""The lines of the engine protocol, version 1: writing questions and parsing answers."""

from __future__ import annotations

import json

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.notation import write_position
from fivedice.core.rules import SHIPPED, RuleBook, write_book
from fivedice.errors import BotError, FivediceError, MalformedError, quote

HELLO = "fivedice"
VERSION = 1
KEEP, SCORE = "keep", "score"
LONGEST = 4096  # bytes of a line from an engine
LONGEST_ASKED = 1 << 20  # bytes of a line to an engine: house rules fit in a line


def rules_line(book: RuleBook) -> str:
    """Return the line that names the rules; house rules are sent as the text of their file, in JSON."""
    text = "" if book.key in SHIPPED else " " + json.dumps(write_book(book))
    return f"rules {book.key} {book.fingerprint}{text}"


def position_lines(position: Position) -> tuple[str, str]:
    """Return the lines with the position and with the legal boxes and their points, bonuses included."""
    legal = " ".join(
        f"{position.book.box(key).code}:{entry.points + entry.bonus}" for key, entry in position.ruling().legal.items()
    )
    return f"position {write_position(position)}", f"legal {legal}"


def write_move(move: Hold | Mark, book: RuleBook) -> str:
    """Return a move as a line: `move keep 44`, `move keep -` or `move score 4k`."""
    return f"move {KEEP} {move.keep}" if isinstance(move, Hold) else f"move {SCORE} {book.box(move.box).code}"


def read_move(line: str, book: RuleBook) -> Hold | Mark:
    """Parse the move of an answer, without checking that it is legal. Raises `BotError` if it is malformed."""
    words = line.split()
    if len(words) != 3 or words[0] != "move" or words[1] not in {KEEP, SCORE}:
        raise BotError("bots.engine-bad-answer", line=quote(line))
    if words[1] == SCORE:
        box = book.by_code.get(words[2])
        if box is None:
            raise BotError("bots.engine-bad-box", line=quote(line), known=tuple(book.by_code))
        return Mark(box.key)
    try:
        return Hold(Keep.parse(words[2]))
    except (MalformedError, FivediceError) as error:
        raise BotError("bots.engine-bad-answer", line=quote(line)) from error
