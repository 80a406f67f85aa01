"""`fivedice games`: the games played at this terminal."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from rich.markup import escape

from fivedice.cli.output import console, print_json, table, tell, write_file
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.store.results import TableEntry

app = App(name="games", help_format="markdown")


@app.default
def show(*, json: bool = False) -> None:
    """List the games of this terminal, newest first; unfinished ones can be resumed.

    Examples: `fivedice games`, `fivedice games --json`, `fivedice games export --out games.txt`.

    Parameters
    ----------
    json
        Print JSON: `{"games": [{"id", "book", "phase", "updated", "names", "total", "won", "games", "house"}]}`.
    """
    entries = _entries()
    if json:
        print_json({"games": [asdict(entry) for entry in entries]})
        return
    out = console()
    if not entries:
        tell("cli.no-games")
        return
    shown = table(*(word(f"cli.column.{name}") for name in ("game", "rules", "players", "played")), "")
    for entry in entries:
        state = str(entry.total) if entry.phase == "finished" else word("cli.unfinished")
        book = escape(entry.house or entry.book)
        updated = datetime.fromisoformat(entry.updated).astimezone().strftime("%Y-%m-%d %H:%M")
        shown.add_row(escape(_short(entry.id, entries)), book, escape(", ".join(entry.names)), updated, state)
    out.print(shown)
    tell("cli.go-on")
    tell("cli.take-out")


_SHORT = 8  # characters of an id, which almost never start another one


def _short(game: str, entries: list[TableEntry]) -> str:
    """Shorten an id if the start is unique, so that it fits into the table."""
    start = game[:_SHORT]
    return start if sum(entry.id.startswith(start) for entry in entries) == 1 else game


@app.command
def export(
    game: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None, /, *, out: Path | None = None
) -> None:
    """Write games in Fivedice notation: one by its id, or all of them.

    Examples: `fivedice games export`, `fivedice games export GAME --out game.txt`.

    Parameters
    ----------
    game
        The id of a game in `fivedice games`, or its first characters; all games without it.
    out
        The file to write; standard output without it.
    """
    from fivedice.table.fairness.commitments import record_of
    from fivedice.terminal.session import find_game, games, open_tables, storing

    tables = open_tables()
    with closing(tables.store):
        known = games(tables)
        wanted = [entry.id for entry in known] if game is None else [find_game(known, game)]
        with storing():
            states = [tables.state(one) for one in wanted]
    _write("\n".join(record_of(state, each) for state in states for each in state.all_games), out)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        print(text, end="")
    else:
        write_file(out, text.encode())


def _entries() -> list[TableEntry]:
    from fivedice.terminal.session import games, open_tables

    tables = open_tables()
    with closing(tables.store):
        return games(tables)
