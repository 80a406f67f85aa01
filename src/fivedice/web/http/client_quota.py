"""Limits on what each client may store: the server's implementation of `table/quota.py`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from fivedice.table.house_rules_text import BadBook
from fivedice.table.quota import Quota
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.opening_gate import Gate


class ClientQuota(Quota):
    """Count tables, rules and bytes for the client of the current request, and check the opening gate."""

    def __init__(self, limits: Limits, gate: Gate) -> None:
        self._limits, self._gate = limits, gate

    @contextmanager
    def open_table(self) -> Iterator[None]:
        self._gate.check()
        with self._limits.one_more("tables"):
            yield

    def bring_rules(self) -> AbstractContextManager[None]:
        """Return a context that counts new rules, except a text that cannot be parsed."""
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
