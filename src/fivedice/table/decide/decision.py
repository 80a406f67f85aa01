"""What a command leads to: events, or a refusal. Nothing is changed here and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide import pad_turns as pad, playing, seating, undo
from fivedice.table.decide.rights import HOUSE, MOST_SEATS, Context, house_plays, is_absent
from fivedice.table.decide.undo import undo_way
from fivedice.table.state import TableState

__all__ = ["HOUSE", "MOST_SEATS", "Context", "decide", "house_plays", "is_absent", "undo_way"]


def decide(state: TableState, command: cmd.Command, context: Context) -> tuple[ev.Event, ...]:
    """The events that a command causes at this table."""
    return _DECISIONS[type(command)](state, command, context)


_DECISIONS: dict[type[Any], Callable[[TableState, Any, Context], tuple[ev.Event, ...]]] = {
    cmd.SitDown: seating.sit,
    cmd.SeatBot: seating.seat_bot,
    cmd.StandUp: seating.stand,
    cmd.StartGame: seating.start,
    cmd.RollDice: playing.roll,
    cmd.EnterDice: playing.enter,
    cmd.FillBox: playing.fill,
    cmd.Withdraw: pad.withdraw,
    cmd.WriteTurn: pad.write_turn,
    cmd.Correct: pad.correct,
    cmd.NextGame: pad.next_game,
    cmd.TakePencil: pad.take_pencil,
    cmd.TakeBack: undo.take_back,
    cmd.AnswerUndo: undo.answer,
    cmd.Leave: seating.leave,
    cmd.ComeBack: seating.come_back,
    cmd.TakeOver: seating.take_over,
    cmd.SkipTurn: seating.skip,
    cmd.Dismiss: seating.dismiss,
    cmd.GiveUp: seating.give_up,
}
