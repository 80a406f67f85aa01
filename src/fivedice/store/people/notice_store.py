"""Store where notices go: the push subscriptions of people and the webhooks of circles.

Only successes and failures are written, never what was sent. An address that fails too often in a row is deleted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from fivedice.store import schema
from fivedice.store.table_store import Store
from fivedice.table.refusals import ROW

MOST_SUBSCRIPTIONS = 8  # per person: a further one replaces the oldest
MOST_FAILURES = 8  # in a row


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that wants notices: the address at its push service, and its keys."""

    endpoint: str
    p256dh: str
    auth: str
    language: str = "en"

    @property
    def id(self) -> str:
        return sha256(self.endpoint.encode()).hexdigest()


class NoticeStore:
    """The subscriptions of all people, and the webhooks of all circles."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def subscribe(self, player: str, new: Subscription) -> None:
        """Store a subscription. A browser that changed its person takes its subscription with it."""
        rows = schema.subscriptions
        row = {"id": new.id, "player": player, "failures": 0, "created": _now()}
        row |= {name: getattr(new, name) for name in ("endpoint", "p256dh", "auth", "language")}

        def write(connection: Connection) -> None:
            connection.execute(delete(rows).where(rows.c.id == new.id))
            connection.execute(insert(rows).values(row))
            keep_newest(connection, player)

        with self._store.quota.write(ROW + len(new.endpoint)):
            self._store.write(write)

    def unsubscribe(self, player: str, endpoint: str) -> None:
        """Delete a subscription, if it is this person's."""
        rows, name = schema.subscriptions, Subscription(endpoint, "", "").id
        self._store.write(
            lambda connection: connection.execute(
                delete(rows).where(rows.c.id == name, rows.c.player == player)
            ).close()
        )

    def of(self, player: str) -> list[Subscription]:
        """Return the subscriptions of a person."""
        row = schema.subscriptions.c
        query = select(row.endpoint, row.p256dh, row.auth, row.language).where(row.player == player)
        with self._store.reading() as connection:
            return [Subscription(*each) for each in connection.execute(query.order_by(row.created))]

    def belongs(self, subscription: str, player: str) -> bool:
        """Return whether a subscription still exists and is this person's."""
        row = schema.subscriptions.c
        with self._store.reading() as connection:
            query = select(row.id).where(row.id == subscription, row.player == player)
            return connection.execute(query).first() is not None

    def set_webhook(self, circle: str, address: str) -> None:
        """Store the address of a circle's webhook in place of the one before; an empty address ends it."""
        rows, of_circle = schema.webhooks, schema.circles.c.id == circle

        def write(connection: Connection) -> None:
            exists = connection.execute(select(schema.circles.c.id).where(of_circle).with_for_update()).first()
            connection.execute(delete(rows).where(rows.c.circle == circle))
            if address and exists:
                connection.execute(insert(rows).values(circle=circle, address=address, failures=0))

        with self._store.quota.write(ROW + len(address)):
            self._store.write(write)

    def webhook(self, circle: str) -> str:
        """Return the address of a circle's webhook, or ""."""
        row = schema.webhooks.c
        with self._store.reading() as connection:
            return connection.execute(select(row.address).where(row.circle == circle)).scalar_one_or_none() or ""

    def note_subscription(self, subscription: str, *, delivered: bool | None) -> None:
        """Note an answer of a push service; None: the subscription has ended."""
        self._note(schema.subscriptions, schema.subscriptions.c.id == subscription, delivered)

    def note_webhook(self, circle: str, address: str, *, delivered: bool | None) -> None:
        """Note an answer of a webhook; None: it has ended. An address that was replaced since is left alone."""
        row = schema.webhooks.c
        self._note(schema.webhooks, (row.circle == circle) & (row.address == address), delivered)

    def _note(self, rows: Table, which: Any, delivered: bool | None) -> None:
        if delivered:  # usually nothing has failed before, and nothing is written
            with self._store.reading() as connection:
                if connection.execute(select(rows.c.failures).where(which, rows.c.failures > 0)).first() is None:
                    return

        def write(connection: Connection) -> None:
            if delivered is None:
                connection.execute(delete(rows).where(which))
            elif delivered:
                connection.execute(update(rows).where(which).values(failures=0))
            else:
                connection.execute(update(rows).where(which).values(failures=rows.c.failures + 1))
                connection.execute(delete(rows).where(which, rows.c.failures >= MOST_FAILURES))

        self._store.write(write)


def keep_newest(connection: Connection, player: str) -> None:
    """Delete the oldest subscriptions of a person beyond the bound."""
    rows = schema.subscriptions
    query = select(rows.c.id).where(rows.c.player == player).order_by(rows.c.created.desc(), rows.c.id)
    beyond = connection.execute(query).scalars().all()[MOST_SUBSCRIPTIONS:]
    if beyond:
        connection.execute(delete(rows).where(rows.c.id.in_(beyond)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
