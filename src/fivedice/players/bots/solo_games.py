"""Solo games of any bot in any number: perfect play by the compiled kernels, other bots move by move.

Games are played in blocks on any executor of the standard interface: threads, processes or a cluster. A block is a
range of game numbers. Its size does not depend on the number of workers, and a game depends only on its number and its
block. So the results are the same for every executor.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np

from fivedice.core.dice import Place, Roll, real, seeded
from fivedice.core.game import Game, Hold, Mark, Position, Scorecard, Throw, apply
from fivedice.core.game.position import Move
from fivedice.core.notation import write_game
from fivedice.core.rules import AnyBook, RuleBook, book as find_book
from fivedice.errors import BotError, FivediceError, IllegalError, quote
from fivedice.players.bots.entrants import Entrant, Given, ask, begin, end, entrant
from fivedice.players.bots.levels import NAMES_OF_LEVELS, Level, find_level
from fivedice.players.bots.players import Bot, LevelBot, player_of
from fivedice.players.bots.registry import quote_error
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.simulate import Simulation, check_games, join_simulations, simulate as simulate_view
from fivedice.solver.solution import Sight, outlook

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
OnGame: TypeAlias = Callable[[int], None]  # called with the number of games of a block that are done

MOST_WAITING = 256  # blocks that are submitted at a time


class Work(Protocol[Result_co]):
    """Plays the games of a block. It is pickled for workers in other processes."""

    def __call__(self, block: range, on_game: OnGame | None = None) -> Result_co: ...


def run_blocks(
    work: Work[Result],
    games: int,
    size: int,
    executor: Executor | None = None,
    progress: Progress | None = None,
    cargo: Mapping[str, object] | None = None,
) -> Iterator[Result]:
    """Yield the result of every block, in order.

    `cargo` has the bots that are pickled, by name, for the error if one of them cannot be. Raises `IllegalError` if
    `executor` is not an executor, and `BotError` if workers die or a bot cannot be pickled.
    """
    blocks = (range(first, min(first + size, games)) for first in range(0, games, size))
    if executor is None:
        for block in blocks:
            yield work(block, _block_progress(block, games, progress))
        return
    if not callable(getattr(executor, "submit", None)):
        raise IllegalError("bots.no-executor", given=quote(executor))
    for block, result in _run_on_executor(work, blocks, executor, cargo or {}):
        if progress is not None:
            progress(block.stop, games)
        yield result


def _block_progress(block: range, games: int, progress: Progress | None) -> OnGame | None:
    return None if progress is None else lambda done: progress(block.start + done, games)


def _run_on_executor(
    work: Work[Result], blocks: Iterator[range], executor: Executor, cargo: Mapping[str, object]
) -> Iterator[tuple[range, Result]]:
    waiting: deque[tuple[range, Future[Result]]] = deque()
    try:
        for block in blocks:
            waiting.append((block, executor.submit(work, block)))
            if len(waiting) >= MOST_WAITING:
                yield _next_result(waiting)
        while waiting:
            yield _next_result(waiting)
    except (FivediceError, GeneratorExit):
        raise
    except BrokenExecutor as error:
        raise BotError("bots.workers-lost", error=quote_error(error)) from error
    except Exception as error:
        _check_cargo(cargo, error)
        raise
    finally:
        for _, future in waiting:
            future.cancel()


def _next_result(waiting: deque[tuple[range, Future[Any]]]) -> tuple[range, Any]:
    block, future = waiting.popleft()
    return block, future.result()


def _check_cargo(cargo: Mapping[str, object], error: Exception) -> None:
    """Raise `BotError` if a bot cannot be pickled, as that was then the cause of the error."""
    for name, each in cargo.items():
        try:
            pickle.dumps(each)
        except Exception as reason:
            raise BotError("bots.cannot-travel", bot=quote(name), error=quote_error(reason)) from error


Records: TypeAlias = "str | Path | list[str] | Callable[[str], object] | None"


@contextmanager
def recorder(records: Records) -> Iterator[Callable[[str], object]]:
    """Yield a function that takes one record after the other, for a file to write, a list, or a function.

    Raises `IllegalError` for anything else.
    """
    if isinstance(records, str | Path):
        with Path(records).open("w", encoding="utf-8") as file:
            yield lambda text: file.write(f"{text}\n")
    elif isinstance(records, list):
        yield records.append
    elif records is None or callable(records):
        yield records or str
    else:
        raise IllegalError("bots.no-records", given=quote(records))


def record_of(book: RuleBook, names: Sequence[str], moves: Iterable[Move]) -> str:
    """Return the record of a game in which the first seat began."""
    game = Game.new(book, names, dice=real(), first=0)
    for move in moves:
        game.play(move)
    return write_game(game)


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
