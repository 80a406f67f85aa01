"""Store what connects people with their browsers: links between devices, and where notices go.

A browser is known by its key, and a person by the hash of it. A second browser gets the same key, so the rest of the
server need not know of it. The server does not know the key: a link keeps it encrypted with its own code, of which only
the hash is stored. Each link works once, and ends with the key.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from fivedice.store import schema
from fivedice.store.circles import move_person
from fivedice.store.decision_store import TEN, tenths
from fivedice.store.own_data import move_rows, move_seats, tables_of
from fivedice.store.table_store import Store
from fivedice.table.refusals import ROW, NotAllowed

LINK_LASTS = timedelta(minutes=10)  # a spare link lasts until it is used


@dataclass(frozen=True, slots=True)
class DeviceLink:
    """A link that was not used yet."""

    player: str
    sealed: str
    spare: bool
    created: str


class SitsTwice(NotAllowed, code="not-allowed"):
    """Both browsers sit in the same unfinished game."""

    def __init__(self, table: str) -> None:
        super().__init__("web.sits-twice")
        self.table = table


class Devices:
    """The links of all people. The codes that are passed here are hashes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def offer(self, code: str, player: str, sealed: str, *, spare: bool) -> None:
        """Store a link; an earlier one of the same kind ends, and so do all that have expired."""
        links = schema.device_links
        row = {"code": code, "player": player, "sealed": sealed, "spare": spare, "created": _time(datetime.now(UTC))}

        def write(connection: Connection) -> None:
            connection.execute(delete(links).where(links.c.spare.is_(False), links.c.created < _oldest()))
            connection.execute(delete(links).where(links.c.player == player, links.c.spare.is_(spare)))
            connection.execute(insert(links).values(row))

        with self._store.quota.write(ROW + len(sealed)):
            self._store.write(write)

    def find(self, code: str) -> DeviceLink | None:
        """Return a link without using it; None if it was used, was replaced or has expired."""
        with self._store.reading() as connection:
            return _find(connection, code)

    def has_spare(self, player: str) -> bool:
        """Return whether a person has a spare link that was not used."""
        links = schema.device_links.c
        with self._store.reading() as connection:
            query = select(links.code).where(links.player == player, links.spare.is_(True))
            return connection.execute(query).first() is not None

    def join(self, code: str, other: str) -> DeviceLink | None:
        """Use a link and join what `other` has kept to its person. Return the link, or None if it does not work.

        Of simultaneous calls only one succeeds. Raise SitsTwice if both sit in the same unfinished game: then nothing
        has changed.
        """
        return self._store.write(lambda connection: _join(connection, code, other))


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _oldest() -> str:
    return _time(datetime.now(UTC) - LINK_LASTS)


def _find(connection: Connection, code: str) -> DeviceLink | None:
    links = schema.device_links.c
    query = select(links.player, links.sealed, links.spare, links.created).where(links.code == code)
    row = connection.execute(query).one_or_none()
    return None if row is None or not (row.spare or row.created >= _oldest()) else DeviceLink(*row)


def _join(connection: Connection, code: str, other: str) -> DeviceLink | None:
    link, links = _find(connection, code), schema.device_links
    if link is None or connection.execute(delete(links).where(links.c.code == code)).rowcount != 1:
        return None
    if other != link.player:
        _join_people(connection, other, link.player)
    return link


def _join_people(connection: Connection, old: str, new: str) -> None:
    tables, seats = tables_of(connection, old), schema.tables.c
    connection.execute(select(seats.id).where(seats.id.in_(tables)).order_by(seats.id).with_for_update())
    _refuse_two_seats(connection, old, new)
    move_seats(connection, tables, old, new)
    for rows, key in ((schema.parts, "table_id"), (schema.shelves, "book_id")):
        _move_missing(connection, rows, key, old, new)
    _join_attempts(connection, old, new)
    _join_tens(connection, old, new)
    _join_training(connection, old, new)
    move_person(connection, old, new)
    known = connection.execute(select(schema.players.c.id).where(schema.players.c.id == new)).first()
    if known is None:
        move_rows(connection, schema.players, "id", old, new)
    connection.execute(delete(schema.players).where(schema.players.c.id == old))
    connection.execute(delete(schema.device_links).where(schema.device_links.c.player == old))
    for rows in (schema.deals, schema.subscriptions):
        move_rows(connection, rows, "player", old, new)
    keep_newest(connection, new)


