"""Events into state."""

from __future__ import annotations

from collections.abc import Iterable

from fivedice.table.decide.action import Event
from fivedice.table.state import TableState


def folded(state: TableState, events: Iterable[Event]) -> TableState:
    """A new state: those that are already looked at never change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def fold(state: TableState, event: Event) -> None:
    """Let one event take effect."""
    state.version += 1
    event.fold(state)
    if event.changes_game:
        state.game_version = state.version
    if event.heard:
        state.last = event
