"""`fivedice play`: a game in the terminal; `fivedice join`: a seat at a web table; `fivedice games`: all games here."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from cyclopts import App, Parameter
from rich.markup import escape

from fivedice.cli.output import BookName, LevelName, console, print_json, table, tell, write_file
from fivedice.core.rules import DEFAULT, SHIPPED, book as find_book
from fivedice.errors import FivediceError, UnknownBook
from fivedice.players.bots.registry import parse_bot_file, register_file
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.store.results import TableEntry
    from fivedice.terminal.session import PlayOptions, Session


Way: TypeAlias = Literal["screen", "plain", "json"]


def play(
    book: BookName | None = None,
    /,
    *names: str,
    bot: Annotated[list[LevelName] | None, Parameter(negative="", show_choices=False)] = None,
    coach: Annotated[bool, Parameter(negative="--no-coach")] = True,
    pad: bool = False,
    training: str | None = None,
    theme: Annotated[Literal["auto", "light", "dark"], Parameter(env_var="FIVEDICE_THEME")] = "auto",
    plain: bool = False,
    json: bool = False,
    seed: str | None = None,
    resume: bool = False,
    game: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
) -> int:
    """Play in the terminal: alone, with others, or against bots. Every move is saved at once.

    Examples: `fivedice play`, `fivedice play yatzy Ann Bob`, `fivedice play yahtzee Ann --bot steady`,
    `fivedice play yatzy --bot my_bot.py:Greedy`, `fivedice play our-yahtzee.toml`,
    `fivedice play yardzee Ann Bob --pad`, `fivedice play --resume`,
    `fivedice play yatzy --plain < moves.txt`, `fivedice play yatzy --json < moves.jsonl`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`, or the path of a .toml file; yahtzee without it.
    names
        Who plays at this terminal; without names you play alone.
    bot
        Let a bot play too, by its level: newcomer, hopeful, casual, steady, sharp, perfect or
        champion; the name of a bot that an installed package brings along; or FILE.py:NAME for a class in a file.
        Repeat it for more bots.
    coach
        Whether hints are allowed in this game.
    pad
        Real dice: you roll them and enter them; the score pad knows the rules and adds up.
    training
        Warn before a move that costs more than this: off, 1, 3, 5 or 10 points.
    theme
        A light or a dark screen; `auto` asks the terminal, and is dark where it does not say. `L` changes it.
    seed
        The same seed rolls the same dice: for scripts and for showing a game again.
    plain
        Line by line with no screen control, for screen readers, pipes and scripts. Status 3 if a script had a line
        that was refused.
    json
        For programs: one JSON object per line in, such as `{"do": "keep", "dice": "44"}`, and one out for each.
    resume
        Continue the last unfinished game.
    game
        Continue this game of `fivedice games`; the first characters of its id are enough.
    """
    from fivedice.coaching.training import parse_limit
    from fivedice.terminal.session import Session, open_tables

    way = choose_way(plain=plain, json=json)
    tables = open_tables()
    with closing(tables.store):
        limit = 0 if training is None else parse_limit(training)
        if resume or game is not None:
            named = _register_files(bot)
            if book is not None or named or seed is not None or pad:  # a resumed game has all of them already
                raise FivediceError("cli.resume-alone")
            session = Session.resume(tables, game)
        else:
            session = Session.start(tables, _plan(book or DEFAULT, names, bot, seed, coach=coach, pad=pad))
        return 0 if run_session(session, way, training=limit, theme=theme) else REFUSED_LINES


REFUSED_LINES = 3  # the exit code of a script with refused lines
_NO_SCREEN = {"dumb", "unknown"}  # terminals that cannot move their cursor


def choose_way(*, plain: bool, json: bool) -> Way:
    """Return how to show the game. Raise FivediceError without a terminal."""
    if json or plain:
        return "json" if json else "plain"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise FivediceError("cli.needs-terminal")
    if os.environ.get("TERM", "") in _NO_SCREEN:
        tell("cli.no-screen", command="fivedice play --plain")  # no sentence
        return "plain"
    return "screen"


def _register_files(bots: list[str] | None) -> list[str]:
    """Register bots from files, which a resumed game needs again, and return the names of the others."""
    others = [each for each in bots or () if parse_bot_file(each) is None]
    for each in set(bots or ()) - set(others):
        register_file(each)
    return others


def _plan(
    name: str, names: tuple[str, ...], bots: list[str] | None, seed: str | None, *, coach: bool, pad: bool
) -> PlayOptions:
    from fivedice.terminal.session import PlayOptions

    try:
        rules = find_book(name)
    except UnknownBook as error:
        raise UnknownBook("cli.rules-first", error=str(error)) from None
    levels = tuple(map(register_file, bots or ()))  # only the command line loads bots from files
    text = None if name in SHIPPED else Path(name).read_text(encoding="utf-8-sig")  # stored with the game
    return PlayOptions(rules, names or (None,), text, levels, coach, pad, seed)


def run_session(session: Session, way: Way, *, training: int, theme: str) -> bool:
    """Play the game. Return whether every command succeeded."""
    if way == "json":
        from fivedice.terminal.plain_table import JsonTable

        return JsonTable(session).play()
    if way == "plain":
        from fivedice.terminal.plain_table import PlainTable

        return PlainTable(session, training=training).play()
    from fivedice.terminal.terminal_app import TableApp, is_light

    app = TableApp(session, training=training, light=is_light(theme, os.environ))
    app.run()
    if app.failure is not None:
        raise app.failure
    print(app.farewell())
    return True


def join(link: str, name: str | None = None, /) -> int:
    """Sit down at a web table and play there, line by line. The seat is kept for this computer.

    Examples: `fivedice join https://example.org/t/TABLE/join/CODE Ann`,
    `fivedice join http://localhost:8765/t/TABLE`.

    Parameters
    ----------
    link
        The invitation, as the page of the table shows it; of a table where you sit already, its address.
    name
        Your name at the table; nobody needs one.
    """
    from fivedice.terminal.remote_table import RemoteTable, sit_down

    return 0 if RemoteTable(sit_down(link, name)).play() else 3


games_app = App(name="games", help_format="markdown")


@games_app.default
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


@games_app.command
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
