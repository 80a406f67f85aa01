"""Links that hand a seat or the pencil over. Only hashed codes are kept, and each works once."""

from __future__ import annotations

from enum import IntEnum

from sqlalchemy import Connection, Select, delete, insert, select

from fivedice.store import schema
from fivedice.store.access import Reading, Writer


class Pencil(IntEnum):
    """What stands for the pencil where a seat is handed over otherwise."""

    HANDED_ON = -1
    SPARE = -2  # kept on another phone in case this one is lost

    @property
    def is_spare(self) -> bool:
        return self is Pencil.SPARE


class Handovers:
    """What waits behind links of all tables."""

    def __init__(self, writer: Writer, reading: Reading) -> None:
        self._writer = writer
        self._reading = reading

    def offer_seat(self, code: str, table: str, seat: int) -> None:
        """Keep the hashed code of a link that hands a seat over; earlier links to the seat are void."""
        self._writer.write(lambda connection: _offer(connection, code, table, seat))

    def offer_pencil(self, code: str, table: str) -> None:
        """The same for the pencil."""
        self._writer.write(lambda connection: _offer(connection, code, table, Pencil.HANDED_ON))

    def offer_spare(self, code: str, table: str) -> None:
        """The same for the spare link to it."""
        self._writer.write(lambda connection: _offer(connection, code, table, Pencil.SPARE))

    def seat(self, code: str, table: str) -> int | None:
        """The seat behind a link, to show it before it is taken."""
        with self._reading() as connection:
            seat = connection.execute(_offered(code, table)).scalar_one_or_none()
        return None if seat is None or seat < 0 else seat

    def claim_seat(self, code: str, table: str) -> int | None:
        """The seat that a link hands over. A link works once, however many follow it at the same time."""
        return self._writer.write(lambda connection: _claim(connection, code, table, pencil=False))

    def claim_pencil(self, code: str, table: str) -> Pencil | None:
        """How a link hands the pencil on, if it does; it works once."""
        found = self._writer.write(lambda connection: _claim(connection, code, table, pencil=True))
        return None if found is None else Pencil(found)


def _offer(connection: Connection, code: str, table: str, seat: int) -> None:
    offers = schema.handovers.c
    connection.execute(delete(schema.handovers).where(offers.table_id == table, offers.seat == seat))
    connection.execute(insert(schema.handovers).values(code=code, table_id=table, seat=seat))


def _offered(code: str, table: str) -> Select[int]:
    offers = schema.handovers.c
    return select(offers.seat).where(offers.code == code, offers.table_id == table)


def _claim(connection: Connection, code: str, table: str, *, pencil: bool) -> int | None:
    """What the code hands over, if it is of this kind; whoever deletes it has it."""
    seat = connection.execute(_offered(code, table)).scalar_one_or_none()
    if seat is None or (seat < 0) is not pencil:
        return None
    offers = schema.handovers.c
    gone = connection.execute(delete(schema.handovers).where(offers.code == code, offers.table_id == table)).rowcount
    return seat if gone else None
