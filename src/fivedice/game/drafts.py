"""Frozen values, made quickly.

A frozen dataclass sets its fields one by one through `object.__setattr__`: for positions and steps that was a third of
the time of a game. A draft has the same slots and can be written to. It becomes the value when its class is changed,
and is as frozen as any other from then on. Whoever uses one gives every slot.
"""

from __future__ import annotations

from typing import Any


def draft_of(value: type[Any]) -> type[Any]:
    """The class of drafts of a class with slots."""
    return type(f"{value.__name__}Draft", (), {"__slots__": value.__slots__})
