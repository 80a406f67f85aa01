"""What may be added to the store: checked once, right before something is written.

The store and the tables ask the quota they were given. This one allows everything; a server has one that counts by
client (`web/http/client_quota.py`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

ROW = 300  # bytes around the data of a row: keys, times, indexes


class Quota:
    """Allow everything. Each method may raise a refusal instead, when its block is entered."""

    def open_table(self) -> AbstractContextManager[None]:
        """Wrap the opening of a table; it counts unless the block raises a refusal."""
        return nullcontext()

    def bring_rules(self) -> AbstractContextManager[None]:
        """Wrap the opening of a table that brings new rules; they count even if no table comes of it."""
        return nullcontext()

    def save_rules(self, size: int) -> AbstractContextManager[None]:  # noqa: ARG002
        """Wrap saving house rules of so many bytes; they count unless the block raises a refusal."""
        return nullcontext()

    def write(self, size: int, *, new_table: bool = False) -> AbstractContextManager[None]:  # noqa: ARG002
        """Wrap writing about so many bytes; a rematch is a new table like any other."""
        return nullcontext()
