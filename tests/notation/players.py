"""A player without a plan, for tests: it does anything legal, with dice that are often all alike."""

import random
from collections.abc import Iterator

import fivedice as fd
from exhaustive import second_reading as second
from exhaustive.further_readings import rolls_allowed

NAMES = ("Ann", "Bob", 'Zoë "Z"', "李", "O'Neil", "back\\slash", "[x]", "= 3 4")


class Ledger:
    """The expected record of a game, by the second reading and plain addition."""

    def __init__(self, book: str, seats: int) -> None:
        self.book = book
        self.cards: list[dict[str, int]] = [{} for _ in range(seats)]
        self.extras = [0] * seats
        self.used: list[list[int]] = [[] for _ in range(seats)]  # rolls of each turn so far
        self._throws = 0

    def rolls(self, seat: int) -> int:
        """How many a turn of this seat has."""
        return rolls_allowed(self.book, self.used[seat])

    def saved(self, seat: int) -> int:
        """Include dice kept in earlier rolls."""
        return self.rolls(seat) - rolls_allowed(self.book, [])

    def throw(self, number: int = 1) -> None:
        self._throws += number

    def mark(self, seat: int, box: str, dice: tuple[int, ...]) -> None:
        points, extra = second.options(self.book, self.cards[seat], dice)[box]
        self.cards[seat][box] = points
        self.extras[seat] += extra > 0
        self.used[seat].append(self._throws)
        self._throws = 0

    def totals(self) -> list[int]:
        pairs = zip(self.cards, self.extras, strict=True)
        return [second.totals(self.book, card, extras)[3] for card, extras in pairs]


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


def _roll(game: fd.Game, ledger: Ledger, draw: random.Random) -> None:
    """One throw, or the final dice of a turn with the rolls that it left, where they are kept."""
    position = game.position
    rolls = ledger.rolls(position.seat)
    if position.rolls_left < rolls or draw.random() >= 0.2:
        game.roll(next_dice(position, draw))
        ledger.throw()
        return
    left = draw.randrange(rolls) if game.book.save_rolls else 0
    game.roll(next_dice(position, draw), last=True, saved=left)
    ledger.throw(rolls - left)


def _final(game: fd.Game) -> bool:
    """Whether the turn ends with the dice that lie there, although rolls are left over."""
    move = game.steps[-1].move
    return isinstance(move, fd.Throw) and move.last


def play_on(game: fd.Game, ledger: Ledger, draw: random.Random) -> Iterator[fd.Position]:
    """Play to the end, stopping after each move to show the position."""
    while not game.is_over:
        position = game.position
        if position.chance_moves_next:
            _roll(game, ledger, draw)
        elif position.rolls_left and not _final(game) and draw.random() < 0.15:
            game.hold(draw.sample(position.dice.faces, draw.randrange(len(position.dice))))
        else:
            box = draw.choice(list(position.ruling().legal))
            ledger.mark(position.seat, box, position.dice.faces)
            game.mark(box)
        yield game.position
