"""What happened at a table: the log is the truth, and everything else is folded from it.

Each event is declared in the module of its feature: `commands` lists those. `EVENTS` has them by their kinds in a log.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from fivedice.errors import MalformedError, quote
from fivedice.table.commands import *
from fivedice.table.decide.action import EVENTS as EVENTS, Event as Event


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
    values = {name: _frozen(value) for name, value in data.items() if name in known}
    try:
        return event(**{**dict.fromkeys(event.unsaid), **values})
    except TypeError:
        raise MalformedError("table.log-part", kind=quote(kind), data=quote(data)) from None


def _frozen(value: Any) -> Any:
    """Turn lists into tuples at every depth: JSON has only lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