def _refuse_two_seats(connection: Connection, old: str, new: str) -> None:
    mine, theirs, row = schema.seats.alias("mine"), schema.seats.alias("theirs"), schema.tables.c
    query = select(row.id).join(mine, mine.c.table_id == row.id).join(theirs, theirs.c.table_id == row.id)
    both = (mine.c.player == old, theirs.c.player == new, row.phase.in_(("seating", "playing")))
    found = connection.execute(query.where(*both).limit(1)).scalar()
    if found is not None:
        raise SitsTwice(found)


def _move_missing(connection: Connection, rows: Table, key: str, old: str, new: str) -> None:
    """Move the rows of a person, except those that the other has already."""
    there = select(rows.c[key]).where(rows.c.player == new).scalar_subquery()
    connection.execute(delete(rows).where(rows.c.player == old, rows.c[key].in_(there)))
    move_rows(connection, rows, "player", old, new)


def _join_attempts(connection: Connection, old: str, new: str) -> None:
    """Join the results of deals: of two the first counts, and the other leaves the counts of everyone."""
    row, fields = schema.attempts.c, schema.fields
    query = select(row.deal, row.player, row.lost).where(row.player.in_((old, new)))
    found = connection.execute(query.order_by(row.deal, row.begun, row.table_id).with_for_update()).all()
    for deal, attempts in groupby(found, key=attrgetter("deal")):
        for late in list(attempts)[1:]:
            connection.execute(delete(schema.attempts).where(row.deal == deal, row.player == late.player))
            _count_down(connection, fields, (fields.c.deal == deal, fields.c.lost == late.lost))
    move_rows(connection, schema.attempts, "player", old, new)


def _join_tens(connection: Connection, old: str, new: str) -> None:
    """Join the answers to the ten of each day, in the same way. Practice never replaces what counts."""
    row, fields = schema.tens.c, schema.ten_fields
    query = select(schema.tens).where(row.player.in_((old, new))).order_by(row.day, row.late).with_for_update()
    for day, tens in groupby(connection.execute(query).all(), key=attrgetter("day")):
        for later in sorted(tens, key=lambda each: (each.late, each.begun or "", each.player != new))[1:]:
            connection.execute(delete(schema.tens).where(row.player == later.player, row.day == day))
            if later.answered == TEN and not later.late:
                lost = tenths(sum(lost for _, lost in later.answers))
                _count_down(connection, fields, (fields.c.day == day, fields.c.lost == lost))
    move_rows(connection, schema.tens, "player", old, new)


def _count_down(connection: Connection, counts: Table, which: tuple[Any, ...]) -> None:
    connection.execute(update(counts).where(*which, counts.c["count"] > 0).values(count=counts.c["count"] - 1))


def _join_training(connection: Connection, old: str, new: str) -> None:
    """Join the training: the rating of the one who has answered more, and the answers and hints of both."""
    row = schema.trainees.c
    query = select(row.player, row.version, row.content).where(row.player.in_((old, new))).with_for_update()
    found = connection.execute(query).all()
    if len(found) == 2:
        most = max(found, key=lambda each: (each.content.get("answered", 0), each.player == new)).content
        sums = {name: sum(each.content.get(name, 0) for each in found) for name in ("answered", "hints")}
        joined = {"version": 1 + max(each.version for each in found), "content": most | sums if most else most}
        connection.execute(update(schema.trainees).where(row.player == new).values(joined))
        connection.execute(delete(schema.trainees).where(row.player == old))
    move_rows(connection, schema.trainees, "player", old, new)


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
        row = {"id": new.id, "player": player, "failures": 0, "created": _time(datetime.now(UTC))}
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
