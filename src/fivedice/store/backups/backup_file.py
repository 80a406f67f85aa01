"""Take and restore backups: everything in one file, while servers run.

SQLite copies its own pages. For PostgreSQL, `pg_dump` writes a dump if it is installed and recent enough; otherwise the
rows are copied into a SQLite file. Both kinds of file can be restored into both kinds of database. A new backup has a
temporary name in the same folder until it is complete.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import Boolean, Connection, Engine, MetaData, Table, delete, func, insert, select, text
from sqlalchemy.exc import DBAPIError

from fivedice.errors import FivediceError, MalformedError
from fivedice.store import schema
from fivedice.store.backups.integrity import AT_ONCE, Contents, Damaged, check_everything
from fivedice.store.database import (
    NewerSchema,
    connect_to,
    first_line,
    hide_password,
    migrate,
    open_database,
    revision_of,
)
from fivedice.store.migrations import require_known

_NEW_EDITION = 2**31 - 1
_PAGES = 1024  # that SQLite copies between two progress reports
_DUMP = b"PGDMP"  # the first bytes of a PostgreSQL dump
_COPY = re.compile(r"COPY (?:\w+\.)?(\w+) \((.*)\) FROM stdin;\n")
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
Progress: TypeAlias = Callable[[int, int], None]  # called with the amount done and the total


class BackupError(FivediceError):
    """A backup cannot be taken or restored. The message says why; the database has not changed."""


def backup(
    url: str, file: Path, *, replace: bool = False, portable: bool = False, progress: Progress | None = None
) -> Contents:
    """Write the whole database into one file, check the file, and return its contents.

    A `portable` file can be restored without the tools of PostgreSQL. Raise BackupError if the file exists and
    `replace` is not set, if it cannot be written, or if the database is unreadable or damaged.
    """
    if file.exists() and not replace:
        raise BackupError("store.file-exists", file=str(file))
    source = connect_to(url)
    try:
        with _draft_file(file) as draft, _snapshot(source) as from_:
            dumped = not portable and source.dialect.name == "postgresql" and _dump(from_, draft)
            if not dumped:
                _copy(from_, draft, progress)
            _settle(draft, file, is_dump=dumped)
            if dumped:  # check the dumped snapshot: the dump would have to be loaded first
                return _check_written(from_, file, progress)
    except DBAPIError as error:
        raise BackupError("store.unreadable", database=hide_password(url), reason=str(error.orig)) from error
    except NewerSchema as error:
        raise BackupError("store.newer", database=hide_password(url)) from error
    finally:
        source.dispose()
    with _open_copy(file) as engine, engine.connect() as connection:
        return _check_written(connection, file, progress)


def check(url: str, progress: Progress | None = None) -> Contents:
    """Read the whole database as it is now, and return its contents. Raise BackupError if it is damaged.

    Other processes can write meanwhile: only a snapshot is read.
    """
    source = connect_to(url)
    try:
        with _snapshot(source) as connection:
            _revision(connection)
            return _sound(connection, hide_password(url), progress)
    except DBAPIError as error:
        raise BackupError("store.unreadable", database=hide_password(url), reason=str(error.orig)) from error
    finally:
        source.dispose()


def restore(url: str, file: Path, *, replace: bool = False) -> Contents:
    """Restore a backup into the database, completely or not at all, and return its contents.

    Raise BackupError if the file is damaged, or if the database cannot be written or has data and `replace` is not set.
    """
    with _open_copy(file) as source, source.connect() as from_:
        contents = _sound(from_, file)  # before other writers are locked out
        target = open_database(url)
        try:
            with target.begin() as to:
                _replace_everything(from_, to, url, replace=replace)
        except DBAPIError as error:
            raise BackupError("store.unwritable", database=hide_password(url), reason=str(error.orig)) from error
        finally:
            target.dispose()
    return contents


@contextmanager
def _snapshot(source: Engine) -> Iterator[Connection]:
    """Yield a connection that sees all rows as they are at one moment, without blocking writers."""
    options: dict[str, Any] = {"fivedice_read": True}
    if source.dialect.name == "postgresql":
        options["isolation_level"] = "REPEATABLE READ"
    with source.connect().execution_options(**options) as connection, connection.begin():
        yield connection


def _copy(from_: Connection, draft: Path, progress: Progress | None) -> None:
    revision = _revision(from_)
    if from_.dialect.name == "sqlite":
        require_known(revision)
        _copy_pages(from_, draft, progress)
    else:
        target, then = _draft_of(draft, revision)
        with target.begin() as to:
            _copy_rows(from_, to, then, progress)
        target.dispose()


def _dump(from_: Connection, draft: Path) -> bool:
    """Write a dump of the snapshot with `pg_dump`, and return whether that succeeded."""
    tool = shutil.which("pg_dump")
    if tool is None:
        return False
    require_known(_revision(from_))
    from_.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")  # idle while the tool runs
    snapshot = from_.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one()
    address = from_.engine.url.set(drivername="postgresql")
    database = address.set(password=None).render_as_string()
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={draft}"]
    secret = {} if address.password is None else {"PGPASSWORD": str(address.password)}  # arguments are public
    command = [tool, *options, f"--dbname={database}"]
    return subprocess.run(command, env=os.environ | secret, capture_output=True, check=False).returncode == 0  # noqa: S603


def _copy_pages(from_: Connection, draft: Path, progress: Progress | None) -> None:
    """Copy the file with SQLite's backup function; the open snapshot excludes pages that are written meanwhile."""

    def report(_: int, left: int, total: int) -> None:
        if progress is not None:
            progress(total - left, total)

    with closing(sqlite3.connect(draft)) as target:
        from_.connection.driver_connection.backup(target, pages=_PAGES, progress=report)  # type: ignore[union-attr]


