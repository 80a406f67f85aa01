"""Which commands are for the table as somebody saw it, and until when that still holds."""

from __future__ import annotations

from fivedice.table import commands as ask
from fivedice.table.refusals import BadRequest, StaleVersion
from fivedice.table.state import TableState

# Commands that mean something else once the dice, the sheet or the numbers of the seats have changed.
_VERSIONED = (
    ask.RollDice,
    ask.EnterDice,
    ask.Withdraw,
    ask.FillBox,
    ask.Correct,
    ask.TakeBack,
    ask.SkipTurn,
    ask.StandUp,
)


def check_version(state: TableState, command: ask.Command, version: int | None) -> None:
    """A command may have been made before people came and went, but not before what it is about."""
    if not isinstance(command, (*_VERSIONED, ask.AnswerUndo)):
        return
    if version is None:
        raise BadRequest("The command needs the version of the table that it was made for.")
    oldest = state.undo_version if isinstance(command, ask.AnswerUndo) else state.game_version
    if not oldest <= version <= state.version:
        raise StaleVersion("The table has moved on since you looked. Here is how it stands now.", version=state.version)
