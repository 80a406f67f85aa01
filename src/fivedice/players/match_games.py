"""Matches: bots play many games against each other, each deal of dice once in every rotation of the seats.

    fd.match([MyBot, "steady"], games=1000, seed=1)

The dice of a seat follow from the seed, the number of the deal, the turn and the roll. With n players, n consecutive
games have the same deal, and every player sits in every seat once.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import DiceSource, Place, Roll, rolls, seeded, ways
from fivedice.core.game import Mark, Position, Scorecard, Step, Throw, apply
from fivedice.core.game.position import Move
from fivedice.core.rules import DEFAULT, AnyBook, RuleBook, book as find_book
from fivedice.errors import FivediceError, IllegalError, quote
from fivedice.players.bots.entrants import Entrant, Given, ask, begin, end, entrant
from fivedice.players.bots.players import Bot, has_values
from fivedice.players.bots.solo_games import OnGame, Records, record_of, recorder, run_blocks
from fivedice.players.match_result import GamesPlayed, Match, combine_blocks
from fivedice.reports.decisions import TurnValues
from fivedice.solver import Solution, solve
from fivedice.solver.model.book_arrays import Lattice

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress


Floats = NDArray[np.float64]

_SPREAD = 0.18  # standard deviation of a final total over its mean: about that of perfect play in the shipped books
_DOUBT = 5.0  # turns without a loss that every player starts with


class LuckMeter:
    """Measures the luck in one block of games. Estimates of the players' strength carry over to the next deal.

    Before a roll, all its outcomes are known with their chances. So for any measure of a position, the measure after
    the roll minus its mean over all outcomes is zero on average, whatever the players do: taking it off changes no
    expectation. How much variance it removes depends on how good the measure is:

    - in points, the exact expected final total of perfect play from there on;
    - in shares of the win, an estimate from those totals, as if the points still to come were normally distributed.
      The points that each player lost per turn in earlier deals and in this game are assumed for the turns to come, so
      that a weak player is not taken for a perfect one. Other games of the deal do not count: they have the same dice,
      and a measure that follows from the dice to come would be biased.
    """

    def __init__(self, book: RuleBook, solution: Solution, players: int) -> None:
        self._book, self._solution = book, solution
        self._start = solution.value(Scorecard.empty(book))
        # Points lost and turns played, by player: in earlier deals, in finished games of this deal, and in this game.
        self._known, self._hidden, self._now = np.zeros((3, 2, players))
        self._deal = -1
        self._turn: TurnValues | None = None
        self.begin(range(players), deal=0)

    def begin(self, players: Sequence[int], deal: int) -> None:
        """Begin a game with these players in the seats, in order."""
        self._hidden += self._now
        self._now[:] = 0
        if deal != self._deal:
            self._known += self._hidden
            self._hidden[:] = 0
        self._deal = deal
        self._players = list(players)
        self._expected = np.full(len(self._players), self._start)  # by seat
        self.points, self.shares = np.zeros(len(self._players)), np.zeros(len(self._players))  # luck, by player

    def add_throw(self, before: Position, after: Position) -> None:
        """Add the luck of a throw."""
        if self._turn is None:
            self._turn = TurnValues(self._solution, before.card)
        grid, roll = self._solution.compiled.lattice, after.roll
        if roll is None:
            raise ValueError(repr(after))
        chances, fell = _chances(grid, before.dice.faces), grid.row[roll.faces] - grid.first_roll
        totals = self._turn.rolls(after.rolls_left)
        points = float(totals[fell] - totals @ chances)
        self.points[self._players[before.seat]] += points
        self._expected[before.seat] += points
        shares = self._shares(totals, after)
        self.shares[self._players] += shares[:, fell] - shares @ chances

    def add_score(self, before: Position, after: Position) -> None:
        """Add the points lost in a turn that has ended."""
        seat, card = before.seat, after.cards[before.seat]
        expected = card.total + (0.0 if card.is_full else self._solution.value(card))
        self._now[:, self._players[seat]] += self._expected[seat] - expected, 1
        self._expected[seat] = expected
        self._turn = None

    def _shares(self, totals: Floats, position: Position) -> Floats:
        """Estimate each seat's share of the win for every roll of the player on turn, as [seats, rolls]."""
        to_come = np.array([card.marks.count(None) for card in position.cards], dtype=np.float64)
        to_come[position.seat] += min(1.0, position.rolls_left / self._book.rolls) - 1
        lost, turns = self._known + self._now
        losses = (lost / (turns + _DOUBT))[self._players] * to_come
        means = np.repeat((self._expected - losses)[:, None], len(totals), axis=1)
        means[position.seat] = totals - losses[position.seat]
        return _shares(means, (_SPREAD * self._start) ** 2 * to_come / len(self._book.boxes))


