"""Databases in a folder of the test, and levels of bots that need no solver."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine

from fivedice import players
from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.service import Tables


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = open_database(database)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> Store:
    return Store(engine)


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store)


@pytest.fixture
def two_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = SimpleNamespace(LEVELS=("careless", "steady"), NAMES={"careless", "steady"}, unavailable=lambda *_: None)
    monkeypatch.setitem(sys.modules, "fivedice.players.bots", bots)  # type: ignore[arg-type]
    monkeypatch.setattr(players, "bots", bots, raising=False)


@pytest.fixture
def neighbour(database: str) -> Iterator[Tables]:
    """Another process on the same database, as far as that can tell."""
    engine = open_database(database)
    yield Tables(Store(engine))
    engine.dispose()
