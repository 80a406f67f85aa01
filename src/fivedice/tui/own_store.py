"""The user's own store of tables, and the one place where trouble with it becomes a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from fivedice.errors import FivediceError
from fivedice.folders import data_folder
from fivedice.table.service import Tables
from fivedice.table.store.database import database_url, open_database
from fivedice.table.store.results import TableEntry
from fivedice.table.store.table_store import Store

TERMINAL = "terminal"  # the player id of whoever sits at this machine


def open_tables(url: str | None = None) -> Tables:
    """The store in the user's data folder, made if there is none."""
    with storing():
        return Tables(Store(open_database(url or database_url())))


def games(tables: Tables) -> list[TableEntry]:
    """The games of this terminal, newest first."""
    with storing():
        return tables.store.own_tables.of(TERMINAL)


@contextmanager
def storing() -> Iterator[None]:
    """Whatever the disk, the folder or the database has to say, as a message that names the way out."""
    try:
        yield
    except (OSError, SQLAlchemyError) as error:
        raise FivediceError("store.no-folder", folder=str(data_folder()), reason=_reason(error)) from None


def _reason(error: Exception) -> str:
    if isinstance(error, DBAPIError):
        return str(error.orig)
    return str(getattr(error, "strerror", None) or error)
