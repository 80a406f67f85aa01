"""`fivedice match`: bots play each other; `fivedice engine`: a bot answers the engine protocol."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.markup import escape

from fivedice.cli.output import BookName, LevelName, console, print_json, table
from fivedice.cli.solving import pool, show_progress
from fivedice.core.rules import DEFAULT, book as find_book
from fivedice.errors import MalformedError, quote
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.players.bots.entrants import Given

ENGINE = "engine:"


def match(
    *players: LevelName,
    games: int = 100,
    book: BookName = DEFAULT,
    seed: int = 0,
    workers: int = 1,
    seconds: float = 10.0,
    json: bool = False,
) -> None:
    """Let bots play a match: who wins how often, what they score, and both with the luck of the dice taken off.

    Examples: `fivedice match steady sharp`, `fivedice match my_bot.py:Greedy steady --games 1000 --workers 2`,
    `fivedice match steady "engine:awk -f docs/examples/greedy.awk" --book yatzy --json`.

    Parameters
    ----------
    players
        Two or more: levels of `fivedice bots`, names of bots that installed packages bring along, FILE.py:NAME for a
        class in a file, or "engine:COMMAND" for another program.
    games
        How many games to play. As many games in a row as there are players have the same dice.
    book
        The rules: one of `fivedice rules`, or the path of a .toml file; yahtzee without it.
    seed
        The same seed gives the same games, whatever the number of workers.
    workers
        How many processes play.
    seconds
        The time that an engine has for a move.
    json
        Print JSON: see docs/command-line.md.
    """
    from fivedice.players.match_games import match as play
    from fivedice.players.match_result import columns, notes, row, title

    rules = find_book(book)
    given = [_player(each, seconds) for each in players]
    with show_progress(word("cli.playing", rules=rules)) as progress, pool(workers) as executor:
        played = play(given, games, book=rules, seed=seed, executor=executor, progress=progress)
    if json:
        print_json(played.to_json())
        return
    shown = table(*columns(played), title=escape(title(played)), numbers=(1, 2, 3))
    for each in played.players:
        shown.add_row(*map(escape, row(each)))
    console().print(shown)
    for note in notes(played):
        console().print(escape(note))


def _player(text: str, seconds: float) -> Given:
    """Return the player that an argument names: an engine, a class in a file, or a bot by its name."""
    if text.startswith(ENGINE):
        return _engine(text, seconds)
    from fivedice.players.bots.registry import parse_bot_file

    return parse_bot_file(text) or text


def _engine(text: str, seconds: float) -> Given:
    import shlex

    from fivedice.players.engine_bot import engine

    try:
        command = shlex.split(text.removeprefix(ENGINE))
    except ValueError:
        command = []
    if not command:
        raise MalformedError("cli.bad-engine", text=quote(text))
    file = command[-1].rpartition("/")[2]
    return engine(command, seconds=seconds, name=f"{command[0].rpartition('/')[2]} {file}" if command[1:] else file)


def engine(bot: LevelName, /) -> None:
    """Let a bot answer the engine protocol on standard input and output, for programs that speak it.

    docs/engine-protocol.md describes it.

    Examples: `fivedice engine steady`, `fivedice match sharp "engine:fivedice engine steady"`.

    Parameters
    ----------
    bot
        A level of `fivedice bots`, or the name of a bot that an installed package brings along.
    """
    from fivedice.players.bots.entrants import entrant
    from fivedice.players.engine_bot import serve

    def answer(line: str) -> None:
        print(line, flush=True)

    serve(entrant(bot, find_book(DEFAULT)), sys.stdin, answer)
