"""`fivedice backup`: everything in one file, while servers run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from fivedice.cli.output import console, print_json
from fivedice.errors import FivediceError


def backup(file: Path, /, *, database: str | None = None, replace: bool = False, json: bool = False) -> None:
    """Write all tables, their logs and what people chose into one file.

    Servers may go on running. The file is checked before it gets its name. Keep it as you would keep a key: whoever
    has it can foresee the dice of unfinished games.

    Examples: `fivedice backup tables.backup`, `fivedice backup tables.backup --database postgresql://dice@host/dice`.

    Parameters
    ----------
    file
        Where to write it.
    database
        The database; by default the one that `fivedice serve` uses.
    replace
        Overwrite the file if it exists.
    json
        Print what was written as JSON.
    """
    url = database_of(database)
    told(backups().backup(url, file, replace=replace), f"Written to {file}", as_json=json)


def database_of(chosen: str | None) -> str:
    """The database as `fivedice serve` would find it: flag, environment, file or default."""
    from fivedice.web.settings import load_settings, settings_of

    return settings_of(load_settings({"database": chosen})).database_url


def told(contents: Any, what: str, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(contents))
        return
    counts = f"{contents.tables} tables with {contents.events} events, {contents.people} people"
    console().print(f"{what}: {counts}.", soft_wrap=True, markup=False)


def backups() -> Any:
    try:
        from fivedice.table.store import backup_file as found
    except ImportError as error:  # pragma: no cover - the extra is always installed in development
        raise FivediceError(f"backups need more packages ({error.name}): pip install 'fivedice[web]'") from None
    return found