@lru_cache(maxsize=1024)
def _chances(grid: Lattice, held: tuple[int, ...]) -> Floats:
    """Return how likely each roll is when all dice but the held ones are thrown, as [rolls]."""
    found = np.zeros(grid.rows - grid.first_roll)
    for fall in rolls(grid.dice - len(held), grid.faces):
        found[grid.row[tuple(sorted((*held, *fall.faces)))] - grid.first_roll] = ways(fall)
    chances: Floats = found / found.sum()
    return chances


def _shares(means: Floats, variances: Floats) -> Floats:
    """Estimate shares of the win: the chances of beating all others, scaled to add up to one. Exact for two players."""
    beats = np.ones_like(means)
    for other, (mean, variance) in enumerate(zip(means, variances, strict=True)):
        for one in range(len(means)):
            if one != other:
                beats[one] *= _normal((means[one] - mean) / np.sqrt(1 + variances[one] + variance))
    shares: Floats = beats / beats.sum(axis=0)
    return shares


def _normal(values: Floats) -> Floats:
    """Approximate the normal distribution function to a ten-thousandth, symmetrically; numpy has none."""
    return 0.5 + 0.5 * np.tanh(0.7988 * values + 0.03528 * values**3)


DEALS = 10  # per block
MOST_GAMES = 10_000_000
MOST_PLAYERS = 12


def match(
    players: Sequence[Given],
    games: int = 1000,
    *,
    book: AnyBook = DEFAULT,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
    records: Records = None,
) -> Match:
    """Let bots play a match and return its result.

    `players` are levels and registered bots by name, or any objects that can choose; at least two. `book` is a rule
    book, its key or the path of its file. The same seed gives the same games on any `executor`: `None` for this thread,
    a pool of threads or processes, `dask.distributed.Client().get_executor()`, `mpi4py.futures.MPIPoolExecutor()`.
    `progress(done, total)` is called as games finish. `records` receives the record of every game, in order: the path
    of a file to write, a list, or a function.

    Results come as they are, and with the luck of the dice taken off where the exact values of the rules are available.

    Raises `MalformedError` for an unknown bot, and `BotError` for a bot that fails. Raises `IllegalError` for bad
    numbers of players or games, or a level that cannot play the book.

    >>> fd.match(["newcomer", "steady"], games=2, book="crag", seed=1).totals.shape
    (2, 2)
    """
    rules = find_book(book)
    _check(players, games)
    entrants = tuple(entrant(each, rules) for each in players)
    given = [each.name for each in entrants]
    counts = [given[: place + 1].count(name) for place, name in enumerate(given)]  # number the second of a name 2
    names = tuple(name if count == 1 else f"{name} {count}" for name, count in zip(given, counts, strict=True))
    work = _Block(rules, entrants, seed, _has_solution(rules), names if records is not None else ())
    cargo = {each.name: each.source for each in entrants}
    blocks: list[GamesPlayed] = []
    with recorder(records) as record:
        for block in run_blocks(work, games, DEALS * len(entrants), executor, progress, cargo):
            blocks.append(block)
            for text in block.records:
                record(text)
    return combine_blocks(rules, names, seed, blocks)


