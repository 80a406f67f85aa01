"""Looking at the database: every part of the store reads in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

from sqlalchemy import Connection, Engine

from fivedice.table.store.database import for_reading
from fivedice.table.store.database_errors import as_refusals

Reading: TypeAlias = Callable[[], AbstractContextManager[Connection]]


def reader(engine: Engine) -> Reading:
    """What gives a connection for one look; trouble with the database is told in words."""
    only_looks = for_reading(engine)

    @contextmanager
    def reading() -> Iterator[Connection]:
        with as_refusals(), only_looks.connect() as connection, connection.begin():
            yield connection

    return reading
