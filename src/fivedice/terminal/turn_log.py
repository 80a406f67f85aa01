"""The log of a game: all turns with a scored box."""

from __future__ import annotations

from collections.abc import Iterator

from fivedice.core.dice import Roll
from fivedice.table.actions.rewrite import sheet_of, written_turns
from fivedice.table.state import TableState
from fivedice.terminal.game_lines import name
from fivedice.text import word


def turn_lines(state: TableState) -> Iterator[str]:
    """Yield every scored turn, with the number that a correction needs."""
    for turn in () if state.game is None else written_turns(sheet_of(state, state.game_number)):
        yield word(
            "terminal.turn-written-saved" if turn.saved else "terminal.turn-written",
            count=turn.saved,
            turn=turn.number + 1,
            name=name(state, turn.seat),
            dice=Roll(turn.dice),
            box=state.book.box(turn.box),
            points=turn.entry.points,
        )
