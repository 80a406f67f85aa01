"""The key with which a server signs finished records and dice locks, and the receipts for dice locks.

The key is in the database, so every process signs with the same one, and a backup includes it. Receipts are not stored:
they follow from the first event of the log and the key.
"""

from __future__ import annotations

from functools import cached_property

from fivedice.core.notation.receipts import Receipt
from fivedice.store.access import Reading, Writer
from fivedice.table.fairness.promises import drawn
from fivedice.table.fairness.signing import public_key, sign, sign_message
from fivedice.table.state import TableState

_KEY = "receipt key"  # in the database  # no sentence


class Receipts:
    """All receipts of a server; processes that share a database make the same ones."""

    def __init__(self, writer: Writer, reading: Reading) -> None:
        self._writer = writer
        self._reading = reading

    def of(self, state: TableState) -> Receipt | None:
        """Return the signed receipt of this table; None for real dice, and for tables older than receipts."""
        if state.promise is None or state.opened is None:
            return None
        return sign(self._seed, state.id, state.opened, state.promise)

    @cached_property
    def public_key(self) -> str:
        return public_key(self._seed)

    def sign_record(self, message: bytes) -> str:
        """Return the signature of a finished record, for `notation.proof.prove`."""
        return sign_message(self._seed, message)

    @cached_property
    def _seed(self) -> str:
        return drawn(self._writer, self._reading, _KEY)
