"""Store what people chose last time, so that they need not choose it again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from fivedice.store import schema
from fivedice.store.access import Reading, Writer
from fivedice.table.quota import ROW, Quota


class Choices:
    """The last choices of all people."""

    def __init__(self, writer: Writer, reading: Reading, quota: Quota) -> None:
        self._writer = writer
        self._reading = reading
        self._quota = quota

    def of(self, player: str) -> dict[str, Any]:
        """Return what a person chose last time, or an empty dict."""
        with self._reading() as connection:
            query = select(schema.players.c.choices).where(schema.players.c.id == player)
            found: dict[str, Any] | None = connection.execute(query).scalar_one_or_none()
        return found or {}

    def remember(self, player: str, choices: dict[str, Any]) -> None:
        """Store these choices of a person in place of the earlier ones."""
        seen = datetime.now(UTC).isoformat(timespec="milliseconds")

        def write(connection: Connection) -> None:
            connection.execute(delete(schema.players).where(schema.players.c.id == player))
            connection.execute(insert(schema.players).values(id=player, choices=choices, seen=seen))

        with self._quota.write(ROW + len(str(choices))):  # each new browser adds a row
            self._writer.write(write)
