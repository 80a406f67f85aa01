"""Play many games in blocks on any executor of the standard interface: threads, processes or a cluster.

A block is a range of game numbers. Its size does not depend on the number of workers, and a game depends only on its
number and its block. So the results are the same for every executor. Records are written while the games are played.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from fivedice.core.dice import real
from fivedice.core.game import Game
from fivedice.core.game.position import Move
from fivedice.core.notation import write_game
from fivedice.core.rules import RuleBook
from fivedice.errors import BotError, FivediceError, IllegalError, quote
from fivedice.players.bots.registry import quote_error

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
OnGame: TypeAlias = Callable[[int], None]  # called with the number of games of a block that are done
Progress: TypeAlias = Callable[[int, int], None]

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
