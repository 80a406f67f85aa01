"""Matches: bots play many games against each other, each deal of dice once in every rotation of the seats.

    fd.match([MyBot, "steady"], games=1000, seed=1)

The dice of a seat follow from the seed, the number of the deal, the turn and the roll. With n players, n consecutive
games have the same deal, and every player sits in every seat once.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fivedice.core.dice import DiceSource, Place, Roll, seeded
from fivedice.core.game import Mark, Position, Step, Throw, apply
from fivedice.core.game.position import Move
from fivedice.core.rules import DEFAULT, AnyBook, RuleBook, book as find_book
from fivedice.errors import FivediceError, IllegalError, quote
from fivedice.players.bots.blocks import OnGame, run_blocks
from fivedice.players.bots.entrants import Entrant, Given, ask, begin, end, entrant
from fivedice.players.bots.game_records import Records, record_of, recorder
from fivedice.players.bots.players import Bot, has_values
from fivedice.players.matches.match_luck import LuckMeter
from fivedice.players.matches.match_result import GamesPlayed, Match, combine_blocks
from fivedice.solver import solve

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

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

    Raises `IllegalError` for bad numbers of players or games or a level that cannot play the book, `MalformedError` for
    an unknown bot, and `BotError` for a bot that fails.

    >>> fd.match(["newcomer", "steady"], games=2, book="crag", seed=1).totals.shape
    (2, 2)
    """
    rules = find_book(book)
    _check(players, games)
    entrants = tuple(entrant(each, rules) for each in players)
    names = _number_duplicates([each.name for each in entrants])
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


def _number_duplicates(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that differ: the second player of a name is numbered 2."""
    counts = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return tuple(name if count == 1 else f"{name} {count}" for name, count in zip(names, counts, strict=True))


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
            meter.begin(players)
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
