"""Keep the file of a SQLite database private, and detect when it is no longer the one that was opened.

A process can go on using a file that was deleted, moved or replaced while open: moves would be accepted, and lost when
the process ends. So the file is checked before each write, and again before the write is confirmed.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import URL, Engine, create_engine, event

from fivedice.errors import MalformedError
from fivedice.folders import data_folder
from fivedice.table.refusals import Refusal

log = logging.getLogger(__name__)

# The connection that was used last is used next, because it has pages and statements in its cache.
SQLITE_POOL = {"pool_size": 8, "max_overflow": 56, "pool_use_lifo": True}
# Errors in the log must not contain keys or player ids.
QUIET = {"hide_parameters": True}
OPTION = "fivedice_file"  # of an engine: the `FileWatch` of its file
_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700
_BESIDE = ("-wal", "-shm", "-serving")

_Identity: TypeAlias = tuple[int, int]


class DatabaseReplaced(Refusal, code="database-replaced", status=503):
    """The database file is missing, or is not the one that was opened."""


class FileWatch:
    """Detect whether the file, or the write-ahead log of SQLite next to it, has been replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file, self._log = str(path), f"{path}-wal"  # as text, since each move checks them
        self._known: _Identity | None = None
        self._known_log: _Identity | None = None
        self._filled = False

    def prepare(self) -> None:
        """Create a missing file as private before the first connection; later only `check` it.

        SQLite itself would create a missing file empty and readable for all users.
        """
        if self._known is None:
            with suppress(OSError):  # it exists, or cannot be created: SQLite says why
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _PRIVATE_FILE))
        else:
            self.check()

    def begin(self) -> None:
        """Require the same file from now on, and make it and the files next to it private to the owner."""
        self._known = _identity(_stat(self._file))
        for ending in ("", *_BESIDE):
            _close_to_others(Path(f"{self.path}{ending}"), _PRIVATE_FILE)

    def check(self) -> None:
        """Raise DatabaseReplaced if it is another file now. This takes two calls of stat, a few microseconds."""
        if self._known is None:
            return
        file = _stat(self._file)
        is_empty = file is None or file.st_size == 0
        if _identity(file) != self._known or (is_empty and self._filled):  # replaced, or cut
            raise _refuse_other(self._file)
        self._filled = self._filled or not is_empty
        found = _identity(_stat(self._log))
        if self._known_log is None:
            self._known_log = found
        elif found != self._known_log:
            raise _refuse_other(self._log)

    def let_go(self) -> None:
        """Accept another write-ahead log: SQLite deletes it with the last connection and creates a new one later."""
        self._known_log = None


def sqlite_engine(address: URL) -> Engine:
    """Return an engine that syncs every commit to disk before it counts as done."""
    engine = create_engine(address, **QUIET, **SQLITE_POOL)
    file = address.database or ":memory:"
    if not file.startswith((":memory:", "file:")):
        _watch(engine, Path(file))
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _watch(engine: Engine, path: Path) -> None:
    make_folder(path.parent)
    file = FileWatch(path)
    engine.update_execution_options(**{OPTION: file})
    event.listen(engine, "do_connect", lambda *_: file.prepare())
    event.listen(engine, "engine_disposed", lambda _: file.let_go())


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Wait for other writers, keep readers out of their way, and sync every commit to disk.

    EXTRA is FULL, and syncs the folder too when the first journal is deleted, just before the file is switched to WAL:
    a journal that comes back after a power cut would roll everything back.
    """
    connection.isolation_level = None  # SQLAlchemy's own BEGIN is replaced below
    for pragma in ("busy_timeout = 10000", "synchronous = EXTRA", "journal_mode = WAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Any) -> None:
    """Take the write lock at the start of a transaction that writes, so that it cannot fail half-way without it."""
    options = connection.get_execution_options()
    if options.get("fivedice_look"):
        return  # each query reads a snapshot of its own, as on PostgreSQL
    connection.exec_driver_sql("BEGIN" if options.get("fivedice_read") else "BEGIN IMMEDIATE")


def watch_of(engine: Engine) -> FileWatch | None:
    """Return the watch over the file of an engine, or None if it has no file."""
    found: FileWatch | None = engine.get_execution_options().get(OPTION)
    return found


def make_folder(folder: Path) -> None:
    """Create the folder of a database. Raise MalformedError if that is not possible.

    The folder is made private if it is new or Fivedice's own; any other existing folder is left as it is.
    """
    missing = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MalformedError("store.no-folder", folder=str(folder), reason=str(error.strerror)) from None
    if missing or _is_our_own(folder):
        _close_to_others(folder, _PRIVATE_FOLDER)


def _is_our_own(folder: Path) -> bool:
    try:
        return folder.samefile(data_folder())
    except (OSError, RuntimeError):  # it does not exist, or there is no home folder
        return False


def _close_to_others(path: Path, mode: int) -> None:
    """Remove the rights of other users if the system allows it: network drives and Windows may not support this."""
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)


def _refuse_other(file: str) -> DatabaseReplaced:
    """Log which file it is, and return the refusal, which does not show the path to visitors."""
    log.error("the database file was deleted or replaced: %s", file)
    return DatabaseReplaced("store.replaced")


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116 - twice as fast, and every move needs it
    except OSError:
        return None


def _identity(found: os.stat_result | None) -> _Identity | None:
    return None if found is None else (found.st_dev, found.st_ino)
