"""`fivedice report`: what luck and decisions made of a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.analysing.solving import shown_progress, solved
from fivedice.cli.output import console, print_json, read_text, table
from fivedice.cli.playing.replay_cmd import outcome_sentence
from fivedice.errors import FivediceError, MalformedError, quote
from fivedice.notation import read_games
from fivedice.rules import book as find_book

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from fivedice.analysis.perfect import Perfect
    from fivedice.analysis.report import PlayerReport, Report
    from fivedice.game import Game

_KINDS = (".pdf", ".png", ".svg", ".json")
_NUMBERS = {"Turn", "Lost", "Luck", "Mistakes", "Expected"}
_BARS = "▁▂▃▄▅▆▇█"


def report(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    book: str | None = None,
    game: int | None = None,
    turns: bool = False,
    out: Path | None = None,
    json: bool = False,
) -> None:
    """Report a recorded game: luck, mistakes and accuracy of each player, and the moments that cost most.

    Examples: `fivedice report game.txt`, `fivedice report game.txt --turns`, `fivedice report - < game.txt`,
    `fivedice report game.txt --out report.pdf`.

    Parameters
    ----------
    file
        The record, in Fivedice notation or as JSON; '-' reads standard input.
    book
        The rule book it was played by, if it is not a shipped one: the path of its .toml file.
    game
        Which one, counted from 1, where the file has several records.
    turns
        Show every turn: the luck of each roll, and each decision that lost points.
    out
        Write a picture to share (.png, .svg), a document (.pdf) or .json instead of printing.
    json
        Print JSON, as docs/reports.md describes it.
    """
    _check_kind(out)
    chosen = _chosen(file, book, game)
    from fivedice.analysis.perfect import known, perfect
    from fivedice.analysis.report import report as make_report

    solution = solved(chosen.book)
    found = make_report(chosen, solution)
    at_hand = known(solution)
    if at_hand is None:
        with shown_progress(f"Playing {chosen.book.name} perfectly") as progress:
            at_hand = perfect(solution, progress)
    if out is not None:
        _write(out, found, at_hand)
    elif json:
        from fivedice.analysis.report_json import report_to_json

        print_json(report_to_json(found, at_hand))
    else:
        _print(chosen, found, at_hand, turns=turns)


def _check_kind(out: Path | None) -> None:
    if out is not None and out.suffix.lower() not in _KINDS:
        raise MalformedError(f"{quote(str(out))} has no ending that can be written; take one of {', '.join(_KINDS)}")


def _chosen(file: str, book: str | None, number: int | None) -> Game:
    games = read_games(read_text(file), None if book is None else find_book(book))
    if not games:
        raise MalformedError(f"there is no record in {quote(file)}")
    if number is None and len(games) > 1:
        raise MalformedError(f"there are {len(games)} records in {quote(file)}: say which, as in --game 1")
    wanted = 1 if number is None else number
    if not 1 <= wanted <= len(games):
        raise MalformedError(f"{quote(file)} has games 1 to {len(games)}, not {wanted}")
    return games[wanted - 1]


def _write(out: Path, found: Report, perfect: Perfect) -> None:
    try:
        out.write_bytes(_made(out.suffix.lower(), found, perfect))
    except (OSError, ValueError) as error:  # a ValueError: a name that no file can have
        raise FivediceError(f"{quote(str(out))} cannot be written: {getattr(error, 'strerror', error)}") from None
    console().print(f"Written: {out}", markup=False, soft_wrap=True)


def _made(kind: str, found: Report, perfect: Perfect) -> bytes:
    from json import dumps

    from fivedice.analysis.charts import share_picture as picture
    from fivedice.analysis.report_json import report_to_json

    if kind == ".pdf":
        return picture.report_pdf(found, perfect)
    if kind == ".png":
        return picture.picture_png(found, perfect)
    if kind == ".svg":
        return picture.picture_svg(found, perfect).encode()
    return (dumps(report_to_json(found, perfect), ensure_ascii=False, indent=2) + "\n").encode()


def _print(game: Game, found: Report, perfect: Perfect, *, turns: bool) -> None:
    from fivedice.analysis.report_words import final_dice_words

    out = console()
    out.print(f"[bold]{escape(found.book.name)}[/]. {escape(outcome_sentence(game))}")
    _print_players(out, found, perfect)
    _print_costliest(out, found)
    for player in found.players:
        if turns:
            _print_turns(out, found, player)
    note = final_dice_words(found)
    if note:
        out.print(note)
    if not turns:
        out.print("Every turn: --turns. As a picture or on paper: --out report.png, --out report.pdf.")


def _print_players(out: Console, found: Report, perfect: Perfect) -> None:
    from fivedice.analysis.report_words import accuracy_words, better_words, identity_words

    for player in found.players:
        out.print()
        out.print(f"[bold]{escape(player.name)}[/]  {_sparkline(player)}")
        out.print(f"  {identity_words(player)}")
        place = f", {better_words(player, perfect)}" if found.finished else ""
        best = f"{player.best_decisions} of {player.decisions} decisions were best"
        out.print(f"  Accuracy {accuracy_words(player)}: {best}{place}")
        fell = ", ".join(map(str, player.dice.counts))
        out.print(f"  Dice, face 1 first: {fell}; fair dice: {player.dice.expected:.1f} each")


def _sparkline(player: PlayerReport) -> str:
    """The expected total after each turn, low to high."""
    values = [player.start, *(turn.end for turn in player.turns)]
    low, high = min(values), max(values)
    steps = [int((value - low) / ((high - low) or 1) * (len(_BARS) - 1)) for value in values]
    return "".join(_BARS[step] for step in steps)


def _print_costliest(out: Console, found: Report) -> None:
    from fivedice.analysis.report_words import best_words, move_words, rolls_words

    moments = found.costliest()
    if not moments:
        out.print("\nNo decision lost a point.")
        return
    shown = table("Player", "Turn", "Dice", "Did", "Better", "Lost", title="The costliest moments")
    for moment in moments:
        decision = moment.decision
        shown.add_row(
            escape(found.players[moment.seat].name),
            str(moment.turn),
            f"{decision.roll}, {rolls_words(decision.rolls_left)}",
            escape(move_words(decision.move, found.book)),
            escape(best_words(decision, found.book)),
            f"{decision.loss:.1f}",
        )
    _align(shown, out)


def _print_turns(out: Console, found: Report, player: PlayerReport) -> None:
    from fivedice.analysis.report_words import move_words, points

    shown = table("Turn", "Rolls, with their luck", "Box", "Luck", "Mistakes", "Expected", title=escape(player.name))
    for turn in player.turns:
        rolls = ", ".join(f"{fall.roll} {points(fall.luck)}" for fall in turn.falls)
        box = "" if turn.box is None else f"{found.book.box(turn.box).name} {turn.points}"
        shown.add_row(str(turn.number), rolls, escape(box), points(turn.luck), points(-turn.lost), f"{turn.end:.1f}")
        for each in turn.decisions:
            if not each.is_best:
                did, better = move_words(each.move, found.book), move_words(each.best[0], found.book)
                shown.add_row("", escape(f"{each.roll}: {did}; better {better}"), "", "", points(-each.loss), "")
    _align(shown, out)


def _align(shown: Table, out: Console) -> None:
    for column in shown.columns:
        if column.header in _NUMBERS:
            column.justify = "right"
    out.print()
    out.print(shown)
