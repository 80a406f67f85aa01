"""Recorded games: `fivedice replay` checks and shows them, `fivedice demo` makes one to look at.

`fivedice verify` derives their dice again and asks their bots for their moves again; `fivedice scorecard` prints score
sheets, empty or filled.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.output import BookName, PaperName, console, print_json, read_text, sheet_table, tell, write_file
from fivedice.core.dice import fresh, seeded
from fivedice.core.game import Game
from fivedice.core.notation import game_to_json, read_game, read_games
from fivedice.core.notation.records import Comments, rounds_of, write_noted
from fivedice.core.rules import DEFAULT, RuleBook, book as find_book
from fivedice.drawing.paper import scorecard_pdf
from fivedice.errors import FivediceError, MalformedError, quote
from fivedice.table.fairness.commitments import Findings, Noted, check_record
from fivedice.text import word


def replay(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, book: BookName | None = None, json: bool = False
) -> None:
    """Check a recorded game, or several in one file, move by move and print: every turn, the sheet, and who won.

    Examples: `fivedice replay game.txt`, `fivedice replay - < game.txt`,
    `fivedice replay game.txt --book my-house.toml --json`.

    Parameters
    ----------
    file
        The record, in Fivedice notation or as JSON; '-' reads standard input.
    book
        The house rules of an older record that has none in it: the path of their .toml file.
    json
        Print the game as JSON, as docs/notation.md describes it.
    """
    text, rules = read_text(file), None if book is None else find_book(book)
    games = read_games(text, rules) or [read_game(text, rules)]  # raises, and says what an empty text lacks
    if json:
        print_json(game_to_json(games[0]) if len(games) == 1 else [game_to_json(game) for game in games])
        return
    for number, game in enumerate(games, start=1):
        if len(games) > 1:
            tell("cli.game-of", number=number, count=len(games), style="bold")
        print_game(game)


def print_game(game: Game) -> None:
    """Print the turns in order, the score sheet, and the outcome."""
    out = console()
    width, said = max(map(len, game.players)), Comments(game)
    if 0 in game.comments:
        out.print(game.comments[0], markup=False)
    for number, line in enumerate(rounds_of(game), start=1):
        for place, noted in enumerate(line):
            lead = "" if place else f"{number}."
            player = escape(game.players[noted.seat])
            comment = said.of(noted)
            out.print(f"{lead:<4}{player:<{width}}  {escape(write_noted(noted, game.book))}")
            if comment is not None:
                out.print(f"{'':<{width + 6}}{comment}", markup=False)
    out.print(sheet_table(game))
    out.print(outcome_sentence(game), markup=False)


def outcome_sentence(game: Game) -> str:
    """Say who won, or whose turn it is."""
    if game.outcome is None:
        return word("cli.in-progress", player=game.players[game.position.seat])
    best = max(game.outcome.totals)
    if len(game.players) == 1:
        return word("cli.final-score", total=best)
    if game.outcome.is_tie:
        return word("cli.shared-win", winners=tuple(game.winners), total=best)
    return word("cli.winner", winner=game.winners[0], total=best)


def demo(book: BookName = DEFAULT, /, *, seed: int | None = None) -> None:
    """Watch two simple players play a game: turns in notation, the sheet, the winner.

    Examples: `fivedice demo`, `fivedice demo yatzy --seed 7`.

    Parameters
    ----------
    book
        A shipped book or the path of a .toml file.
    seed
        The same seed shows the same game; without one every game is new.
    """
    game = Game.new(book, ["Ann", "Bob"], dice=fresh() if seed is None else seeded(seed))
    tell("cli.demo", rules=game.book, player=game.players[game.first], style="bold")
    tell("cli.demo-notation")
    while not game.is_over:
        _play_turn(game)
    print_game(game)
    console().print()
    tell("cli.demo-next")


def _play_turn(game: Game) -> None:
    """Keep the most frequent face, the higher one of equals, then score the box with the most points."""
    game.roll()
    while game.position.rolls_left:
        counts = game.position.dice.counts
        face = max(counts, key=lambda one: (counts[one], one))
        if counts[face] == game.book.dice:
            break
        game.hold([face] * counts[face])
        game.roll()
    legal = game.position.ruling().legal
    game.mark(max(legal, key=lambda box: legal[box].points))


def verify(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    promise: str | None = None,
    text: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    receipt: str | None = None,
    key: str | None = None,
    book: BookName | None = None,
    json: bool = False,
) -> None:
    """Derive every die of a recorded game from its secret, and check the signature of the server.

    Records of games at a table carry the proof once the game is over. `verify_dice.py`, which every server hands out,
    does the same without Fivedice. Bots are asked again for every decision: they cannot have seen coming dice.

    A record proves nothing about the time before the game. Give the dice lock and the text that you noted then, or the
    receipt that the page of the game kept.

    Examples: `fivedice verify game.txt --receipt receipt.json --text rain`, `fivedice verify - < game.txt`.

    Parameters
    ----------
    file
        The record in Fivedice notation; '-' reads standard input.
    promise
        The dice lock that you saw before the game.
    text
        The text that you added to the dice.
    receipt
        The file with the signed receipt of the dice lock.
    key
        The public key of the server, as it shows it at /api/key.
    book
        The house rules of an older record that has none in it: the path of their .toml file.
    json
        Print what was found as JSON.
    """
    record = read_text(file)
    if "\n[Fivedice " in record:
        raise MalformedError("cli.several-records", file=quote(file))
    noted = Noted(promise, text, None if receipt is None else read_text(receipt), key)
    found = check_record(record, None if book is None else find_book(book), noted)
    if json:
        print_json(_findings_to_json(found))
    else:
        _print_findings(found)


def _findings_to_json(found: Findings) -> dict[str, Any]:
    verdict, receipt = found.verdict, found.receipt
    return {
        "verified": found.is_verified,
        "dice": verdict.dice,
        "throws": verdict.throws,
        "commitment": verdict.commitment,
        "signed": None if receipt is None else {"time": receipt.time, "key": receipt.key},
        "moves_signed_by": found.signer,
        "bots": [{"name": seat.name, "decisions": seat.decisions} for seat in found.bots],
        "unchecked": list(found.unchecked),
    }


def _print_findings(found: Findings) -> None:
    kind = "cli.verified" if found.is_verified else "cli.dice-verified"
    tell(kind, dice=found.verdict.dice, count=found.verdict.throws)
    tell("cli.dice-lock", lock=found.verdict.commitment, soft_wrap=True)
    for about in (found.moves, *found.agreed, *found.replayed, *found.unreplayed):
        console().print(str(about), markup=False, soft_wrap=True)
    for name in found.unchecked:
        if name != "moves":  # printed above
            tell(f"cli.unchecked-{name}", soft_wrap=True)


def scorecard(
    book: BookName | None = None,
    /,
    *,
    out: Annotated[str, Parameter(allow_leading_hyphen=True)],
    games: int | None = None,
    players: int | None = None,
    large: bool = False,
    paper: PaperName = "a4",
    record: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
) -> None:
    """Make a score sheet to print, as PDF: empty, or filled with recorded games.

    Examples: `fivedice scorecard yardzee --out pad.pdf`, `fivedice scorecard yatzy --players 4 --large --out pad.pdf`,
    `fivedice scorecard my-house.toml --out pad.pdf`, `fivedice scorecard --record game.txt --out game.pdf`.

    Parameters
    ----------
    book
        A shipped book or the path of a .toml file; with --record it is needed for house rules alone.
    out
        The PDF to write, over an older one if there is one; '-' is standard output.
    games
        So many games side by side; as the book has it without this. With --record, columns for games to come.
    players
        So many players side by side; with --games, so many sheets, one a player.
    large
        Large print: 18 points and more, the sections on a page each.
    paper
        The paper: a4 or letter.
    record
        Records in Fivedice notation or as JSON, one or more, to fill the sheet.
    """
    if record is None:
        if book is None:
            raise FivediceError("cli.which-sheet")
        pdf = scorecard_pdf(find_book(book), games=games, players=players, large=large, paper=paper)
    else:
        played = _read(record, None if book is None else find_book(book))
        pdf = scorecard_pdf(played[0].book, games=games, players=players, played=played, large=large, paper=paper)
    _write(pdf, out)


def _read(files: list[str], book: RuleBook | None) -> list[Game]:
    played = [game for file in files for game in read_games(read_text(file), book)]
    if not played:
        raise MalformedError("cli.no-record", files=tuple(map(quote, files)))
    return played


def _write(pdf: bytes, out: str) -> None:
    if out == "-":
        sys.stdout.buffer.write(pdf)
        return
    write_file(Path(out), pdf)
    tell("cli.written", file=out, soft_wrap=True)
