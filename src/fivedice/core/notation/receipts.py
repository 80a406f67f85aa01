"""Receipts: what a server signs when it shows a commitment (the table, the time and the commitment).

The signature itself is checked in `table.fairness.commitments`, because the standard library cannot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from hashlib import sha256

from fivedice.errors import IllegalRecord, MalformedError, quote

FORMAT = "fivedice-receipt-1"
LONGEST = 2000  # characters; a valid one has about 450
KEY_ID = 16  # hexadecimal digits

_is_table = re.compile(r"[A-Za-z0-9_-]{1,32}").fullmatch
_is_time = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z").fullmatch
_is_hash = re.compile(r"[0-9a-f]{64}").fullmatch
_is_signature = re.compile(r"[0-9a-f]{128}").fullmatch

# Points of small order: for such a key anyone can make signatures without a private key. By their y coordinate.
_FIELD = 2**255 - 19
_EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_WEAK = {0, 1, _FIELD - 1, _EIGHTH, _FIELD - _EIGHTH}


def is_key(text: str) -> bool:
    """Return whether a text is a public key in its only valid form, and not a weak one."""
    if not _is_hash(text):
        return False
    height = int.from_bytes(bytes.fromhex(text), "little") % 2**255  # without the sign bit of the x coordinate
    return height < _FIELD and height not in _WEAK


_FORMS: dict[str, Callable[[str], object]] = {
    "format": FORMAT.__eq__,
    "table": _is_table,
    "time": _is_time,
    "lock": _is_hash,
    "key": is_key,
    "signature": _is_signature,
}


@dataclass(frozen=True, slots=True)
class Receipt:
    """A commitment that a server signed. `key` is its public key, in hexadecimal digits like the signature."""

    format: str
    table: str
    time: str  # UTC, RFC 3339
    lock: str
    key: str
    signature: str

    @property
    def key_id(self) -> str:
        return key_id(self.key)

    @property
    def signed(self) -> bytes:
        """Return the bytes that are signed."""
        return signed_bytes(self.table, self.time, self.lock)


def signed_bytes(table: str, time: str, lock: str) -> bytes:
    """Return the bytes to sign. No part can have a line break, so no two receipts have the same bytes."""
    return f"{FORMAT}\n{table}\n{time}\n{lock}\n".encode()


def key_id(key: str) -> str:
    """Return a short form of a public key, for people to compare."""
    return sha256(bytes.fromhex(key)).hexdigest()[:KEY_ID]


def table_mark(table: str) -> str:
    """Return the name of a table in records: a hash, so that readers do not learn the address of the table."""
    return sha256(f"fivedice-table/{table}".encode()).hexdigest()[:32]


def write_receipt(receipt: Receipt) -> str:
    return json.dumps(asdict(receipt), indent=2) + "\n"


def read_receipt(text: str) -> Receipt:
    """Return a receipt from its text. Raise MalformedError unless every part has its only valid form."""
    try:
        found = json.loads(text, object_pairs_hook=_read_parts) if len(text) <= LONGEST else None
    except MalformedError:
        raise
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise MalformedError("notation.bad-receipt", text=quote(text.strip()))
    extra = next((name for name in found if name not in _FORMS), None)
    if extra is not None:
        raise MalformedError("notation.receipt-extra", name=quote(extra))
    for name, is_right in _FORMS.items():
        value = found.get(name)
        if not isinstance(value, str) or not is_right(value):
            raise MalformedError("notation.bad-receipt-part", name=name, value=quote(value))
    return Receipt(**{each.name: found[each.name] for each in fields(Receipt)})


def _read_parts(parts: list[tuple[str, object]]) -> dict[str, object]:
    """Return the parts of a JSON object.

    Raise MalformedError if one comes twice, because parsers differ in which they take.
    """
    found: dict[str, object] = {}
    for name, value in parts:
        if name in found:
            raise MalformedError("notation.receipt-twice", name=quote(name))
        found[name] = value
    return found


def read_key(text: str) -> str:
    """Return a public key that a person noted. Raise MalformedError if it is not one."""
    key = text.strip().lower()
    if not is_key(key):
        raise MalformedError("notation.bad-key", text=quote(text))
    return key


def read_signature(text: str) -> str:
    """Return a signature. Raise MalformedError if it does not have its only valid form."""
    if not _is_signature(text):
        raise MalformedError("notation.bad-signature-form", text=quote(text))
    return text


def check_receipt(receipt: Receipt, lock: str, tags: dict[str, str]) -> None:
    """Compare a receipt with a verified record: the commitment and, if the record has them, the table and the time.

    Raise IllegalRecord if they differ.
    """
    if receipt.lock != lock:
        raise IllegalRecord("notation.other-lock", signed=quote(receipt.lock), written=quote(lock))
    if "Table" in tags and tags["Table"] != table_mark(receipt.table):
        raise IllegalRecord("notation.other-table", table=quote(receipt.table))
    begun = tags.get("Begun")
    if begun is not None and not _is_time(begun):
        raise MalformedError("notation.bad-time", text=quote(begun))
    if begun is not None and receipt.time > begun:  # in this format, texts sort by time
        raise IllegalRecord("notation.receipt-late", signed=receipt.time, begun=begun)
