"""`fivedice data`: show, export or delete the data about a person."""

from __future__ import annotations

import json as json_form
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from cyclopts import App, Parameter

from fivedice.cli.output import print_json, tell, write_file
from fivedice.cli.serving.backup_cmd import database_of
from fivedice.errors import FivediceError

if TYPE_CHECKING:
    from fivedice.table.service import Tables

app = App(name="data", help_format="markdown")
Key: TypeAlias = Annotated[str | None, Parameter(allow_leading_hyphen=True)]


@app.default
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


@app.command
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


@app.command
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
