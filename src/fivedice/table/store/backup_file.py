"""Backups: everything in one SQLite file, taken and put back while servers run.

The file is the same whether the tables are kept in SQLite or in PostgreSQL, so it also carries them from one to the
other. It is written beside its final name and moved there when it is complete.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, delete, insert, select, text
from sqlalchemy.exc import DBAPIError

from fivedice.errors import FivediceError, MalformedError
from fivedice.table.store import schema
from fivedice.table.store.database import NewerSchema, connect_to, migrate, open_database, revision_of, shown
from fivedice.table.store.integrity import AT_ONCE, Contents, Damaged, check_everything

_NEW_EDITION = 2**31 - 1


class BackupError(FivediceError):
    """A backup that cannot be taken or put back. The message says why; nothing has changed."""


def backup(url: str, file: Path, *, replace: bool = False) -> Contents:
    """Write everything that is in the database now into one file, and say what that is."""
    if file.exists() and not replace:
        raise BackupError("store.file-exists", file=str(file))
    source = connect_to(url)
    try:
        with _beside(file) as draft:
            _copy(source, draft)
            _settle(draft, file)
    except DBAPIError as error:
        raise BackupError("store.unreadable", database=shown(url), reason=str(error.orig)) from error
    except NewerSchema as error:
        raise BackupError("store.newer", database=shown(url)) from error
    finally:
        source.dispose()
    return _checked(file)


def check(url: str) -> Contents:
    """Read the whole database as it is now, and say what is in it; refuses where it is damaged."""
    source = connect_to(url)
    try:
        with source.connect() as connection:
            _revision(connection)
            return _sound(connection, shown(url))
    except DBAPIError as error:
        raise BackupError("store.unreadable", database=shown(url), reason=str(error.orig)) from error
    finally:
        source.dispose()


def restore(url: str, file: Path, *, replace: bool = False) -> Contents:
    """Put a backup into the database: all of it or, if anything is wrong, nothing."""
    with _loaded(file) as source, source.connect() as from_:
        contents = _sound(from_, file)  # before anybody is kept from writing
        target = open_database(url)
        try:
            with target.begin() as to:
                _replace_everything(from_, to, url, replace=replace)
        except DBAPIError as error:
            raise BackupError("store.unwritable", database=shown(url), reason=str(error.orig)) from error
        finally:
            target.dispose()
    return contents


def _copy(source: Engine, draft: Path) -> None:
    """One snapshot of all rows: what is written meanwhile is in none of them or in all."""
    options: dict[str, Any] = {"fivedice_read": True}
    if source.dialect.name == "postgresql":
        options["isolation_level"] = "REPEATABLE READ"
    with source.connect().execution_options(**options) as from_, from_.begin():
        target = connect_to(f"sqlite:///{draft}")
        migrate(target, _revision(from_))
        then = MetaData()  # the schema as it is there, not as this program would have it
        then.reflect(target)
        with target.begin() as to:
            _copy_rows(from_, to, then)
        target.dispose()


def _copy_rows(from_: Connection, to: Connection, tables: MetaData) -> None:
    for table in tables.sorted_tables:
        if table.name != "alembic_version":
            for rows in from_.execution_options(yield_per=AT_ONCE).execute(select(table)).mappings().partitions():
                to.execute(insert(table), [dict(row) for row in rows])


def _replace_everything(from_: Connection, to: Connection, url: str, *, replace: bool) -> None:
    """Inside one transaction, with everybody else kept from writing."""
    tables = list(reversed(schema.metadata.sorted_tables))
    if to.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        to.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))
    used = (schema.tables, schema.players, schema.books)
    if not replace and any(to.execute(select(table).limit(1)).first() for table in used):
        raise BackupError("store.not-empty", database=shown(url))
    for table in tables:
        to.execute(delete(table))
    _copy_rows(from_, to, schema.metadata)
    # Servers that run know the tables as they were: by this they see that those are others now.
    to.execute(schema.tables.update().values(edition=1 + secrets.randbelow(_NEW_EDITION)))


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """A file of our own in the same folder, which nobody else may read; gone unless it was moved away."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    except OSError as error:
        raise BackupError("store.file-unwritable", file=str(file), reason=str(error.strerror)) from None
    os.close(handle)
    try:
        yield Path(name)
    finally:
        for left in file.parent.glob(f"{Path(name).name}*"):
            left.unlink()


@contextmanager
def _loaded(file: Path) -> Iterator[Engine]:
    """A copy of the backup, brought up to date; the file itself is only read."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.db"
        try:
            shutil.copyfile(file, copy)
        except OSError as error:
            raise BackupError("store.file-unreadable", file=str(file), reason=str(error.strerror)) from None
        _need_ours(copy, file)
        try:
            engine = open_database(f"sqlite:///{copy}")
        except MalformedError as error:
            raise BackupError(str(error).replace(str(copy), str(file))) from None
        try:
            yield engine
        finally:
            engine.dispose()


def _need_ours(copy: Path, file: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        try:
            connection.execute("SELECT id, version FROM tables LIMIT 1")
            connection.execute("SELECT version_num FROM alembic_version")
        except sqlite3.DatabaseError:
            raise BackupError("store.not-a-backup", file=str(file)) from None


def _revision(connection: Connection) -> str:
    found = revision_of(connection)
    if found is None:
        raise BackupError("store.no-tables")
    return found


def _checked(file: Path) -> Contents:
    """Damage that is in the database is kept, so that nothing else is lost; but it is told."""
    with _loaded(file) as engine, engine.connect() as connection:
        try:
            return check_everything(connection)
        except Damaged as problem:
            raise BackupError("store.written-damaged", file=str(file), problem=problem) from problem


def _sound(connection: Connection, what: object) -> Contents:
    try:
        return check_everything(connection)
    except Damaged as problem:
        raise BackupError("store.damaged", file=str(what), problem=problem) from problem


def _settle(draft: Path, file: Path) -> None:
    """One file, without a log beside it, and on disk before it gets its name."""
    with closing(sqlite3.connect(draft)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    with draft.open("rb+") as written:
        os.fsync(written.fileno())
    draft.replace(file)
