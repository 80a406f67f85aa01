"""`fivedice backup` and `fivedice restore`: save everything to one file and restore it, while servers run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from fivedice.cli.output import print_json, tell
from fivedice.errors import FivediceError
from fivedice.text import word


def backup(
    file: Path | None = None,
    /,
    *,
    database: str | None = None,
    replace: bool = False,
    portable: bool = False,
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
    portable
        Of PostgreSQL: write a file that is restored without its tools, row by row, which takes longer.
    check
        Write nothing: read the whole database and say whether every game can be replayed by its rules.
    json
        Print what was found as JSON.
    """
    from fivedice.store.backups import backup_file

    url = database_of(database)
    if file is None and not check:
        raise FivediceError("cli.backup-where")
    with _show_progress(word("cli.reading-games")) as progress:
        if check or file is None:
            contents, kind = backup_file.check(url, progress), "cli.checked-database"
        else:
            options = {"replace": replace, "portable": portable}
            contents, kind = backup_file.backup(url, file, **options, progress=progress), "cli.backed-up"
    _print_contents(contents, kind, file, as_json=json)


@contextmanager
def _show_progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on standard error, if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Progress(console=console, transient=True) as shown:
        task = shown.add_task(title)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def database_of(chosen: str | None) -> str:
    """Return the database that `fivedice serve` would use: from the flag, the environment, a file or the default."""
    from fivedice.web.http.settings import load_settings, settings_of

    return settings_of(load_settings({"database": chosen})).database_url


def _print_contents(contents: Any, kind: str, file: Path | None, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(contents))
    else:
        tell(kind, file=str(file), **asdict(contents), soft_wrap=True)


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
    from fivedice.store.backups import backup_file

    contents = backup_file.restore(database_of(database), file, replace=replace)
    _print_contents(contents, "cli.restored", file, as_json=json)
