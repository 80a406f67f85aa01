"""A disk under SQLite that remembers every write and every sync, so that the power can be cut at any point afterwards.

What was written and synced is kept. What was written and not yet synced may be there, missing, or torn in the middle,
in any combination: that is all that a disk promises. `Disk.cut` rebuilds the files as they may be found.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import apsw
from sqlalchemy import Engine, create_engine, event

from crash import driver
from fivedice.store import database

SECTOR = 512  # bytes that are written whole or not at all
_names = count(1)


@dataclass(frozen=True, slots=True)
class Write:
    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    file: str


@dataclass(frozen=True, slots=True)
class Delete:
    file: str


Operation = Write | Truncate | Sync | Delete


@dataclass
class Disk:
    """All that happened to the files of one database, in order."""

    operations: list[Operation] = field(default_factory=list)
    room: int | None = None  # writes until it refuses; None: unlimited
    refusal: type[apsw.Error] = apsw.FullError

    def __post_init__(self) -> None:
        self.name = f"disk-{next(_names)}"
        self._vfs = _Files(self)

    def note(self, operation: Operation) -> None:
        if self.room is not None and isinstance(operation, Write | Truncate):
            if self.room == 0:
                raise self.refusal(f"no writing to {operation.file}")
            self.room -= 1
        self.operations.append(operation)

    def engine(self, path: Path, *pragmas: str) -> Engine:
        """An engine as the program opens it, on this disk; then these pragmas."""

        def connect() -> driver.Connection:
            return driver.Connection(str(path), self.name)

        engine = create_engine(f"sqlite:///{path}", module=driver, creator=connect, **database.SQLITE_POOL)
        event.listen(engine, "connect", database._set_up_sqlite)
        event.listen(engine, "begin", database._begin_immediate)
        event.listen(engine, "connect", lambda connection, _: _say(connection, pragmas))
        database.migrate(engine)
        return engine

    def cut(self, at: int, folder: Path, chance: random.Random) -> None:
        """Write the files as found after a power cut at that operation."""
        files: dict[str, bytearray] = {}
        pending: dict[str, list[Operation]] = {}
        for operation in self.operations[:at]:
            waiting = pending.setdefault(operation.file, [])
            if isinstance(operation, Sync):
                for one in waiting:
                    _apply(files, one)
                waiting.clear()
            else:
                waiting.append(operation)
        fate = chance.choice(_FATES)
        for waiting in pending.values():
            for one in waiting:
                for part in fate(one, chance):
                    _apply(files, part)
        for name, content in files.items():
            (folder / name).write_bytes(content)


def _say(connection: driver.Connection, pragmas: tuple[str, ...]) -> None:
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


def _lost(_: Operation, __: random.Random) -> list[Operation]:
    return []


def _some(operation: Operation, chance: random.Random) -> list[Operation]:
    return [operation] if chance.random() < 0.5 else []


def _torn(operation: Operation, chance: random.Random) -> list[Operation]:
    if not isinstance(operation, Write):
        return _some(operation, chance)
    starts = range(0, len(operation.data), SECTOR)
    pieces = (Write(operation.file, operation.offset + at, operation.data[at : at + SECTOR]) for at in starts)
    return [piece for piece in pieces if chance.random() < 0.7]


_FATES: list[Callable[[Operation, random.Random], list[Operation]]] = [_lost, _some, _torn]


def _apply(files: dict[str, bytearray], operation: Operation) -> None:
    content = files.setdefault(operation.file, bytearray())
    if isinstance(operation, Write):
        end = operation.offset + len(operation.data)
        content.extend(bytes(max(0, end - len(content))))
        content[operation.offset : end] = operation.data
    elif isinstance(operation, Truncate):
        del content[operation.size :]
    elif isinstance(operation, Delete):
        files.pop(operation.file)


class _Files(apsw.VFS):
    """The files of the system, watched."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(disk.name, base="")
        self._disk = disk

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802 - SQLite's own name
        return _File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._disk.note(Delete(Path(filename).name))
        if syncdir:
            self._disk.note(Sync(Path(filename).name))


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary").name

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.note(Write(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.note(Truncate(self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._disk.note(Sync(self._name))


def sound(path: Path) -> bool:
    """SQLite's own opinion of a file."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()
