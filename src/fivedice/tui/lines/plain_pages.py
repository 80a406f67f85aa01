"""Pages of lines, for those who listen: what the dice score, the sheet, the turns, and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from io import TextIOWrapper
from typing import TextIO

from fivedice.dice import Roll
from fivedice.game import LineKind, Ruling, sheet_lines
from fivedice.game.card import bonus_pace
from fivedice.table.decide.rewrite import sheet_of, written
from fivedice.table.state import TableState
from fivedice.tui.game_lines import name
from fivedice.words import word

# What can be typed: the command with its short form, an example where it takes more, and what its sentence names.
COMMANDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "roll": ("r", "", {}),
    "keep": ("k", "keep 44", {"none": "keep -"}),
    "score": ("s", "score fours", {}),  # no sentence
    "sheet": ("", "", {}),
    "undo": ("u", "", {}),
    "hint": ("h", "", {}),
    "odds": ("o", "", {}),
    "training": ("", "training 3", {"off": "training off"}),  # no sentence
    "record": ("", "", {}),
    "help": ("?", "", {}),
    "quit": ("q", "", {}),
}
PAD_COMMANDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "roll-real": ("", "roll 24466", {"keep": "keep 44 146"}),
    "final": ("f", "final 14444", {}),
    "withdraw": ("w", "", {}),
    "written": ("", "", {}),
    "correct": ("", "correct 3 24446 fours", {"box": "correct 3 - fours"}),
}


def help_lines(*, pad: bool) -> Iterator[str]:
    yield word("terminal.commands")
    yield from _help_rows(COMMANDS)
    if pad:
        yield word("terminal.commands-pad")
        yield from _help_rows(PAD_COMMANDS)


def _help_rows(commands: dict[str, tuple[str, str, dict[str, str]]]) -> Iterator[str]:
    for command, (short, example, others) in commands.items():
        yield f"  {example or command:<14} {word(f'terminal.command.{command}', short=short, **others)}"


def score_lines(ruling: Ruling) -> Iterator[str]:
    """Every legal box with its points, and why the others are closed."""
    book = ruling.card.book
    for key, entry in ruling.legal.items():
        kind = f"terminal.scores{'-bonus' if entry.bonus else ''}{'-joker' if entry.joker else ''}"
        yield word(kind, box=book.box(key), code=book.box(key).code, points=entry.points, bonus=entry.bonus)
    for reason in dict.fromkeys(ruling.closed.values()):
        yield word("terminal.closed", reason=reason)


def card_lines(state: TableState) -> Iterator[str]:
    """A player after the other, which is easier to listen to than a table."""
    for seat, card in enumerate(() if state.game is None else state.game.position.cards):
        pace = bonus_pace(card)
        kind = "terminal.total" if pace is None else "terminal.total-pace"
        yield word(kind, name=name(state, seat), total=card.total, pace=pace)
        for line in sheet_lines(card):
            if line.kind is not LineKind.HEADING:
                kind = "terminal.line-open" if line.value is None else "terminal.line"
                yield f"  {word(kind, line=line, points=line.value)}"


def turn_lines(state: TableState) -> Iterator[str]:
    """Every turn that stands on the sheet, by the number that a correction needs."""
    for turn in () if state.game is None else written(sheet_of(state, state.game_number)):
        yield word(
            "terminal.turn-written",
            turn=turn.number + 1,
            name=name(state, turn.seat),
            dice=Roll(turn.dice),
            box=state.book.box(turn.box),
            points=turn.entry.points,
        )


def forgiving(stream: TextIO) -> TextIO:
    """A terminal or pipe that knows fewer letters than we use shows a question mark instead of failing."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream
