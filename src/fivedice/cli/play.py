"""`fivedice play`: the terminal table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fivedice.errors import FivediceError
from fivedice.rules import SHIPPED, book as find_book


def play(
    book: str = "yahtzee",
    /,
    *names: str,
    bot: Annotated[list[str] | None, Parameter(negative="")] = None,
    coach: Annotated[bool, Parameter(negative="--no-coach")] = True,
    pad: bool = False,
    plain: bool = False,
    seed: str | None = None,
    resume: bool = False,
    game: str | None = None,
) -> None:
    """Play in the terminal: alone, hot seat, or against bots. Every action is saved at once.

    Examples: `fivedice play`, `fivedice play yatzy Ann Bob`, `fivedice play yahtzee Ann --bot steady`,
    `fivedice play --resume`, `fivedice play yatzy --plain < moves.txt`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    names
        Who plays at this terminal; one player called You if nobody is named.
    bot
        Let a bot play too, by its level; may be given several times.
    coach
        Whether hints may be asked for in this game.
    pad
        Real dice: you throw them and enter what fell; the table knows the rules and adds up.
    seed
        The same seed throws the same dice: for scripts and for showing a game again.
    plain
        Line by line with no screen control, for screen readers, pipes and scripts.
    resume
        Go on with the last unfinished game.
    game
        Go on with this game of `fivedice games`.
    """
    from fivedice.tui.session import Plan, Session, open_tables

    tables = open_tables()
    if resume or game is not None:
        session = Session.resume(tables, game)
    else:
        rules = find_book(book)
        text = None if book in SHIPPED else Path(book).read_text(encoding="utf-8-sig")
        plan = Plan(rules, names or ("You",), text, tuple(bot or ()), coach, pad, seed)
        session = Session.start(tables, plan)
    try:
        _run(session, plain=plain)
    finally:
        tables.store.close()


def _run(session: object, *, plain: bool) -> None:
    if plain:
        from fivedice.tui.plain import PlainTable

        PlainTable(session).play()  # type: ignore[arg-type]
        return
    if not sys.stdout.isatty():
        raise FivediceError("this is not a terminal that can show the table; try: fivedice play --plain")
    from fivedice.tui.app import TableApp

    TableApp(session).run()  # type: ignore[arg-type]
