"""The tables of a server, with limits at the door and a count of what happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from sqlalchemy import Engine

from fivedice.table import commands as cmd
from fivedice.table.decide.rights import HOUSE
from fivedice.table.house_rules_text import BadBook, house_id
from fivedice.table.refusals import Refusal
from fivedice.table.service import Done, Tables
from fivedice.table.state import TableState
from fivedice.table.store.database import Reading
from fivedice.table.store.house_rules_store import Shelf
from fivedice.table.store.table_store import Store
from fivedice.table.store.writer import Writer
from fivedice.web.http.client_limits import Limits
from fivedice.web.runtime.metrics import Metrics


class WatchedShelf(Shelf):
    """House rules cost whoever solves them: only so many an hour are taken from one client."""

    def __init__(self, writer: Writer, reading: Reading, limits: Limits) -> None:
        super().__init__(writer, reading)
        self._limits = limits

    def save(self, text: str, player: str | None) -> str:
        with self._limits.one_more("books"):
            return super().save(text, player)


class WatchedStore(Store):
    """A store whose shelf has a limit."""

    def __init__(self, engine: Engine, limits: Limits) -> None:
        super().__init__(engine)
        self.shelf = WatchedShelf(self._writer, self._reading, limits)


class WatchedTables(Tables):
    """Whoever opens a table or sends a command comes by here, by whatever page: nothing has to remember to count."""

    def __init__(self, store: Store, listener: Callable[[TableState], None], limits: Limits, metrics: Metrics) -> None:
        super().__init__(store, listener)
        self._limits = limits
        self._metrics = metrics

    def open(self, *arguments: Any, **options: Any) -> str:
        with self._new_rules(options.get("rules")), self._limits.one_more("tables"):
            table = super().open(*arguments, **options)
        self._metrics.opened()
        return table

    def _new_rules(self, rules: str | None) -> AbstractContextManager[None]:
        """Rules that come with a table count too, and not only where there is a table: working them out is the cost."""
        if rules is None or self.store.shelf.text(house_id(rules)) is not None:
            return nullcontext()
        return self._limits.one_more("books", forgiven=BadBook)

    def execute(self, table: str, command: cmd.Command, **options: Any) -> Done:
        try:
            done = super().execute(table, command, **options)
        except Refusal as refusal:
            self._metrics.refused(refusal.code)
            raise
        if not done.repeated:
            self._metrics.moved(type(command).__name__, by_house=command.player == HOUSE)
        return done
