"""Solo games of any bot in any number: perfect play by the compiled kernels, other bots move by move."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial
from typing import TypeAlias

import numpy as np

from fivedice.core.dice import Place, Roll, seeded
from fivedice.core.game import Hold, Mark, Position, Scorecard, Throw, apply
from fivedice.core.game.position import Move
from fivedice.core.rules import AnyBook, RuleBook, book as find_book
from fivedice.players.bots.blocks import OnGame, Records, Work, record_of, recorder, run_blocks
from fivedice.players.bots.entrants import Entrant, Given, ask, begin, end, entrant
from fivedice.players.bots.levels import NAMES_OF_LEVELS, Level, find_level
from fivedice.players.bots.players import Bot, LevelBot, player_of
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.simulate import Simulation, check_games, join_simulations, simulate as simulate_view
from fivedice.solver.solution import Sight, outlook

Played: TypeAlias = tuple[Scorecard, str]  # a finished card, with its record if records are wanted
BLOCK = 20  # games in a block that is played move by move
KERNEL_BLOCK = 200_000  # games in a block that the kernels play


def simulate(
    book: AnyBook,
    games: int,
    *,
    bot: Given = "perfect",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    records: Records = None,
) -> Simulation:
    """Play many solo games and return their totals and means.

    `book` is a rule book, its key or the path of its file. `bot` is a level, a registered name, or any object that can
    choose. The same seed gives the same totals on any `executor`: a pool of threads or processes, a Dask or MPI
    cluster. `threads` bounds the threads of perfect play, and `progress(done, total)` is called as games finish.

    Perfect play solves the book first, however long that takes, and then needs microseconds per game. Other bots are
    asked for every move, which takes some hundredths of a second per game; so does perfect play where rolls are saved.

    `records` receives the record of every game, in order: the path of a file to write, a list, or a function. All games
    are then played move by move, and with other dice than without `records`.

    Raises `IllegalError` for a bad number of games, `MalformedError` for an unknown bot, and `BotError` for a bot that
    fails.

    >>> fd.simulate("crag", 3, bot="steady", seed=1).totals.tolist()
    [203, 87, 95]
    """
    rules = find_book(book)
    check_games(games)
    if isinstance(bot, str) and bot in NAMES_OF_LEVELS:
        return _simulate_level(find_level(bot), rules, games, seed, threads, progress, executor, records)
    return _play_one_by_one(rules, games, entrant(bot, rules), seed, progress, executor, records)


def measure(level: Level, book: RuleBook, games: int, seed: int) -> Simulation:
    """Simulate a level exactly as it plays at a table."""
    check_games(games)
    return _simulate_level(level, book, games, seed, None, None, None, None)


def _simulate_level(
    level: Level,
    book: RuleBook,
    games: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
    executor: Executor | None,
    records: Records,
) -> Simulation:
    if level.sight == "thumb" or book.save_rolls or records is not None:
        player = Entrant(level.name, source=partial(_player, level, book))
        return _play_one_by_one(book, games, player, seed, progress, executor, records)
    if executor is None:
        return _kernel_games(book, level, seed, threads, games, progress=progress)
    work: Work[Simulation] = partial(_kernel_block, book, level, seed, threads or 1)
    return join_simulations(list(run_blocks(work, games, KERNEL_BLOCK, executor, progress)))


def _player(level: Level, book: RuleBook) -> Bot:
    return player_of(level, book) if level.sight == "thumb" else LevelBot(level, book, "", outlook(book, _sight(level)))


def _sight(level: Level) -> Sight:
    return "exact" if level.sight in {"exact", "win"} else "points"  # alone, playing to win is playing for points


def _kernel_block(
    book: RuleBook, level: Level, seed: int, threads: int, block: range, on_game: OnGame | None = None
) -> Simulation:
    del on_game  # a block takes only seconds
    return _kernel_games(book, level, seed, threads, len(block), first=block.start)


def _kernel_games(
    book: RuleBook,
    level: Level,
    seed: int,
    threads: int | None,
    games: int,
    *,
    first: int = 0,
    progress: Progress | None = None,
) -> Simulation:
    view = outlook(book, _sight(level))
    return simulate_view(
        book, games, view=view, blur=level.blur, seed=seed, threads=threads, progress=progress, number=first
    )


def _play_one_by_one(
    book: RuleBook,
    games: int,
    player: Entrant,
    seed: int,
    progress: Progress | None,
    executor: Executor | None,
    records: Records,
) -> Simulation:
    work: Work[list[Played]] = partial(_games, book, player, seed, records is not None)
    cards: list[Scorecard] = []
    with recorder(records) as record:
        for block in run_blocks(work, games, BLOCK, executor, progress, {player.name: player.source}):
            for card, text in block:
                cards.append(card)
                record(text)
    marks = np.array([card.marks for card in cards])
    return Simulation(
        book,
        np.array([card.total for card in cards], dtype=np.int32),
        {box.key: float(marks[:, place].mean()) for place, box in enumerate(book.boxes)},
        sum((card.book.bonus is not None and card.book.bonus.pays(card.upper_total) > 0) for card in cards) / games,
        sum(card.bonuses for card in cards) / games,
    )


def _games(
    book: RuleBook, player: Entrant, seed: int, recorded: bool, block: range, on_game: OnGame | None = None
) -> list[Played]:
    """Play the games of a block, each with dice from its own number."""
    bot, played = player.make_bot(book), list[Played]()
    try:
        for number in block:
            begin(bot, player.name, number + 1, f"{seed}/{number}")
            moves: list[Move] = []
            card = play(book, _Asked(bot, player.name, number + 1), f"{seed}/{number}", moves)
            played.append((card, record_of(book, [player.name], moves) if recorded else ""))
            if on_game is not None:
                on_game(len(played))
    finally:
        end(bot)
    return played


class _Asked:
    """A bot whose moves are checked, so that an error names the game and position."""

    def __init__(self, bot: Bot, name: str, game: int) -> None:
        self._bot, self._name, self._game = bot, name, game

    def choose(self, position: Position) -> Hold | Mark:
        return ask(self._bot, self._name, self._game, position)


def play(book: RuleBook, bot: Bot, seed: str, moves: list[Move] | None = None) -> Scorecard:
    """Play one solo game to its end and return the card; its moves are appended to `moves`, if given."""
    dice, position = seeded(seed), Position.start(book, 1)
    for turn in range(1, len(book.boxes) + 1):
        while not position.is_over and position.card.filled.bit_count() < turn:
            if position.in_cup:
                place = Place(turn, position.roll_number, 0)
                fell = dice.throw(place, position.in_cup, book.faces)
                step = apply(position, Throw(Roll((*position.dice, *fell))))
            else:
                step = apply(position, bot.choose(position))
            position = step.after
            if moves is not None:
                moves.append(step.move)
    return position.card
