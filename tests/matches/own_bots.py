"""Bots as strangers write them. They stand in a module of their own, so that worker processes can import them."""

from __future__ import annotations

from random import Random

import fivedice as fd


class Highest:
    """Scores at once what pays most."""

    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        legal = position.ruling().legal
        return fd.Mark(max(legal, key=lambda box: legal[box].points))


class Anything:
    """Draws its moves from the seed of its game."""

    name = "anything"

    def begin(self, seed: str) -> None:
        self._random = Random(seed)

    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        return self._random.choice(position.legal_moves)


class Moody(Highest):
    """Remembers how often it was asked, which it should not."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        self.asked += 1
        if self.asked % 3 and position.rolls_left:
            return fd.Hold(fd.Keep(position.dice.faces[:1]))
        return super().choose(position)


class Fails(Highest):
    """Plays five moves, then misbehaves as configured."""

    def __init__(self, last: object) -> None:
        self.left, self.last = 5, last

    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        self.left -= 1
        if self.left >= 0:
            return super().choose(position)
        if isinstance(self.last, Exception):
            raise self.last
        return self.last  # type: ignore[return-value]


class Judged(Highest):
    """Keeps the highest die, and notes what every decision loses by the advice of the solution."""

    lost: list[float]
    seats: list[tuple[int, str]]

    def __deepcopy__(self, _: object) -> Judged:
        return self

    def __init__(self) -> None:
        self.lost, self.seats = [], []

    def choose(self, position: fd.Position) -> fd.Hold | fd.Mark:
        keep, roll = fd.Keep(position.dice.faces[-1:]), position.roll
        move = fd.Hold(keep) if position.rolls_left else super().choose(position)
        assert roll is not None
        if position.roll_number == 2 and not position.card.filled:
            self.seats.append((position.seat, str(roll)))
        advice = fd.solve(position.book).advise(position.card, roll, position.rolls_left)
        self.lost.append(next(each.loss for each in advice if each.move == move))
        return move
