"""Files that the package brings along, so that the first answer needs neither a solver nor a folder: by the fingerprint
of a book, as `solution_files` keeps them, but packed.

A file is trusted only if it has our mark and version, belongs to the book that asks, has the right shape, and its
checksum holds; otherwise it is as good as missing, and whoever asked works it out. `FIVEDICE_TABLES=no` does without
all of them.
"""

from __future__ import annotations

import os
import zlib
from hashlib import blake2b
from importlib.resources import files

from fivedice.solver.runtime.solution_files import head_of

_DIGEST = 32


def packed_file(fingerprint: str, shape: tuple[int, ...], kind: str, content: bytes) -> bytes:
    """What to write."""
    payload, head = zlib.compress(content, 9), head_of(fingerprint, shape, kind)
    return head + _digest(head, payload) + payload


def unpacked_file(fingerprint: str, shape: tuple[int, ...], kind: str) -> bytes | None:
    """What a file holds, or None if there is none that can be trusted."""
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


def _digest(head: bytes, payload: bytes) -> bytes:
    return blake2b(head + payload, digest_size=_DIGEST).digest()
