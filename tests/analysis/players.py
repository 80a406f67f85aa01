"""Games for the reports: random games with real moves; some turns have their final dice alone."""

from random import Random

import fivedice as fd
from fivedice.players import bots

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def next_dice(position: fd.Position, draw: Random) -> tuple[int, ...]:
    """Fair dice, but one throw in eight shows all faces alike, so that jokers and extras come up."""
    faces = position.book.faces
    if draw.random() < 1 / 8:
        return (position.dice.faces[0] if position.dice.faces else draw.randint(1, faces),) * position.in_cup
    return tuple(draw.choices(range(1, faces + 1), k=position.in_cup))


def any_move(position: fd.Position, draw: Random) -> fd.Hold | fd.Mark:
    """Return a random legal move, often a hold, so that turns have several decisions."""
    if position.rolls_left and draw.random() < 0.6:
        size = draw.randrange(len(position.dice))
        return fd.Hold(fd.Keep.of(draw.sample(position.dice.faces, size)))
    return fd.Mark(draw.choice(list(position.ruling().legal)))


def random_game(book: fd.RuleBook, draw: Random, *, finish: bool = True) -> fd.Game:
    players = NAMES[: draw.choice((1, 1, 1, 2, 3, 4))]
    game = fd.Game.new(book, players, dice=fd.dice.real(), first=draw.randrange(len(players)))
    moves = draw.randrange(200) if not finish else 10**6
    while not game.is_over and len(game.moves) < moves:
        position = game.position
        if position.chance_moves_next:
            first = position.rolls_left == book.rolls
            game.roll(next_dice(position, draw), last=first and draw.random() < 0.15)
        else:
            game.play(any_move(position, draw))
    return game


def bot_game(book: fd.RuleBook, level: str, seed: str, players: int = 1) -> fd.Game:
    game = fd.Game.new(book, NAMES[:players], dice=fd.dice.seeded(seed), first=0)
    bot = bots.bot(level, book)
    while not game.is_over:
        if game.position.chance_moves_next:
            game.roll()
        else:
            game.play(bot.choose(game.position))
    return game
