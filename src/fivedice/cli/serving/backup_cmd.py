"""`fivedice backup` and `fivedice restore`: everything in one file and back, while servers run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from fivedice.cli.output import print_json, tell
from fivedice.errors import FivediceError


def backup(
    file: Path | None = None,
    /,
    *,
    database: str | None = None,
    replace: bool = False,
    check: bool = False,
    json: bool = False,
) -> None:
    """Save all games, their logs and what people chose to one file, or only check them.

    Servers may go on running. The file is tested before it gets its name. Guard it like a key: it shows the coming
    rolls of unfinished games.

    Examples: `fivedice backup games.backup`, `fivedice backup games.backup --database postgresql://dice@host/dice`,
    `fivedice backup --check`.

    Parameters
    ----------
    file
        Where to save it.
    database
        The database; by default the one that `fivedice serve` uses.
    replace
        Overwrite the file if it exists.
    check
        Write nothing: read the whole database and say whether every game can be replayed by its rules.
    json
        Print what was found as JSON.
    """
    url = database_of(database)
    if check:
        told(backups().check(url), "cli.checked-database", file, as_json=json)
    elif file is None:
        raise FivediceError("cli.backup-where")
    else:
        told(backups().backup(url, file, replace=replace), "cli.backed-up", file, as_json=json)


def database_of(chosen: str | None) -> str:
    """The database as `fivedice serve` would find it: flag, environment, file or default."""
    from fivedice.web.settings import load_settings, settings_of

    return settings_of(load_settings({"database": chosen})).database_url


def told(contents: Any, kind: str, file: Path | None, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(contents))
    else:
        tell(kind, file=str(file), **asdict(contents), soft_wrap=True)


def backups() -> Any:
    from fivedice.table.store import backup_file as found

    return found


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
