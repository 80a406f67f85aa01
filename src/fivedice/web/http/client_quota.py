"""What each client may add to the database: the server's answer to `table/quota.py`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from fivedice.table.house_rules_text import BadBook
from fivedice.table.quota import Quota
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.opening_gate import Gate


class ClientQuota(Quota):
    """Count tables, rules and bytes for the client of the request at hand, and let only openers open things."""

    def __init__(self, limits: Limits, gate: Gate) -> None:
        self._limits, self._gate = limits, gate

    @contextmanager
    def open_table(self) -> Iterator[None]:
        self._gate.check()
        with self._limits.one_more("tables"):
            yield

    def bring_rules(self) -> AbstractContextManager[None]:
        """Only a text that cannot be read is free: working the rules out is the cost."""
        return self._limits.one_more("books", forgiven=BadBook)

    @contextmanager
    def save_rules(self, size: int) -> Iterator[None]:
        self._gate.check()
        with self._limits.one_more("books"):
            self._limits.saves(size)
            yield

    @contextmanager
    def write(self, size: int, *, new_table: bool = False) -> Iterator[None]:
        with self._limits.one_more("tables") if new_table else nullcontext():
            self._limits.saves(size)
            yield
