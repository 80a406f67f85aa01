"""Settings for all tests: invented cases are the same on every run, no test is judged by its speed, and none touches
the folders of the person who runs them.
"""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import settings

from long import LONG, SEED, is_left_for_another_day
from postgres import NoServer, Postgres, clear_database, serving_postgres
from time_limit import seconds, time_limit
from traced import mark_traced
from web.serving import empty_database

os.environ.pop("LC_ALL", None)  # the commands speak English, whatever the terminal does
os.environ["LC_MESSAGES"] = "C"
settings.register_profile("fivedice", deadline=None, derandomize=True, database=None, max_examples=100 if LONG else 25)
settings.load_profile("fivedice")


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mark_traced(items)
    late = [item for item in items if is_left_for_another_day(item)]
    config.hook.pytest_deselected(items=late)
    items[:] = [item for item in items if not is_left_for_another_day(item)]


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among what was imported: that took a tenth of the time of all tests."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _limit_time() -> Iterator[None]:
    """Limit the time of collection, set-up, test and teardown: see `time_limit`."""
    with time_limit(seconds()):
        return (yield)


pytest_collection = pytest.hookimpl(wrapper=True, tryfirst=True)(_limit_time)
pytest_runtest_setup = pytest.hookimpl(wrapper=True, tryfirst=True)(_limit_time)
pytest_runtest_call = pytest.hookimpl(wrapper=True, tryfirst=True)(_limit_time)
pytest_runtest_teardown = pytest.hookimpl(wrapper=True, tryfirst=True)(_limit_time)


def _solutions(factory: pytest.TempPathFactory) -> Path:
    """Return where solutions are kept: the folder that `make test` names, or a new one."""
    given, own = os.environ.get("FIVEDICE_TEST_SOLUTIONS"), factory.getbasetemp()
    return Path(given or (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "solutions")


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Solutions, tables and settings go to a folder of this run, in the processes that tests start too."""
    folder = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIVEDICE_CACHE", str(_solutions(tmp_path_factory)))
        patch.setenv("FIVEDICE_TABLES", "no")  # solved by what is tested, not read from what is shipped
        patch.setenv("FIVEDICE_DATA", str(folder / "data"))
        patch.setenv("FIVEDICE_CONFIG", str(folder / "config.toml"))
        patch.setenv("FIVEDICE_PREPARE", "no")  # servers solve what a test asks for, and nothing else
        yield


NO_POSTGRESQL = "PostgreSQL could not be started here"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the seed of the samples, and what was not tested."""
    terminalreporter.line(f"cases sampled by FIVEDICE_TEST_SEED={SEED}")
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if NO_POSTGRESQL in str(report.longrepr)]
    if skipped:
        terminalreporter.section("POSTGRESQL TESTS LEFT OUT", sep="!", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} tests did not run: {skipped[0].longrepr[-1]}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of PostgreSQL, started for the first test that asks for it."""
    try:
        with serving_postgres() as server:
            yield server
    except NoServer as problem:
        pytest.skip(f"{NO_POSTGRESQL}: {problem}")


@pytest.fixture(scope="session")
def _one_database(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture
def postgres_url(_one_database: str) -> str:
    """An empty database in it: the same one for all tests, emptied."""
    clear_database(_one_database)
    return _one_database


@pytest.fixture(scope="session", name="empty_database")
def _empty_database() -> Path:
    return empty_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of either kind."""
    if request.param == "sqlite":
        copyfile(request.getfixturevalue("empty_database"), tmp_path / "tables.db")
        return f"sqlite:///{tmp_path}/tables.db"
    return str(request.getfixturevalue("postgres_url"))
