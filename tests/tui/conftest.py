"""Give every test its own data folder."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fivedice.core.rules import book
from fivedice.table.service import Tables
from fivedice.terminal.session import PlayOptions, Session, open_tables
from fivedice.terminal.terminal_app import TableApp


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(empty_database, folder / "tables.db")
    monkeypatch.setenv("FIVEDICE_DATA", str(folder))
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture(autouse=True)
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are solved only for the tests of the report itself, which ask for it with rules that take no time."""
    monkeypatch.setattr("fivedice.terminal.live_table.first_report", lambda *_: [])


@pytest.fixture
def tables(data_folder: Path) -> Iterator[Tables]:  # noqa: ARG001
    opened = open_tables()
    yield opened
    opened.store.close()


@pytest.fixture
def begin(tables: Tables) -> Callable[..., Session]:
    """A new game with foreseeable dice."""

    def start(key: str = "yahtzee", *names: str, seed: str | None = "1", **plan: object) -> Session:
        return Session.start(tables, PlayOptions(book(key), names or ("Ann",), seed=seed, **plan))  # type: ignore[arg-type]

    return start


@pytest.fixture
def show() -> Callable[[Session], TableApp]:
    """Show a table without pauses: bots move at once, and rolls may follow each other."""
    return lambda session: TableApp(session, bot_pause=0, roll_pause=0)
