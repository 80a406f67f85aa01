"""Every event, from the modules of their features, and their form in a log; `EVENTS` has them by their kinds there.

The log is the only source of truth: the state of a table is derived from its events.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from fivedice.errors import MalformedError, quote
from fivedice.table.action import EVENTS, Event, Rolled
from fivedice.table.actions.absence import HandedOver, HostPassed, Left, PencilPassed, StoodIn, deletion_events
from fivedice.table.actions.again import AgainSaid, GivenUp, Rematched, SecretRevealed
from fivedice.table.actions.corrections import Corrected
from fivedice.table.actions.pad import Erased, NextStarted, SheetEnded, Withdrawn
from fivedice.table.actions.pad_people import Passed, Rejoined, Retired
from fivedice.table.actions.playing import Returned, Scored
from fivedice.table.actions.seating import Introduced, Opened, Sat, Started, StartsWith, Stood
from fivedice.table.actions.undo import UndoAnswered, UndoAsked, Undone


def to_data(event: Event) -> tuple[str, dict[str, Any]]:
    """Return the kind and the data of an event, ready for JSON."""
    return event.kind, event.data()


def from_data(kind: str, data: dict[str, Any]) -> Event:
    """Return the event of a log entry; ignore fields that this version does not know.

    Raise MalformedError for an unknown kind, or where a field is missing.
    """
    if kind not in EVENTS:
        raise MalformedError("table.log-kind", kind=quote(kind))
    event = EVENTS[kind]
    known = {field.name for field in fields(event)}
    values = {name: _freeze(value) for name, value in data.items() if name in known}
    try:
        return event(**{**dict.fromkeys(event.unsaid), **values})
    except TypeError:
        raise MalformedError("table.log-part", kind=quote(kind), data=quote(data)) from None


def _freeze(value: Any) -> Any:
    """Turn lists into tuples at every depth: JSON has only lists."""
    return tuple(map(_freeze, value)) if isinstance(value, list | tuple) else value
