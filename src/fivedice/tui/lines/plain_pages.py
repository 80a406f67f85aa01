"""What the table says line by line: pages of words for those who listen."""

from __future__ import annotations

from collections.abc import Iterator
from io import TextIOWrapper
from typing import TextIO

from fivedice.game import Game, LineKind, Ruling, sheet_lines
from fivedice.game.pace import bonus_pace
from fivedice.table.decide.rewrite import sheet_of, written
from fivedice.table.state import TableState

HELP = """You can say:
  roll           roll all dice (r)
  keep 44        hold these faces and roll the others (k); keep - rolls all again
  roll 24466     with real dice: say what fell; keep 44 146 says what was held and what fell then
  score fours    fill a box, by key, code or name (s); score lists what the dice are worth
  sheet          read the sheet
  undo           take the last score back (u)
  hint           the best few things to do, and why (h)
  odds           what everyone may expect, and who will win (o)
  training 3     the coach speaks up before a move that costs more than 3 points; training off
  record         the game so far in notation
  quit           stop; the game is saved (q)"""
PAD_HELP = """With real dice also:
  final 14444    the dice at the end of the turn, when its rolls are not noted (f)
  withdraw       take back the dice that were entered last (w)
  written        the turns of this game, numbered
  correct 3 24446 fours    what turn 3 should have been; correct 3 - fours leaves its dice"""


def worth_lines(ruling: Ruling) -> Iterator[str]:
    """Every legal box with its points, and why the others are closed."""
    book = ruling.card.book
    for key, entry in ruling.legal.items():
        extra = f" and {entry.bonus} extra" if entry.bonus else ""
        joker = ", joker" if entry.joker else ""
        yield f"{book.box(key).name} ({book.box(key).code}): {entry.points}{extra}{joker}"
    for reason in dict.fromkeys(ruling.closed.values()):
        yield f"Closed. {reason}"


def card_lines(game: Game) -> Iterator[str]:
    """A player after the other, which is easier to listen to than a table."""
    for player, card in zip(game.players, game.position.cards, strict=True):
        pace = bonus_pace(card)
        yield f"{player}: total {card.total}{f', upper bonus {pace}' if pace is not None else ''}."
        for line in sheet_lines(card):
            if line.kind is not LineKind.HEADING:
                yield f"  {line.label}: {'open' if line.value is None else line.value}"


def written_lines(state: TableState) -> Iterator[str]:
    """Every turn that stands on the sheet, by the number that a correction needs."""
    if state.game is None:
        return
    for turn in written(sheet_of(state, state.game_number)):
        dice, box = "".join(map(str, sorted(turn.dice))), state.book.box(turn.box).name
        yield f"{turn.number + 1}. {state.seats[turn.seat].name}: {dice} in {box}, {turn.entry.points}"


def forgiving(stream: TextIO) -> TextIO:
    """A terminal or pipe that knows fewer letters than we use shows a question mark instead of failing."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream
