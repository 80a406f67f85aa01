"""`fivedice report`: luck and decisions in a recorded game; `fivedice stats`: statistics of many games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.output import BookName, console, print_json, read_text, table, tell, write_file
from fivedice.cli.solving import load_perfect, load_solution, show_progress
from fivedice.core.notation import read_games
from fivedice.core.rules import RuleBook, book as find_book
from fivedice.errors import FivediceError, IllegalError, MalformedError, MissingExtra, quote
from fivedice.message import Either, Series
from fivedice.text import word

if TYPE_CHECKING:
    from rich.console import Console

    from fivedice.core.game import Game
    from fivedice.reports.game_report import PlayerReport, Report
    from fivedice.reports.perfect import Perfect
    from fivedice.reports.report_lines import PlayerLine, ReportLines
    from fivedice.reports.statistics import BookStatistics, GameFacts
    from fivedice.reports.statistics_lines import StatisticsLine
    from fivedice.reports.win_report import GameWins
    from fivedice.solver import Solution

_KINDS = (".pdf", ".png", ".svg", ".json")
_PICTURES = (".png", ".svg")
_BARS = "▁▂▃▄▅▆▇█"


def report(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    book: BookName | None = None,
    game: int | None = None,
    turns: bool = False,
    points: bool = False,
    out: Path | None = None,
    json: bool = False,
) -> None:
    """Report a recorded game: luck, mistakes and accuracy of each player, and the moments that cost most.

    With others in the game decisions are judged by the chance of winning, and the points they lost stand beside it.

    Examples: `fivedice report game.txt`, `fivedice report game.txt --turns`, `fivedice report - < game.txt`,
    `fivedice report game.txt --out report.pdf`.

    Parameters
    ----------
    file
        The record, in Fivedice notation or as JSON; '-' reads standard input.
    book
        The house rules of an older record that has none in it: the path of their .toml file.
    game
        Which one, counted from 1, where the file has several records.
    turns
        Show every turn: the luck of each roll, and each decision that lost something.
    points
        Judge by points alone, where others play too: quicker by a second or two.
    out
        Write a picture to share (.png, .svg), a document (.pdf) or .json instead of printing.
    json
        Print JSON, as docs/reports.md describes it.
    """
    if out is not None and out.suffix.lower() not in _KINDS:
        raise MalformedError("cli.bad-ending", endings=Either(_KINDS), file=quote(str(out)))
    chosen = _read_game(file, book, game)
    if out is not None and out.suffix.lower() in _PICTURES:
        from fivedice.reports.share_picture import picture_file

        _write(out, picture_file(out.suffix.lower().removeprefix("."), chosen))
        return
    from fivedice.reports.game_report import report as make_report

    solution = load_solution(chosen.book)
    with show_progress(word("cli.winning", rules=chosen.book)) as progress:
        found = make_report(chosen, solution, win=not points, progress=progress)
    perfect = load_perfect(solution)
    if out is not None:
        from fivedice.reports.share_picture import report_file

        _write(out, report_file(out.suffix.lower().removeprefix("."), found, perfect))
    elif json:
        from fivedice.reports.report_json import report_to_json

        print_json(report_to_json(found, perfect))
    else:
        _print(found, perfect, turns=turns)


def _read_game(file: str, book: str | None, number: int | None) -> Game:
    games = read_games(read_text(file), None if book is None else find_book(book))
    if not games:
        raise MalformedError("cli.no-record", files=quote(file))
    if number is None and len(games) > 1:
        raise MalformedError("cli.which-record", file=quote(file), count=len(games))
    wanted = 1 if number is None else number
    if not 1 <= wanted <= len(games):
        raise MalformedError("cli.no-such-record", file=quote(file), count=len(games), wanted=wanted)
    return games[wanted - 1]


def _write(out: Path, content: bytes) -> None:
    write_file(out, content)
    tell("cli.written", file=str(out), soft_wrap=True)


def _print(found: Report, perfect: Perfect | None, *, turns: bool) -> None:
    from fivedice.reports.report_lines import report_lines

    out, lines = console(), report_lines(found, perfect)
    out.print(lines.title, markup=False, style="bold")
    for player, line in zip(found.players, lines.players, strict=True):
        out.print()
        out.print(f"[bold]{escape(line.name)}[/]  {_sparkline(player)}")
        counts = word("report.face-counts", counts=Series(player.dice.counts), expected=player.dice.expected)
        for text in filter(None, (line.identity, line.win_words, line.errors, line.summary, counts)):
            out.print(f"  {text}", markup=False)
    if lines.judged:
        out.print()
        out.print(lines.judged)
    _print_costliest(out, lines)
    for line in lines.players if turns else ():
        _print_turns(out, line, lines)
    if lines.note:
        out.print(lines.note)
    if not turns:
        out.print(word("report.more-to-see"))


def _sparkline(player: PlayerReport) -> str:
    """Draw the expected total after each turn as small bars."""
    values = [player.start, *(turn.end for turn in player.turns)]
    low, high = min(values), max(values)
    steps = [int((value - low) / ((high - low) or 1) * (len(_BARS) - 1)) for value in values]
    return "".join(_BARS[step] for step in steps)


def _print_costliest(out: Console, lines: ReportLines) -> None:
    if not lines.costliest:
        out.print()
        out.print(lines.nothing_lost)
        return
    from fivedice.reports.report_lines import MOMENT, heads

    names = heads("player", *MOMENT[lines.judged_by])
    shown = table(*names, title=word("report.costliest"), numbers=(1, *range(5, len(names))))
    for each in lines.costliest:
        shown.add_row(*map(escape, each.cells))
    out.print()
    out.print(shown)


def _print_turns(out: Console, player: PlayerLine, lines: ReportLines) -> None:
    from fivedice.reports.report_lines import TURN, heads

    names = heads(*TURN[lines.judged_by])
    shown = table(*names, title=escape(player.name), numbers=(0, *range(3, len(names))))
    for turn in player.turns:
        shown.add_row(*map(escape, turn.cells))
        for each in turn.decisions:
            if each.lost:
                mistake = word("report.mistake", dice=each.roll, did=each.did, better=each.better)
                losses = [each.lost, ""] if each.beside is None else [each.beside, "", each.lost, ""]
                shown.add_row("", escape(mistake), each.kind, "", *losses)
    out.print()
    out.print(shown)


_DATE = "Date"  # the tag of a record with the date of the game


def stats(
    files: Annotated[list[str] | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    name: str | None = None,
    book: BookName | None = None,
    win: bool = False,
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
        The house rules of older records that have none in them: the path of their .toml file.
    win
        Count chances of winning, too: what decisions lost of them, and results with even luck. It takes two or three
        seconds a game.
    csv
        Print one line a game as CSV.
    json
        Print JSON, as docs/reports.md describes it.
    """
    rules = None if book is None else find_book(book)
    refused: dict[RuleBook, FivediceError] = {}
    games = list(_judge(_games_in_files(files, rules) if files else _terminal_games(), name, refused, win=win))
    _say_left_out(refused, some_judged=bool(games))
    if not games:
        raise FivediceError("report.no-games" if name is None else "report.no-games-of", name=quote(name))
    if csv:
        from fivedice.reports.statistics_lines import to_csv

        print(to_csv(games), end="")
        return
    from fivedice.reports.statistics import BookStatistics, by_book

    books = [BookStatistics(each[0].book, each, load_perfect(load_solution(each[0].book))) for each in by_book(games)]
    if json:
        from fivedice.positions.strength import statistics_with_strength

        print_json(statistics_with_strength(books))
        return
    for each in books:
        _print_statistics(console(), each)


