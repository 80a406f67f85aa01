"""Tables of values on disk, in the user's cache folder, one file for each fingerprint and kind.

A file is trusted only if it has our mark and version, belongs to the book that asks, has the right shape, and its
checksum holds; otherwise it is as good as missing, and whoever asked solves again and replaces it. Files are put in
place by a rename, so that two processes may write at once and a reader sees a whole file or none. A folder that
cannot be read or written is no error: the cache saves time and nothing else.
"""

from __future__ import annotations

import os
import struct
import tempfile
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fivedice.folders import cache_folder

VERSION = 1  # of the file and of what its numbers mean: raise it when either changes
VALUES = "values"  # the kind of table that everything else is derived from
_MARK = b"FIVEDICE"
_HEAD = struct.Struct("<8sI32s3Q28s")  # mark, version, fingerprint, shape, kind; so long that the numbers lie aligned
_DIGEST = 32
_FINGERPRINT = 32  # letters
MOST_BYTES = 8 << 30  # of all files together: anybody's house rules may be solved here, and disks are finite


def load(fingerprint: str, shape: tuple[int, int, int], kind: str = VALUES) -> NDArray[np.float64] | None:
    """The stored table, read-only, or None if there is none that can be trusted."""
    path = _path(fingerprint, kind)
    if path is None:
        return None
    try:
        content = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        path.touch()  # what is used stays longest
    head, digest, payload = _split(content)
    if head != _head(fingerprint, shape, kind) or digest != _digest(head, payload):
        return None
    table = np.frombuffer(payload, dtype="<f8")
    return table.reshape(shape) if table.size == np.prod(shape) else None


def save(fingerprint: str, table: NDArray[np.float64], kind: str = VALUES) -> bool:
    """Store a table; False if the folder does not let us."""
    path = _path(fingerprint, kind)
    if path is None:
        return False
    payload = np.ascontiguousarray(table, dtype="<f8").data.cast("B")
    head = _head(fingerprint, table.shape, kind)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, head + _digest(head, payload), payload)
    except OSError:
        return False
    with suppress(OSError):  # another process may be tidying up too
        _make_room(path)
    return True


def _make_room(newest: Path) -> None:
    """Whatever was used longest ago goes first; what it held can be worked out again."""
    files = [path for path in newest.parent.iterdir() if _is_ours(path)]
    ages = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in files)
    total = sum(size for _, size, _ in ages)
    for _, size, path in ages:
        if total <= MOST_BYTES or path == newest:
            break
        path.unlink(missing_ok=True)
        total -= size


def _is_ours(path: Path) -> bool:
    """A fingerprint and a kind; whatever else people keep in the folder is theirs."""
    return len(path.stem) == _FINGERPRINT and path.suffix not in {"", ".lock"} and path.is_file()


def _replace(path: Path, head: bytes, payload: memoryview) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head)
            file.write(payload)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _path(fingerprint: str, kind: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"{fingerprint}.{kind}"


def _head(fingerprint: str, shape: tuple[int, ...], kind: str) -> bytes:
    """Files of values have no word for what they hold; all others have."""
    word = b"" if kind == VALUES else kind.encode()
    return _HEAD.pack(_MARK, VERSION, fingerprint.encode(), *shape, word)


def _split(content: bytes) -> tuple[bytes, bytes, memoryview]:
    body = _HEAD.size + _DIGEST
    return content[: _HEAD.size], content[_HEAD.size : body], memoryview(content)[body:]


def _digest(head: bytes, payload: memoryview) -> bytes:
    checksum = blake2b(head, digest_size=_DIGEST)
    checksum.update(payload)
    return checksum.digest()
