"""`fivedice stats`: what many games add up to, against perfect play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.analysing.solving import perfected, solved
from fivedice.cli.output import console, print_json, read_text, table
from fivedice.errors import FivediceError, quote
from fivedice.notation import read_games
from fivedice.rules import RuleBook, book as find_book
from fivedice.words import word

if TYPE_CHECKING:
    from rich.console import Console

    from fivedice.analysis.statistics import BookStatistics, GameFacts
    from fivedice.analysis.statistics_lines import Line
    from fivedice.game import Game
    from fivedice.solver import Solution

_DATE = "Date"  # the tag of a record that says when it was played


def stats(
    files: Annotated[list[str] | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    name: str | None = None,
    book: str | None = None,
    csv: bool = False,
    json: bool = False,
) -> None:
    """Statistics over recorded games, book by book: totals, boxes, accuracy, and where the points are lost.

    Examples: `fivedice stats`, `fivedice stats games/*.txt --name Ann`, `fivedice stats games.txt --csv > games.csv`.

    Parameters
    ----------
    files
        Records in Fivedice notation or as JSON, '-' for standard input; without any, the games of this terminal.
    name
        Count only this player; without it everybody in the records, and at this terminal those who sat at it.
    book
        The rule book of records of a house book: the path of its .toml file.
    csv
        Print one line a game as CSV.
    json
        Print JSON, as docs/reports.md describes it.
    """
    rules = None if book is None else find_book(book)
    games = list(_judged(_recorded(files, rules) if files else _at_this_terminal(), name))
    if not games:
        raise FivediceError("report.no-games" if name is None else "report.no-games-of", name=quote(name))
    if csv:
        from fivedice.analysis.statistics_lines import to_csv

        print(to_csv(games), end="")
        return
    books = _books(games)
    if json:
        from fivedice.analysis.statistics_lines import statistics_to_json

        print_json(statistics_to_json(books))
        return
    for each in books:
        _print(console(), each)


Seated = tuple["Game", list[int], str, str, int]  # a game, the seats that count, when, where, and its number there


def _recorded(files: list[str], book: RuleBook | None) -> Iterator[Seated]:
    for file in files:
        for number, game in enumerate(read_games(read_text(file), book), 1):
            yield game, list(range(len(game.players))), game.tags.get(_DATE, ""), file, number


def _at_this_terminal() -> Iterator[Seated]:
    from fivedice.tui.session import games, open_tables, storing

    tables = open_tables()
    try:
        with storing():
            for entry in games(tables):
                state = tables.state(entry.id)
                seats = [place for place, seat in enumerate(state.seats) if seat.player is not None and not seat.helped]
                for number, played in enumerate(state.finished_games, 1):
                    yield played.game, seats, entry.updated, entry.id, number
    finally:
        tables.store.close()


def _judged(found: Iterator[Seated], name: str | None) -> Iterator[GameFacts]:
    from fivedice.analysis.statistics import facts_of

    solutions: dict[RuleBook, Solution] = {}
    for game, seats, when, where, number in found:
        if game.is_over:
            if game.book not in solutions:
                solutions[game.book] = solved(game.book)
            for seat in seats:
                if name is None or game.players[seat].casefold() == name.strip().casefold():
                    yield facts_of(game, seat, solutions[game.book], when=when, where=where, number=number)


def _books(games: list[GameFacts]) -> list[BookStatistics]:
    from fivedice.analysis.statistics import BookStatistics, by_book

    return [BookStatistics(each[0].book, each, perfected(solved(each[0].book))) for each in by_book(games)]


def _print(out: Console, found: BookStatistics) -> None:
    from fivedice.analysis.statistics_lines import book_lines

    told = book_lines(found)
    out.print(told.name, markup=False, style="bold")
    out.print(told.sentence)
    if told.simulated:
        out.print(told.simulated)
    _print_table(out, ["", word("report.your-column"), word("report.perfect")], [*told.rates, *told.boxes])
    if told.steps:
        _print_table(out, [word("report.where-lost"), word("report.lost-per-game")], told.steps)


def _print_table(out: Console, heads: list[str], lines: Iterable[Line]) -> None:
    shown = table(*heads, numbers=range(1, len(heads)))
    for line in lines:
        shown.add_row(*map(escape, (line.name, line.yours, line.perfect)[: len(heads)]))
    out.print(shown)
