"""`fivedice restore`: put a backup back, while servers run."""

from __future__ import annotations

from pathlib import Path

from fivedice.cli.serving.backup_cmd import backups, database_of, told


def restore(file: Path, /, *, database: str | None = None, replace: bool = False, json: bool = False) -> None:
    """Put a backup into a database: all of it or, if anything is wrong with it, nothing.

    Servers may go on running: they serve the restored tables from then on. Open pages have to be loaded again. A
    backup of SQLite can be put into PostgreSQL and the other way round.

    Examples: `fivedice restore tables.backup --replace`,
    `fivedice restore tables.backup --database postgresql://dice@host/dice`.

    Parameters
    ----------
    file
        The backup.
    database
        The database; by default the one that `fivedice serve` uses.
    replace
        Overwrite what is there.
    json
        Print what was restored as JSON.
    """
    told(backups().restore(database_of(database), file, replace=replace), "cli.restored", file, as_json=json)
