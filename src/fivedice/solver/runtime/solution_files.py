"""Tables of books on disk, in the user's cache folder: one file for each fingerprint and kind.

A file is used only if its mark and version, its book, its shape and its checksum are right; otherwise it counts as
missing, and is solved again and replaced. Files are put in place by a rename, so that two processes may write at once
and a reader sees a whole file or none. A folder that cannot be read or written is not an error: stored files only save
time. One process at a time does heavy work; the others wait and find the result stored.

Some files come with the package, compressed, so that the first answer needs neither a solver nor a folder. They are
found and checked in the same way. `FIVEDICE_TABLES=no` ignores all of them.
"""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.resources import files
from math import prod
from pathlib import Path
from time import sleep, time
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fivedice.folders import cache_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from fivedice.solver.runtime.worker_threads import Progress


VERSION = 2  # of the file and of what its numbers mean: raise it when either changes
VALUES = "values"  # the kind of table that everything else is derived from
LAYERS = "layer"  # the same in layers, for books that save rolls
_MARK = b"FIVEDICE"
_HEAD = struct.Struct("<8sI32s3Q28s")  # mark, version, fingerprint, shape, kind; its length aligns the numbers
_DIGEST = 32
_SKIP = _HEAD.size + _DIGEST
_PIECE = 4 << 20  # bytes that are read or written at a time
_FINGERPRINT = 32  # letters
_LOCK = ".lock"
_OLD = 24 * 3600.0  # seconds after which no process can still be at work
MOST_ON_DISK = 8 << 30  # bytes of all files: any house rules may be solved here, and disks are finite


def load(fingerprint: str, shape: tuple[int, ...], kind: str = VALUES) -> NDArray[np.float64] | None:
    """Return the stored table, read-only, or None if there is no valid one."""
    found = _map_file(_path(fingerprint, kind), head_of(fingerprint, shape, kind), shape, np.dtype(np.float64))
    return None if found is None else np.asarray(found)


def _map_file(path: Path | None, head: bytes, shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any] | None:
    """Return the numbers of a file that begins with this head, or None.

    They are mapped, since all of them together may be gigabytes: pages in use are shared by all processes, and the
    system can take them back. The checksum is made by reading, as mapping would hold the whole file in memory.
    """
    size = prod(shape)
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            if file.read(len(head)) != head or os.fstat(file.fileno()).st_size != _SKIP + size * kind.itemsize:
                return None
            stored, checksum = file.read(_DIGEST), blake2b(head, digest_size=_DIGEST)
            while piece := file.read(_PIECE):  # the digest stands before what it covers
                checksum.update(piece)
            if stored != checksum.digest():
                return None
            found = np.memmap(file, kind.newbyteorder("<"), "r", _SKIP, shape) if size else np.zeros(shape, kind)
        with suppress(OSError):
            path.touch()  # recently used files are deleted last
    except OSError:
        return None
    return found


def save(fingerprint: str, table: NDArray[np.float64], kind: str = VALUES) -> bool:
    """Store a table; return False if the folder cannot be written."""
    payload = np.ascontiguousarray(table, dtype="<f8").data.cast("B")
    return _write(fingerprint, kind, head_of(fingerprint, table.shape, kind), payload)


def can_store() -> bool:
    """Return whether results can be stored for later."""
    folder = cache_folder()
    if folder is None:
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def load_layer(
    fingerprint: str, number: int, size: int, kind: np.dtype[Any], word: str = LAYERS
) -> NDArray[Any] | None:
    """Return a stored layer, or None if there is no valid one: see `saved_values`."""
    head = _layer_head(fingerprint, number, size, kind, word)
    return _map_file(_path(fingerprint, _layer_name(number, word)), head, (size,), kind)


def has_layers(fingerprint: str, sizes: tuple[int, ...]) -> bool:
    """Return whether all layers seem to be stored; none is read."""
    paths = [_path(fingerprint, _layer_name(number, LAYERS)) for number in range(len(sizes))]
    return all(path is not None and path.is_file() for path in paths)


def has_table(fingerprint: str, shape: tuple[int, ...]) -> bool:
    """Return whether values of this shape seem to be stored; only the head of their file is read."""
    path, head = _path(fingerprint, VALUES), head_of(fingerprint, shape, VALUES)
    size = len(head) + _DIGEST + 8 * prod(shape)
    try:
        if path is None or path.stat().st_size != size:
            return False
        with path.open("rb") as file:
            return file.read(len(head)) == head
    except OSError:
        return False


def save_layer(fingerprint: str, number: int, layer: NDArray[Any], word: str = LAYERS) -> NDArray[Any]:
    """Store a layer and return the one to use from now on: that on disk, or the same one if it cannot be stored."""
    head = _layer_head(fingerprint, number, layer.size, layer.dtype, word)
    numbers = layer.astype(layer.dtype.newbyteorder("<"), copy=False)
    content = numbers.data.cast("B") if layer.size else memoryview(b"")
    if not _write(fingerprint, _layer_name(number, word), head, content):
        return layer
    stored = load_layer(fingerprint, number, layer.size, layer.dtype, word)
    return layer if stored is None else stored


