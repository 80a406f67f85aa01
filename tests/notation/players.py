"""A player without a plan, for tests: it does anything legal, with dice that are often all alike."""

import random
from collections.abc import Iterator

import fivedice as fd
from exhaustive import second_reading as second

NAMES = ("Ann", "Bob", 'Zoë "Z"', "李", "O'Neil", "back\\slash", "[x]", "= 3 4")


class Ledger:
    """What a game should have written, kept by the second reading and by plain addition."""

    def __init__(self, book: str, seats: int) -> None:
        self.book = book
        self.cards: list[dict[str, int]] = [{} for _ in range(seats)]
        self.hundreds = [0] * seats

    def mark(self, seat: int, box: str, dice: tuple[int, ...]) -> None:
        points, extra = second.options(self.book, self.cards[seat], dice)[box]
        self.cards[seat][box] = points
        self.hundreds[seat] += extra // 100

    def totals(self) -> list[int]:
        pairs = zip(self.cards, self.hundreds, strict=True)
        return [second.totals(self.book, card, hundreds)[3] for card, hundreds in pairs]


def seat_game(book: str, draw: random.Random) -> fd.Game:
    players = draw.sample(NAMES, draw.choice((1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4)))
    game = fd.Game.new(book, players, dice=fd.dice.real(), first=draw.randrange(len(players)))
    if draw.random() < 0.2:
        game.tags = {"Date": "2024-02-29", "Place": 'the "back" room\n\u2028\\'}
    return game


def next_dice(position: fd.Position, draw: random.Random) -> tuple[int, ...]:
    """Fair dice, but one throw in six shows all faces alike."""
    if draw.random() < 1 / 6:
        face = position.dice.faces[0] if len(position.dice) else draw.randint(1, 6)
        return (face,) * position.in_cup
    return tuple(draw.choices(range(1, 7), k=position.in_cup))


def play_on(game: fd.Game, ledger: Ledger, draw: random.Random) -> Iterator[fd.Position]:
    """Play to the end, stopping after each move to show the position."""
    while not game.is_over:
        position = game.position
        if position.chance_moves_next:
            first = position.rolls_left == game.book.rolls
            game.roll(next_dice(position, draw), last=first and draw.random() < 0.2)
        elif position.rolls_left and draw.random() < 0.15:
            game.hold(draw.sample(position.dice.faces, draw.randrange(len(position.dice))))
        else:
            box = draw.choice(list(position.ruling().legal))
            ledger.mark(position.seat, box, position.dice.faces)
            game.mark(box)
        yield game.position
