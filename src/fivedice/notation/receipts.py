"""What a server signs when it shows a dice lock: which table, when, and which lock. Nothing here needs a server.

The signature itself is checked in `table.proof.signing`, since the standard library cannot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from hashlib import sha256

from fivedice.errors import IllegalRecord, MalformedError, quote

FORMAT = "fivedice-receipt-1"
LONGEST = 2000  # characters; one that a server makes has about 450
KEY_ID = 16  # hexadecimal digits

_is_table = re.compile(r"[A-Za-z0-9_-]{1,32}").fullmatch
_is_time = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z").fullmatch
_is_hash = re.compile(r"[0-9a-f]{64}").fullmatch
_is_signature = re.compile(r"[0-9a-f]{128}").fullmatch
_FORMS: dict[str, Callable[[str], object]] = {
    "format": FORMAT.__eq__,
    "table": _is_table,
    "time": _is_time,
    "lock": _is_hash,
    "key": _is_hash,
    "signature": _is_signature,
}


@dataclass(frozen=True, slots=True)
class Receipt:
    """A dice lock as a server vouched for it. `key` is its public key, as hexadecimal digits like the signature."""

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
        """What the signature is over."""
        return signed_bytes(self.table, self.time, self.lock)


def signed_bytes(table: str, time: str, lock: str) -> bytes:
    """Four lines: none of the parts can hold a line break, so no other receipt has the same bytes."""
    return f"{FORMAT}\n{table}\n{time}\n{lock}\n".encode()


def key_id(key: str) -> str:
    """A public key in short, for people to compare."""
    return sha256(bytes.fromhex(key)).hexdigest()[:KEY_ID]


def table_mark(table: str) -> str:
    """A table as its record names it: whoever reads a record does not learn the address of the table."""
    return sha256(f"fivedice-table/{table}".encode()).hexdigest()[:32]


def write_receipt(receipt: Receipt) -> str:
    return json.dumps(asdict(receipt), indent=2) + "\n"


def read_receipt(text: str) -> Receipt:
    """A receipt from its text, with every part in the one form that it can have."""
    try:
        found = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise MalformedError("notation.bad-receipt", text=quote(text.strip()))
    for name, is_right in _FORMS.items():
        value = found.get(name)
        if not isinstance(value, str) or not is_right(value):
            raise MalformedError("notation.bad-receipt-part", name=name, value=quote(value))
    return Receipt(**{each.name: found[each.name] for each in fields(Receipt)})


def read_key(text: str) -> str:
    """A public key as somebody noted it."""
    key = text.strip().lower()
    if not _is_hash(key):
        raise MalformedError("notation.bad-key", text=quote(text))
    return key


def check_receipt(receipt: Receipt, lock: str, tags: dict[str, str]) -> None:
    """Hold a receipt against a verified record: the lock and, where the record says them, the table and the time."""
    if receipt.lock != lock:
        raise IllegalRecord("notation.other-lock", signed=quote(receipt.lock), written=quote(lock))
    if "Table" in tags and tags["Table"] != table_mark(receipt.table):
        raise IllegalRecord("notation.other-table", table=quote(receipt.table))
    begun = tags.get("Begun")
    if begun is not None and not _is_time(begun):
        raise MalformedError("notation.bad-time", text=quote(begun))
    if begun is not None and receipt.time > begun:  # in this form the order of texts is the order of time
        raise IllegalRecord("notation.receipt-late", signed=receipt.time, begun=begun)