def _layer_name(number: int, word: str) -> str:
    return f"{word}{number:02}"


def _layer_head(fingerprint: str, number: int, size: int, kind: np.dtype[Any], word: str) -> bytes:
    return head_of(fingerprint, (number, size, kind.itemsize), _layer_name(number, word))


def _write(fingerprint: str, kind: str, head: bytes, payload: memoryview) -> bool:
    path = _path(fingerprint, kind)
    if path is None:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, head + _digest(head, payload), payload)
    except OSError:
        return False
    with suppress(OSError):  # another process may be tidying up too
        _make_room(path)
    return True


def _make_room(newest: Path) -> None:
    """Delete old locks and, while there is too much, the least recently used files, which can be worked out again."""
    found = [path for path in newest.parent.iterdir() if len(path.stem) == _FINGERPRINT]
    for path in found:
        with suppress(OSError):  # a lock still in use stays, or at worst two processes do the same work
            if path.suffix == _LOCK and time() - path.stat().st_mtime > _OLD:
                path.unlink()
    files = [path for path in found if path.suffix not in {"", _LOCK} and path.is_file()]
    ages = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in files)
    total = sum(size for _, size, _ in ages)
    for _, size, path in ages:
        if total <= MOST_ON_DISK or path == newest:
            break
        path.unlink(missing_ok=True)
        total -= size


def _replace(path: Path, head: bytes, payload: memoryview) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head)
            for begin in range(0, len(payload), _PIECE):
                file.write(payload[begin : begin + _PIECE])
                _settle(file)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _settle(file: BinaryIO) -> None:
    """Write to the disk now: otherwise moves saved meanwhile would wait for half a gigabyte in the buffers."""
    file.flush()
    with suppress(AttributeError, OSError):  # not available everywhere, and not essential
        os.fdatasync(file.fileno())


def _path(fingerprint: str, kind: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / file_name(fingerprint, kind)


def head_of(fingerprint: str, shape: tuple[int, ...], kind: str) -> bytes:
    """Return the head of a file. That of values has an empty kind; all others name theirs."""
    word = b"" if kind == VALUES else kind.encode()
    return _HEAD.pack(_MARK, VERSION, fingerprint.encode(), *shape, word)


def _digest(head: bytes, payload: memoryview | bytes) -> bytes:
    checksum = blake2b(head, digest_size=_DIGEST)
    checksum.update(payload)
    return checksum.digest()


_A_MOMENT = 0.1  # seconds between two attempts to take a lock


@contextmanager
def process_lock(fingerprint: str, progress: Progress | None = None) -> Iterator[None]:
    """Wait for another process that works on this book; look for its stored result before working yourself.

    The system releases the lock when a process dies. Where there are no such locks, both processes work, and both are
    right.
    """
    folder = cache_folder()
    if folder is None:
        yield
        return
    from filelock import FileLock  # imported late: most results are stored already

    lock = FileLock(folder / f"{fingerprint}{_LOCK}", fallback_to_soft=False)
    try:
        while not _try_acquire(lock):
            if progress is not None:
                progress(0, 1)  # so that the caller can stop the waiting
            sleep(_A_MOMENT)
        yield
    finally:
        lock.release()


def _try_acquire(lock: BaseFileLock) -> bool:
    from filelock import Timeout

    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    except OSError:  # a folder that cannot be written, or a file system without locks: there is nothing to share
        return True
    return True


MOST_DOUBLE = 1 << 26  # bytes up to which a layer is stored in double precision


def layer_type(size: int) -> np.dtype[Any]:
    """Return the type of a layer: single precision if it is large."""
    return np.dtype(np.float64 if 8 * size <= MOST_DOUBLE else np.float32)


def pack_file(fingerprint: str, shape: tuple[int, ...], kind: str, content: bytes) -> bytes:
    """Return the content of a file to write."""
    payload, head = zlib.compress(content, 9), head_of(fingerprint, shape, kind)
    return head + _digest(head, payload) + payload


def unpack_file(fingerprint: str, shape: tuple[int, ...], kind: str) -> bytes | None:
    """Return the content of a file, or None if there is no valid one."""
    if os.environ.get("FIVEDICE_TABLES") == "no":
        return None
    head = head_of(fingerprint, shape, kind)
    try:
        found = (files("fivedice.solver") / "shipped" / file_name(fingerprint, kind)).read_bytes()
    except OSError:
        return None
    body = len(head) + _DIGEST
    if found[: len(head)] != head or found[len(head) : body] != _digest(head, found[body:]):
        return None
    return zlib.decompress(found[body:])


def file_name(fingerprint: str, kind: str) -> str:
    return f"{fingerprint}.{kind}"
