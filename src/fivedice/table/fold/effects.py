"""What each event does to a table. Live tables and stored logs go the same way, so they cannot differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fivedice.table import events as log
from fivedice.table.fold import game_effects as play, seat_effects as seats
from fivedice.table.state import TableState


def folded(state: TableState, events: Iterable[log.Event]) -> TableState:
    """A new state: those that are already looked at never change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def fold(state: TableState, event: log.Event) -> None:
    """Let one event take effect."""
    state.version += 1
    _EFFECTS[type(event)](state, event)
    if isinstance(event, _GAME_EVENTS):
        state.game_version = state.version
    if not isinstance(event, log.Told):  # it comes with what ended the game, and that is what people hear of
        state.last = event


_GAME_EVENTS = (
    log.Stood,
    log.Started,
    log.Rolled,
    log.Withdrawn,
    log.Scored,
    log.Corrected,
    log.NextStarted,
    log.Undone,
    log.GivenUp,
)

_EFFECTS: dict[type[log.Event], Callable[[TableState, Any], None]] = {
    log.Opened: seats.opened,
    log.Sat: seats.sat,
    log.Stood: seats.stood,
    log.Started: play.started,
    log.Rolled: play.rolled,
    log.Withdrawn: play.withdrawn,
    log.Scored: play.scored,
    log.Corrected: play.corrected,
    log.NextStarted: play.next_started,
    log.PencilPassed: seats.pencil_passed,
    log.UndoAsked: play.undo_asked,
    log.UndoAnswered: play.undo_answered,
    log.Undone: play.undone,
    log.Left: seats.left,
    log.Returned: seats.returned,
    log.HandedOver: seats.handed_over,
    log.StoodIn: seats.stood_in,
    log.GivenUp: play.given_up,
    log.Told: seats.told,
    log.Rematched: seats.rematched,
}
