"""Files that come with the package, so that the first answer needs neither a solver nor a folder.

They are found by the fingerprint of a book, as in `solution_files`, but compressed. A file is used only if its mark and
version, its book, its shape and its checksum are right; otherwise it counts as missing, and the result is worked out.
`FIVEDICE_TABLES=no` ignores all of them.
"""

from __future__ import annotations

import os
import zlib
from hashlib import blake2b
from importlib.resources import files

from fivedice.solver.runtime.solution_files import head_of

_DIGEST = 32


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


def _digest(head: bytes, payload: bytes) -> bytes:
    return blake2b(head + payload, digest_size=_DIGEST).digest()
