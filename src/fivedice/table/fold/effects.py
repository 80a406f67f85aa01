"""What each event does to a table. Live tables and stored logs go the same way, so they cannot differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fivedice.table import events as ev
from fivedice.table.fold import game_effects as play, seat_effects as seats
from fivedice.table.state import TableState


def folded(state: TableState, events: Iterable[ev.Event]) -> TableState:
    """A new state: those that are already looked at never change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def fold(state: TableState, event: ev.Event) -> None:
    """Let one event take effect."""
    state.version += 1
    _EFFECTS[type(event)](state, event)
    if isinstance(event, _GAME_EVENTS):
        state.game_version = state.version
    if not isinstance(event, ev.Told):  # it comes with what ended the game, and that is what people hear of
        state.last = event


_GAME_EVENTS = (
    ev.Stood,
    ev.Started,
    ev.Rolled,
    ev.Withdrawn,
    ev.Scored,
    ev.Corrected,
    ev.NextStarted,
    ev.Undone,
    ev.GivenUp,
)

_EFFECTS: dict[type[ev.Event], Callable[[TableState, Any], None]] = {
    ev.Opened: seats.opened,
    ev.Sat: seats.sat,
    ev.Stood: seats.stood,
    ev.Started: play.started,
    ev.Rolled: play.rolled,
    ev.Withdrawn: play.withdrawn,
    ev.Scored: play.scored,
    ev.Corrected: play.corrected,
    ev.NextStarted: play.next_started,
    ev.PencilPassed: seats.pencil_passed,
    ev.UndoAsked: play.undo_asked,
    ev.UndoAnswered: play.undo_answered,
    ev.Undone: play.undone,
    ev.Left: seats.left,
    ev.Returned: seats.returned,
    ev.HandedOver: seats.handed_over,
    ev.StoodIn: seats.stood_in,
    ev.GivenUp: play.given_up,
    ev.Told: seats.told,
    ev.Rematched: seats.rematched,
}
