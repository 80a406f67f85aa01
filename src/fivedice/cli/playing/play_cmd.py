"""`fivedice play`: the terminal table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fivedice.errors import FivediceError, UnknownBook
from fivedice.rules import DEFAULT, SHIPPED, book as find_book

if TYPE_CHECKING:
    from fivedice.tui.session import Plan, Session


def play(
    book: str | None = None,
    /,
    *names: str,
    bot: Annotated[list[str] | None, Parameter(negative="")] = None,
    coach: Annotated[bool, Parameter(negative="--no-coach")] = True,
    pad: bool = False,
    training: str | None = None,
    plain: bool = False,
    seed: str | None = None,
    resume: bool = False,
    game: str | None = None,
) -> None:
    """Play in the terminal: alone, with others, or against bots. Every move is saved at once.

    Examples: `fivedice play`, `fivedice play yatzy Ann Bob`, `fivedice play yahtzee Ann --bot steady`,
    `fivedice play our-yahtzee.toml`, `fivedice play yardzee Ann Bob --pad`, `fivedice play --resume`,
    `fivedice play yatzy --plain < moves.txt`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`, or the path of a .toml file; yahtzee without it.
    names
        Who plays at this terminal; without names you play alone.
    bot
        Let a bot play too, by its level: newcomer, hopeful, casual, steady, sharp, perfect or
        champion. Repeat it for more bots.
    coach
        Whether hints are allowed in this game.
    pad
        Real dice: you roll them and enter them; the score pad knows the rules and adds up.
    training
        Warn before a move that costs more than this: off, 1, 3, 5 or 10 points.
    seed
        The same seed rolls the same dice: for scripts and for showing a game again.
    plain
        Line by line with no screen control, for screen readers, pipes and scripts.
    resume
        Continue the last unfinished game.
    game
        Continue this game of `fivedice games`.
    """
    session_of, tables = _tables(plain=plain)
    try:
        limit = _limit(training)
        if resume or game is not None:
            _need_alone(book, bot, seed, pad=pad)
            session = session_of.resume(tables, game)
        else:
            session = session_of.start(tables, _plan(book or DEFAULT, names, bot, seed, coach=coach, pad=pad))
        _run(session, plain=plain, training=limit)
    finally:
        tables.store.close()


def _tables(*, plain: bool) -> tuple[type[Session], Any]:
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise FivediceError("cli.needs-terminal")
    from fivedice.tui.session import Session, open_tables

    return Session, open_tables()


def _limit(training: str | None) -> int:
    from fivedice.coaching.training import limit_of

    return 0 if training is None else limit_of(training)


def _need_alone(book: str | None, bot: list[str] | None, seed: str | None, *, pad: bool) -> None:
    """A game that goes on has its book, its players and its dice already."""
    if book is not None or bot or seed is not None or pad:
        raise FivediceError("cli.resume-alone")


def _plan(
    name: str, names: tuple[str, ...], bots: list[str] | None, seed: str | None, *, coach: bool, pad: bool
) -> Plan:
    from fivedice.tui.session import Plan

    try:
        rules = find_book(name)
    except UnknownBook as error:
        raise UnknownBook("cli.rules-first", error=str(error)) from None
    text = None if name in SHIPPED else Path(name).read_text(encoding="utf-8-sig")  # kept with the game
    return Plan(rules, names or (None,), text, tuple(bots or ()), coach, pad, seed)


def _run(session: Session, *, plain: bool, training: int) -> None:
    if plain:
        from fivedice.tui.lines.plain_table import PlainTable

        PlainTable(session, training=training).play()
        return
    from fivedice.tui.screen.terminal_app import TableApp

    app = TableApp(session, training=training)
    app.run()
    if app.failure is not None:
        raise app.failure
    print(app.farewell())
