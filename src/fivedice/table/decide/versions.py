"""Which commands are for the table as somebody saw it, and until when that still holds."""

from __future__ import annotations

from fivedice.table import commands as cmd
from fivedice.table.refusals import BadRequest, StaleVersion
from fivedice.table.state import TableState

# Commands that mean something else once the dice, the sheet or the numbers of the seats have changed.
_VERSIONED = (
    cmd.RollDice,
    cmd.EnterDice,
    cmd.Withdraw,
    cmd.FillBox,
    cmd.Correct,
    cmd.TakeBack,
    cmd.SkipTurn,
    cmd.StandUp,
)


def check_version(state: TableState, command: cmd.Command, version: int | None) -> None:
    """A command may have been made before people came and went, but not before what it is about."""
    if not isinstance(command, (*_VERSIONED, cmd.AnswerUndo)):
        return
    if version is None:
        raise BadRequest("table.version-missing")
    oldest = state.undo_version if isinstance(command, cmd.AnswerUndo) else state.game_version
    if not oldest <= version <= state.version:
        raise StaleVersion("table.stale", version=state.version)
