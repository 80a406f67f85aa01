"""`fivedice backup` and `fivedice restore`: save everything to one file and restore it, while servers run.

`fivedice data` shows, exports or deletes the data about a person.
"""

from __future__ import annotations

import json as json_form
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import Progress

from fivedice.cli.output import print_json, tell, write_file
from fivedice.errors import FivediceError
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.table.service import Tables


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


data_app = App(name="data", help_format="markdown")
Key: TypeAlias = Annotated[str | None, Parameter(allow_leading_hyphen=True)]


@data_app.default
def show(*, key: Key = None, database: str | None = None, json: bool = False) -> None:
    """Show what is kept about a person: of this terminal, or of a browser or program by its key.

    Examples: `fivedice data`, `fivedice data --key KEY`, `fivedice data export --out mine.json`,
    `fivedice data delete --yes`.

    Parameters
    ----------
    key
        The key of a browser (its cookie fivedice_player) or of a program; '-' reads it from standard input. Without it,
        the games played at this terminal are meant.
    database
        The database; by default the one that `fivedice serve` uses.
    json
        Print all of it as JSON.
    """
    found = _personal_data(key, database)
    if json:
        print_json(found)
        return
    games = len(found["games"]) + len(found["also_in"])
    tell("cli.data", name=found["choices"].get("name") or "-", count=games, rules=len(found["house_rules"]))
    tell("cli.data-ways")


@data_app.command
def export(*, key: Key = None, database: str | None = None, out: Path | None = None) -> None:
    """Write everything that is kept about a person, as JSON.

    Examples: `fivedice data export --out mine.json`, `fivedice data export --key KEY`.

    Parameters
    ----------
    key
        The key of a browser or a program; '-' reads it from standard input. Without it, this terminal is meant.
    database
        The database; by default the one that `fivedice serve` uses.
    out
        The file to write; standard output without it.
    """
    found = _personal_data(key, database)
    if out is None:
        print_json(found)
    else:
        write_file(out, json_form.dumps(found, ensure_ascii=False, indent=2).encode())


@data_app.command
def delete(*, key: Key = None, database: str | None = None, yes: bool = False, json: bool = False) -> None:
    """Delete what is kept about a person. Games of others stay whole, without the name.

    Servers may go on running. Records of these games still verify, and say that a name was removed. Backups keep what
    is in them.

    Examples: `fivedice data delete --yes`, `fivedice data delete --key KEY --yes`.

    Parameters
    ----------
    key
        The key of a browser or a program; '-' reads it from standard input. Without it, this terminal is meant.
    database
        The database; by default the one that `fivedice serve` uses.
    yes
        Really do it: nothing brings the data back.
    json
        Print how many games were changed or deleted, as JSON.
    """
    player = _player(key)
    if not yes:
        raise FivediceError("cli.data-sure")
    with _tables(database) as tables:
        games = tables.forget(player)
    if json:
        print_json({"games": games})
    else:
        tell("cli.data-deleted", count=games)


def _personal_data(key: str | None, database: str | None) -> dict[str, Any]:
    player = _player(key)
    with _tables(database) as tables:
        return tables.store.own_data.of(player)


def _player(key: str | None) -> str:
    """Return the player id of a key. Errors do not quote the text, since it may be a valid key."""
    from fivedice.table.actions.rights import player_id
    from fivedice.terminal.session import TERMINAL

    if key is None:
        return TERMINAL
    given = (sys.stdin.readline() if key == "-" else key).strip()
    if not given:
        raise FivediceError("cli.data-key")
    return player_id(given)


@contextmanager
def _tables(database: str | None) -> Iterator[Tables]:
    from fivedice.terminal.session import open_tables, storing

    tables = open_tables(database_of(database))
    with closing(tables.store), storing():
        yield tables