Seated = tuple[
    "Game", list[int], str, str, int
]  # a game, the seats that count, the date, the file and its number there


def _games_in_files(files: list[str], book: RuleBook | None) -> Iterator[Seated]:
    for file in files:
        for number, game in enumerate(read_games(read_text(file), book), 1):
            yield game, list(range(len(game.players))), game.tags.get(_DATE, ""), file, number


def _terminal_games() -> Iterator[Seated]:
    from fivedice.terminal.session import games, open_tables, storing

    tables = open_tables()
    with closing(tables.store), storing():
        for entry in games(tables):
            state = tables.state(entry.id)
            seats = [place for place, seat in enumerate(state.seats) if seat.player is not None and not seat.helped]
            for number, played in enumerate(state.finished_games, 1):
                yield played.game, seats, entry.updated, entry.id, number


def _say_left_out(refused: dict[RuleBook, FivediceError], *, some_judged: bool) -> None:
    """Name the rules that could not be solved. Raise the reason if the games of no others are left."""
    for book, reason in refused.items():
        if not some_judged:
            raise reason
        print(word("report.rules-left-out", rules=book, reason=str(reason)), file=sys.stderr)


def _judge(
    found: Iterator[Seated], name: str | None, refused: dict[RuleBook, FivediceError], *, win: bool
) -> Iterator[GameFacts]:
    """Yield the facts of finished games. Rules that cannot be solved go into `refused`, with the reason."""
    from fivedice.reports.statistics import facts_of

    solutions: dict[RuleBook, Solution] = {}
    for game, seats, when, where, number in found:
        counted = [seat for seat in seats if name is None or (game.players[seat].casefold() == name.strip().casefold())]
        if game.is_over and counted and game.book not in refused:
            if game.book not in solutions:
                try:
                    solutions[game.book] = load_solution(game.book)
                except (IllegalError, MissingExtra) as error:
                    refused[game.book] = error
                    continue
            wins = _wins(game, solutions[game.book]) if win else None
            for seat in counted:
                yield facts_of(game, seat, solutions[game.book], wins, when=when, where=where, number=number)


