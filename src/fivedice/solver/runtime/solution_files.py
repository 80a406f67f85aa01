"""Tables of books on disk, in the user's cache folder: one file for each fingerprint and kind.

A file is trusted only if it has our mark and version, belongs to the book that asks, has the right shape, and its
checksum holds; otherwise it is as good as missing, and whoever asked solves again and replaces it. Files are put in
place by a rename, so that two processes may write at once and a reader sees a whole file or none. A folder that cannot
be read or written is no error: what is stored saves time and nothing else. Heavy work is done by one process at a
time, and those who waited find it stored.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
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
LAYERS = "layer"  # the same in layers, where rolls are saved
_MARK = b"FIVEDICE"
_HEAD = struct.Struct("<8sI32s3Q28s")  # mark, version, fingerprint, shape, kind; so long that the numbers lie aligned
_DIGEST = 32
_SKIP = _HEAD.size + _DIGEST
_PIECE = 4 << 20  # bytes that are read or written at a time
_FINGERPRINT = 32  # letters
_LOCK = ".lock"
_OLD = 24 * 3600.0  # seconds after which nobody can still be at work
MOST_ON_DISK = 8 << 30  # of all files together: anybody's house rules may be solved here, and disks are finite


def load(fingerprint: str, shape: tuple[int, ...], kind: str = VALUES) -> NDArray[np.float64] | None:
    """The stored table, read-only, or None if there is none that can be trusted."""
    found = _mapped(_path(fingerprint, kind), head_of(fingerprint, shape, kind), shape, np.dtype(np.float64))
    return None if found is None else np.asarray(found)


def _mapped(path: Path | None, head: bytes, shape: tuple[int, ...], kind: np.dtype[Any]) -> NDArray[Any] | None:
    """The numbers of a file that begins with this head, or None.

    They are mapped, since all of them together may be gigabytes: what is looked at takes memory that is shared by all
    processes, and that the system can take back. The checksum is made by reading, or a file would be held as a whole.
    """
    size = prod(shape)
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            if file.read(len(head)) != head or os.fstat(file.fileno()).st_size != _SKIP + size * kind.itemsize:
                return None
            if file.read(_DIGEST) != _digest_of_rest(head, file):
                return None
            found = np.memmap(file, kind.newbyteorder("<"), "r", _SKIP, shape) if size else np.zeros(shape, kind)
        with suppress(OSError):
            path.touch()  # what is used stays longest
    except OSError:
        return None
    return found


def _digest_of_rest(head: bytes, file: BinaryIO) -> bytes:
    checksum = blake2b(head, digest_size=_DIGEST)
    while piece := file.read(_PIECE):
        checksum.update(piece)
    return checksum.digest()


def save(fingerprint: str, table: NDArray[np.float64], kind: str = VALUES) -> bool:
    """Store a table; False if the folder does not let us."""
    payload = np.ascontiguousarray(table, dtype="<f8").data.cast("B")
    return _write(fingerprint, kind, head_of(fingerprint, table.shape, kind), payload)


def can_store() -> bool:
    """Whether what is worked out can be kept for others."""
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
    """A stored layer, see `saved_values`."""
    head = _layer_head(fingerprint, number, size, kind, word)
    return _mapped(_path(fingerprint, _layer_name(number, word)), head, (size,), kind)


def has_layers(fingerprint: str, sizes: tuple[int, ...]) -> bool:
    """Whether all of them seem to be stored; none is read."""
    paths = [_path(fingerprint, _layer_name(number, LAYERS)) for number in range(len(sizes))]
    return all(path is not None and path.is_file() for path in paths)


def has_table(fingerprint: str, shape: tuple[int, ...]) -> bool:
    """Whether values of this shape seem to be stored; only the head of their file is read."""
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
    """Store a layer; returned is the one to use from now on: that on disk, or itself where nothing can be stored."""
    head = _layer_head(fingerprint, number, layer.size, layer.dtype, word)
    numbers = layer.astype(layer.dtype.newbyteorder("<"), copy=False)
    if not _write(fingerprint, _layer_name(number, word), head, _bytes(numbers)):
        return layer
    stored = load_layer(fingerprint, number, layer.size, layer.dtype, word)
    return layer if stored is None else stored


def _bytes(layer: NDArray[Any]) -> memoryview:
    return layer.data.cast("B") if layer.size else memoryview(b"")


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
    """Whatever was used longest ago goes first; what it held can be worked out again. Old locks go in any case."""
    found = [path for path in newest.parent.iterdir() if len(path.stem) == _FINGERPRINT]
    for path in found:
        with suppress(OSError):  # where somebody holds it after all, it stays, or two do the same work
            if path.suffix == _LOCK and time() - path.stat().st_mtime > _OLD:
                path.unlink()
    files = [path for path in found if _is_ours(path)]
    ages = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in files)
    total = sum(size for _, size, _ in ages)
    for _, size, path in ages:
        if total <= MOST_ON_DISK or path == newest:
            break
        path.unlink(missing_ok=True)
        total -= size


def _is_ours(path: Path) -> bool:
    """One of a kind; whatever else people keep in the folder is theirs."""
    return path.suffix not in {"", _LOCK} and path.is_file()


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
    """Onto the disk now: moves that are saved meanwhile would wait for half a gigabyte that is on its way."""
    file.flush()
    with suppress(AttributeError, OSError):  # not everywhere, and nothing is lost without it
        os.fdatasync(file.fileno())


def _path(fingerprint: str, kind: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"{fingerprint}.{kind}"


def head_of(fingerprint: str, shape: tuple[int, ...], kind: str) -> bytes:
    """What a file begins with. Those of values have no word for what they hold; all others have."""
    word = b"" if kind == VALUES else kind.encode()
    return _HEAD.pack(_MARK, VERSION, fingerprint.encode(), *shape, word)


def _digest(head: bytes, payload: memoryview) -> bytes:
    checksum = blake2b(head, digest_size=_DIGEST)
    checksum.update(payload)
    return checksum.digest()


_A_MOMENT = 0.1  # seconds between two looks at a lock


@contextmanager
def process_lock(fingerprint: str, progress: Progress | None = None) -> Iterator[None]:
    """Wait for another process that works on this book; look for what it stored before you begin yourself.

    The system lets go of the lock when a process dies. Where there are no such locks, both work, and both are right.
    """
    folder = cache_folder()
    if folder is None:
        yield
        return
    from filelock import FileLock  # only here: most find what they want stored

    lock = FileLock(folder / f"{fingerprint}{_LOCK}", fallback_to_soft=False)
    try:
        while not _acquired(lock):
            if progress is not None:
                progress(0, 1)  # who waits can be told to stop
            sleep(_A_MOMENT)
        yield
    finally:
        lock.release()


def _acquired(lock: BaseFileLock) -> bool:
    from filelock import Timeout

    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    except OSError:  # a folder that cannot be written, or a file system without locks: nothing is shared there
        return True
    return True


MOST_DOUBLE = 1 << 26  # bytes of a layer that is kept in double precision


def layer_type(size: int) -> np.dtype[Any]:
    """A large layer is kept in single precision."""
    return np.dtype(np.float64 if 8 * size <= MOST_DOUBLE else np.float32)
