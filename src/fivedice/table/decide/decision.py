"""What a command leads to: events, or a refusal. Nothing is changed here and nothing is stored."""

from __future__ import annotations

from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.rights import HOUSE, MOST_SEATS, house_plays, is_absent
from fivedice.table.decide.undo import undo_way
from fivedice.table.refusals import BadRequest, StaleVersion
from fivedice.table.state import TableState

__all__ = ["HOUSE", "MOST_SEATS", "Context", "check_version", "decide", "house_plays", "is_absent", "undo_way"]


def decide(state: TableState, command: Command, context: Context) -> tuple[Event, ...]:
    """The events that a command causes at this table."""
    return command.decide(state, context)


def check_version(state: TableState, command: Command, version: int | None) -> None:
    """A command may have been made before people came and went, but not before what it is about."""
    if not command.versioned:
        return
    if version is None:
        raise BadRequest("table.version-missing")
    if not command.oldest(state) <= version <= state.version:
        raise StaleVersion("table.stale", version=state.version)