def _wins(game: Game, solution: Solution) -> GameWins | None:
    from fivedice.reports.win_report import can_judge, wins_of

    if not can_judge(game, solution):
        return None
    with show_progress(word("cli.winning", rules=game.book)) as progress:
        return wins_of(game, solution, progress)


def _print_statistics(out: Console, found: BookStatistics) -> None:
    from fivedice.reports.statistics_lines import book_lines

    lines = book_lines(found)
    out.print(lines.name, markup=False, style="bold")
    out.print(lines.sentence)
    if lines.simulated:
        out.print(lines.simulated)
    if lines.skill:
        heads = ["", word("report.your-column"), word("report.give-or-take-head"), word("report.games-head")]
        _print_table(out, heads, lines.skill)
    _print_strength(out, found)
    if lines.left_out:
        out.print(lines.left_out)
    _print_table(out, ["", word("report.your-column"), word("report.perfect")], [*lines.rates, *lines.boxes])
    if lines.steps:
        _print_table(out, [word("report.where-lost"), word("report.lost-per-game")], lines.steps)


def _print_strength(out: Console, found: BookStatistics) -> None:
    from fivedice.positions.strength import strength_of

    strength = strength_of(found)
    if strength is None:
        return
    said = filter(None, (strength.headline, strength.placed, strength.course))
    out.print(" ".join(map(str, said)), markup=False)
    shown = table(word("coach.train-by-theme-head"), word("report.lost-per-game"), numbers=(1,))
    for name, lost in strength.themes:
        shown.add_row(name, lost)
    if strength.themes:
        out.print(shown)
    if strength.levels:
        levels = Series(tuple(f"{name} {lost}" for name, lost in strength.level_lines))
        out.print(word("coach.train-levels", levels=levels), markup=False)
    out.print(word("coach.train-values-of", fingerprint=strength.fingerprint), style="dim", markup=False)


def _print_table(out: Console, heads: list[str], lines: Iterable[StatisticsLine]) -> None:
    shown = table(*heads, numbers=range(1, len(heads)))
    for line in lines:
        shown.add_row(*map(escape, (line.name, line.yours, line.perfect, line.lost)[: len(heads)]))
    out.print(shown)
