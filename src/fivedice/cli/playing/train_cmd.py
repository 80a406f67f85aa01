"""`fivedice train`: decisions to practise, at one's own level."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Literal

from rich.console import Console

from fivedice.cli.choices import BookName
from fivedice.cli.output import console
from fivedice.cli.playing.ten_cmd import ask, print_answer, read_answer, solution_of
from fivedice.core.rules import DEFAULT, book as find_book
from fivedice.positions.lessons import Lessons
from fivedice.positions.trainer import MISTAKES, Trainee, summarize
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.table.service import Tables

ThemeName = Literal[
    "all", "mistakes", "bonus", "straights", "full-house", "jokers", "chance", "last-boxes", "sets", "win"
]
MOST_GAMES = 10  # the newest, in which mistakes are looked for


def train(book: BookName = DEFAULT, /, *, theme: ThemeName = "all") -> int:
    """Practise decisions at your level: decide, and see what it cost and why.

    Examples: `fivedice train`, `fivedice train yatzy --theme bonus`, `fivedice train --theme mistakes`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`, or the path of a .toml file.
    theme
        Only decisions of one theme, or `mistakes`: those of your own finished games in this terminal. In `win`, the
        best odds to win against another player count, not points.
    """
    from fivedice.terminal.session import TERMINAL, open_tables, storing

    tables, out, wanted = open_tables(), console(), "" if theme == "all" else theme
    lessons = Lessons(tables.store.decisions, find_book, solution_of)
    with closing(tables.store):
        mistakes = list(_mistakes(tables, find_book(book).key)) if wanted == MISTAKES else []
        while True:
            with storing():
                trainee = lessons.ask(TERMINAL, str(book), wanted, mistakes)
            if not _decide(out, lessons, trainee):
                break
        last = summarize(lessons.look(TERMINAL))
        if last.count:
            figures = {"best": last.best, "lost": round(last.lost, 1), "hints": last.hints}
            out.print(word("coach.train-terminal-summary", count=last.count, **figures))
            if last.odds:
                out.print(str(last.odds))
        return 0


def _decide(out: Console, lessons: Lessons, trainee: Trainee) -> bool:
    """Ask one decision. Return whether the player wants the next one."""
    from fivedice.terminal.session import TERMINAL, storing

    if trainee.asked is None:
        return False
    position = lessons.position_of(trainee.asked)
    move = ask(out, position, word("coach.train-terminal-help"))
    while move == "hint":
        with storing():
            _, why = lessons.hint(TERMINAL)
        out.print(word("coach.train-hint", why=why), markup=False)
        move = read_answer(out, position)
    if isinstance(move, str):
        return False
    with storing():
        after, judged = lessons.answer(TERMINAL, move)
    print_answer(out, judged)
    rating = after.rating
    out.print(word("coach.train-terminal-rating", rating=round(rating.value), deviation=round(rating.deviation)))
    out.print()
    return True


def _mistakes(tables: Tables, key: str) -> Iterator[tuple[str, str]]:
    """Yield the mistakes in the newest games of this terminal, game by game."""
    from fivedice.reports.statistics import facts_of
    from fivedice.terminal.session import TERMINAL, games, storing

    with storing():
        entries = [entry for entry in games(tables) if entry.book == key][:MOST_GAMES]
        for state in (tables.state(entry.id) for entry in entries):
            seats = [number for number, seat in enumerate(state.seats) if seat.player == TERMINAL and not seat.helped]
            for played in state.finished_games:
                for seat in seats:
                    judged = facts_of(played.game, seat, solution_of(state.book)).judged
                    yield from ((key, text) for text, _ in (() if judged is None else judged.mistakes))
