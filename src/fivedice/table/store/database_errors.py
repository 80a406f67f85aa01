"""When the database says no: which words a person gets, and which number a program.

A full disk, a disk that became read-only and a database that went away are nobody's mistake at the table. Nothing is
half written then, and everything goes on by itself once the cause is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError as PoolTimeout

from fivedice.table.refusals import Refusal


class CannotWrite(Refusal):
    """The disk under the database refuses."""

    code = "cannot-write"
    status = 503


class DiskFull(CannotWrite):
    """No room is left."""

    code = "disk-full"
    status = 507


class DatabaseAway(Refusal):
    """Nobody answers; a commit that was under way may or may not have happened."""

    code = "database-away"
    status = 503


_FULL, _READ_ONLY, _BROKEN = "store.disk-full", "store.read-only", "store.disk-broken"
_BUSY, _AWAY = "store.locked", "store.away"

# What SQLite calls its results, and the first digits of what PostgreSQL answers.
_SQLITE = {
    "SQLITE_FULL": (DiskFull, _FULL),
    "SQLITE_READONLY": (CannotWrite, _READ_ONLY),
    "SQLITE_CANTOPEN": (DatabaseAway, _AWAY),
    "SQLITE_IOERR": (CannotWrite, _BROKEN),
    "SQLITE_BUSY": (CannotWrite, _BUSY),
    "SQLITE_LOCKED": (CannotWrite, _BUSY),
}
_POSTGRESQL = {
    "53100": (DiskFull, _FULL),
    "53": (DatabaseAway, _AWAY),  # too many connections, out of memory
    "25006": (CannotWrite, _READ_ONLY),
    "57P": (DatabaseAway, _AWAY),  # it is shutting down, or starting
    "08": (DatabaseAway, _AWAY),
    "58": (CannotWrite, _BROKEN),
    "55P03": (CannotWrite, _BUSY),
    "40": (CannotWrite, _BUSY),
}


def refusal_of(error: BaseException | None) -> Refusal | None:
    """The refusal that says what this error of the database means, or None if it means a mistake of ours.

    SQLite ends the transaction when the disk is full, and rolling it back then fails as well: the first error is the
    one that counts.
    """
    while error is not None:
        found = _words_for(error)
        if found is not None:
            return found
        error = error.__context__
    return None


def _words_for(error: BaseException) -> Refusal | None:
    if isinstance(error, PoolTimeout):
        return DatabaseAway(_AWAY)
    if not isinstance(error, DBAPIError):
        return None
    name = getattr(error.orig, "sqlite_errorname", None) or ""
    state = getattr(error.orig, "sqlstate", None) or ""
    for known, found in ((_SQLITE, name), (_POSTGRESQL, state)):
        for start, (refusal, kind) in known.items():
            if found.startswith(start):
                return refusal(kind)
    return DatabaseAway(_AWAY) if error.connection_invalidated or _without_answer(error) else None


def _without_answer(error: DBAPIError) -> bool:
    """A driver that could not even connect has no code to show."""
    silent = not getattr(error.orig, "sqlstate", None) and not hasattr(error.orig, "sqlite_errorname")
    return silent and isinstance(error, OperationalError | InterfaceError)


@contextmanager
def as_refusals() -> Iterator[None]:
    """Errors of the database inside become refusals, where there are words for them."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error
