"""Store links that hand over a seat or the scorekeeper's role. Only hashed codes are stored, and each works once."""

from __future__ import annotations

from enum import IntEnum

from sqlalchemy import Connection, Select, delete, insert, select

from fivedice.store import schema
from fivedice.store.access import StorePart


class Pencil(IntEnum):
    """Numbers that are stored in place of a seat if a link hands over the scorekeeper's role."""

    HANDED_ON = -1
    SPARE = -2  # a link for another phone, in case this one is lost

    @property
    def is_spare(self) -> bool:
        return self is Pencil.SPARE


class Handovers(StorePart):
    """The unused handover links of all tables."""

    def offer(self, code: str, table: str, seat: int) -> None:
        """Store the hashed code of a link to a seat or to a `Pencil`, and delete earlier links to the same."""
        offers = schema.handovers.c

        def write(connection: Connection) -> None:
            connection.execute(delete(schema.handovers).where(offers.table_id == table, offers.seat == seat))
            connection.execute(insert(schema.handovers).values(code=code, table_id=table, seat=seat))

        self._writer.write(write)

    def seat(self, code: str, table: str) -> int | None:
        """Return the seat that a link hands over, or None, without using the link."""
        seat: int | None = self._read_value(_select_offer(code, table))
        return None if seat is None or seat < 0 else seat

    def claim_seat(self, code: str, table: str) -> int | None:
        """Use a link, and return the seat that it hands over, or None. Of simultaneous calls only one succeeds."""
        return self._writer.write(lambda connection: _claim(connection, code, table, pencil=False))

    def claim_pencil(self, code: str, table: str) -> Pencil | None:
        """Use a link, and return how it hands over the scorekeeper's role, or None if it does not."""
        found = self._writer.write(lambda connection: _claim(connection, code, table, pencil=True))
        return None if found is None else Pencil(found)


def _select_offer(code: str, table: str) -> Select[int]:
    offers = schema.handovers.c
    return select(offers.seat).where(offers.code == code, offers.table_id == table)


def _claim(connection: Connection, code: str, table: str, *, pencil: bool) -> int | None:
    """Delete the code and return its seat; None if it is unknown, of the other kind, or already used."""
    seat = connection.execute(_select_offer(code, table)).scalar_one_or_none()
    if seat is None or (seat < 0) is not pencil:
        return None
    offers = schema.handovers.c
    gone = connection.execute(delete(schema.handovers).where(offers.code == code, offers.table_id == table)).rowcount
    return seat if gone else None