def _draft_of(file: Path, revision: str) -> tuple[Engine, MetaData]:
    """Return a new SQLite database with the schema of this revision, and that schema, which may be an older one."""
    target, then = connect_to(f"sqlite:///{file}"), MetaData()
    migrate(target, revision)
    then.reflect(target)
    return target, then


def _copy_rows(from_: Connection, to: Connection, tables: MetaData, progress: Progress | None = None) -> None:
    """Copy all rows, and call `progress` with the number of rows copied and the total."""
    names = [table for table in tables.sorted_tables if table.name != "alembic_version"]
    count, done = select(func.count()), 0
    every = sum(from_.execute(count.select_from(table)).scalar_one() for table in names) if progress else 0
    for table in names:
        found = from_.execute(select(table), execution_options={"yield_per": AT_ONCE}).mappings()
        for rows in found.partitions():
            to.execute(insert(table), [dict(row) for row in rows])
            done += len(rows)
            if progress is not None:
                progress(done, every)


def _replace_everything(from_: Connection, to: Connection, url: str, *, replace: bool) -> None:
    """Replace all rows with other writers locked out. Raise BackupError if there are rows and `replace` is not set."""
    tables = list(reversed(schema.metadata.sorted_tables))
    if to.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        to.execute(text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))
    used = (schema.tables, schema.players, schema.books)
    if not replace and any(to.execute(select(table).limit(1)).first() for table in used):
        raise BackupError("store.not-empty", database=hide_password(url))
    for table in tables:
        to.execute(delete(table))
    _copy_rows(from_, to, schema.metadata)
    # Running servers have cached the old tables: a new edition makes them load the tables again.
    to.execute(schema.tables.update().values(edition=1 + secrets.randbelow(_NEW_EDITION)))


@contextmanager
def _draft_file(file: Path) -> Iterator[Path]:
    """Yield a new private file in the same folder, deleted unless it is moved. Raise BackupError if that fails."""
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
def _open_copy(file: Path) -> Iterator[Engine]:
    """Yield an engine for a copy of a backup with the newest schema. Raise BackupError if it is not a backup."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.db"
        try:
            if _is_dump(file):
                _load_dump(file, copy)
            else:
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


def _is_dump(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(_DUMP)) == _DUMP


def _load_dump(file: Path, copy: Path) -> None:
    """Convert a PostgreSQL dump into a SQLite file. Raise BackupError if it is not ours, or from a newer version."""
    revision = next((row[0] for _, _, row in _dumped_rows(file, "--table=alembic_version")), None)
    if revision is None:
        raise BackupError("store.not-a-backup", file=str(file))
    try:
        target, then = _draft_of(copy, str(revision))
    except NewerSchema as error:
        raise BackupError("store.newer", database=str(file)) from error
    with closing(sqlite3.connect(copy)) as to, to:
        for name, rows in groupby(_dumped_rows(file), key=itemgetter(0)):
            if name in then.tables and name != "alembic_version":
                _insert_dumped(to, then.tables[name], ((columns, row) for _, columns, row in rows))
    target.dispose()


def _insert_dumped(to: sqlite3.Connection, table: Table, rows: Iterator[tuple[list[str], list[str | None]]]) -> None:
    columns, first = next(rows)
    flags = [place for place, name in enumerate(columns) if isinstance(table.c[name].type, Boolean)]
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our own names

    def convert(row: list[str | None]) -> list[Any]:
        return [row[place] == "t" if place in flags else value for place, value in enumerate(row)]

    to.executemany(statement, (convert(row) for row in chain([first], (row for _, row in rows))))


def _dumped_rows(file: Path, *options: str) -> Iterator[tuple[str, list[str], list[str | None]]]:
    """Yield table, columns and values of each row, as `pg_restore` prints them. Raise BackupError if that fails."""
    tool = shutil.which("pg_restore")
    if tool is None:
        raise BackupError("store.dump-tool", file=str(file))
    command = [tool, "--data-only", "--file=-", *options, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as running:  # noqa: S603
        table, columns = "", list[str]()
        for line in running.stdout or ():
            if begun := _COPY.fullmatch(line):
                table, columns = begun[1], [name.strip('"') for name in begun[2].split(", ")]
            elif line == "\\.\n":
                table = ""
            elif table:
                yield table, columns, [_dumped_value(value) for value in line[:-1].split("\t")]
        problem = running.stderr.read() if running.stderr else ""
    if running.returncode:
        raise BackupError("store.file-unreadable", file=str(file), reason=first_line(problem))


def _dumped_value(text: str) -> str | None:
    if text == r"\N":
        return None
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text) if "\\" in text else text


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


def _check_written(connection: Connection, file: Path, progress: Progress | None) -> Contents:
    try:
        return check_everything(connection, progress)
    except Damaged as problem:
        raise BackupError("store.written-damaged", file=str(file), problem=problem) from problem


def _sound(connection: Connection, what: object, progress: Progress | None = None) -> Contents:
    try:
        return check_everything(connection, progress)
    except Damaged as problem:
        raise BackupError("store.damaged", file=str(what), problem=problem) from problem


def _settle(draft: Path, file: Path, *, is_dump: bool) -> None:
    """Merge SQLite's write-ahead log into the draft, sync it to disk, and then give it its final name."""
    if not is_dump:
        with closing(sqlite3.connect(draft)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    with draft.open("rb+") as written:
        os.fsync(written.fileno())
    draft.replace(file)
