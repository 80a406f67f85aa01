"""`fivedice demo`: a whole game to look at."""

from __future__ import annotations

from fivedice.cli.output import console, tell
from fivedice.cli.playing.replay_cmd import print_game
from fivedice.dice import fresh, seeded
from fivedice.game import Game
from fivedice.rules import DEFAULT


def demo(book: str = DEFAULT, /, *, seed: int | None = None) -> None:
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
        _turn(game)
    print_game(game)
    console().print()
    tell("cli.demo-next")


def _turn(game: Game) -> None:
    """Keep the most frequent face, high ones first, then take the box that pays most now."""
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
