"""What a command leads to: events, or a refusal. Nothing is changed here and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fivedice.table import commands as ask, events as log
from fivedice.table.decide import pad_turns as pad, playing, seating, undo
from fivedice.table.decide.rights import HOUSE, MOST_SEATS, Context, house_plays, is_absent
from fivedice.table.decide.undo import undo_way
from fivedice.table.state import TableState

__all__ = ["HOUSE", "MOST_SEATS", "Context", "decide", "house_plays", "is_absent", "undo_way"]


def decide(state: TableState, command: ask.Command, context: Context) -> tuple[log.Event, ...]:
    """The events that a command causes at this table."""
    return _DECISIONS[type(command)](state, command, context)


_DECISIONS: dict[type[Any], Callable[[TableState, Any, Context], tuple[log.Event, ...]]] = {
    ask.SitDown: seating.sit,
    ask.SeatBot: seating.seat_bot,
    ask.StandUp: seating.stand,
    ask.StartGame: seating.start,
    ask.RollDice: playing.roll,
    ask.EnterDice: playing.enter,
    ask.FillBox: playing.fill,
    ask.Withdraw: pad.withdraw,
    ask.WriteTurn: pad.write_turn,
    ask.Correct: pad.correct,
    ask.NextGame: pad.next_game,
    ask.TakePencil: pad.take_pencil,
    ask.TakeBack: undo.take_back,
    ask.AnswerUndo: undo.answer,
    ask.Leave: seating.leave,
    ask.ComeBack: seating.come_back,
    ask.TakeOver: seating.take_over,
    ask.SkipTurn: seating.skip,
    ask.Dismiss: seating.dismiss,
    ask.GiveUp: seating.give_up,
}
