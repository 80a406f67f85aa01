"""`fivedice replay`: check a recorded game and show it; `fivedice demo`: a whole game to look at."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.choices import BookName
from fivedice.cli.output import console, print_json, read_text, sheet_table, tell
from fivedice.core.dice import fresh, seeded
from fivedice.core.game import Game
from fivedice.core.notation import game_to_json, read_game, read_games
from fivedice.core.notation.records import Comments, rounds_of, write_noted
from fivedice.core.rules import DEFAULT, book as find_book
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