def _check(players: object, games: object) -> None:
    if isinstance(players, str) or not isinstance(players, Sequence) or not 2 <= len(players) <= MOST_PLAYERS:
        raise IllegalError("bots.match-players", most=MOST_PLAYERS, given=quote(players))
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise IllegalError("bots.match-games", most=MOST_GAMES, games=quote(games))


def _has_solution(book: RuleBook) -> bool:
    """Return whether there are exact values, solved now if that takes only seconds; workers then load them."""
    try:
        if has_values(book):
            solve(book)
            return True
    except (FivediceError, ModuleNotFoundError):  # without a compiler there are plain results only
        pass
    return False


@dataclass(frozen=True, slots=True)
class _Block:
    """Plays the games of a range of numbers; sent to the workers."""

    book: RuleBook
    entrants: tuple[Entrant, ...]
    seed: int
    adjust: bool
    names: tuple[str, ...] = ()  # for records; empty if they are not wanted

    def __call__(self, block: range, on_game: OnGame | None = None) -> GamesPlayed:
        count = len(self.entrants)
        bots = [each.make_bot(self.book) for each in self.entrants]
        meter = LuckMeter(self.book, solve(self.book), count) if self.adjust else None
        totals = np.empty((len(block), count), dtype=np.int32)
        luck = None if meter is None else np.empty((2, len(block), count))
        records: list[str] = []
        try:
            for place, number in enumerate(block):
                totals[place] = self._game(number, bots, meter, records)
                if meter is not None and luck is not None:
                    luck[:, place] = meter.points, meter.shares
                if on_game is not None:
                    on_game(place + 1)
        finally:
            for bot in bots:
                end(bot)
        return GamesPlayed(totals, luck, tuple(records))

    def _game(self, number: int, bots: Sequence[Bot], meter: LuckMeter | None, records: list[str]) -> list[int]:
        """Play one game and return its totals, by player; append its record to `records` if they are wanted."""
        deal, rotation = divmod(number, len(bots))
        players = [(seat - rotation) % len(bots) for seat in range(len(bots))]  # by seat
        if meter is not None:
            meter.begin(players, deal)
        seats = [self._seat(bots[player], player, number, deal) for player in players]
        dice = [seeded(f"{self.seed}/{deal}/{seat}") for seat in range(len(bots))]
        position, moves = Position.start(self.book, len(bots)), list[Move]()
        while not position.is_over:
            seat = position.seat
            name = self.entrants[players[seat]].name
            step = _step(position, seats[seat], name, number, dice[seat], meter)
            position = step.after
            moves.append(step.move)
        if self.names:
            records.append(record_of(self.book, [self.names[player] for player in players], moves))
        return [position.cards[players.index(player)].total for player in range(len(bots))]

    def _seat(self, bot: Bot, player: int, number: int, deal: int) -> Bot:
        entrant = self.entrants[player]
        if entrant.has_moods:
            return entrant.make_bot(self.book, f"{self.seed}/{deal}")
        begin(bot, entrant.name, number + 1, f"{self.seed}/{number}/{player}")
        return bot


def _step(position: Position, bot: Bot, name: str, number: int, dice: DiceSource, meter: LuckMeter | None) -> Step:
    """Make the next throw, or the next move."""
    if position.in_cup:
        place = Place(position.card.filled.bit_count() + 1, position.roll_number, 0)
        fell = dice.throw(place, position.in_cup, position.book.faces)
        step = apply(position, Throw(Roll((*position.dice, *fell))))
        if meter is not None:
            meter.add_throw(position, step.after)
        return step
    move = ask(bot, name, number + 1, position)
    step = apply(position, move)
    if meter is not None and isinstance(move, Mark):
        meter.add_score(position, step.after)
    return step
