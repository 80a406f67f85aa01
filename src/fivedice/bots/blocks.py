"""Many games in blocks, which any executor of the standard interface may carry: threads, processes, a cluster.

A block is a stretch of game numbers, of a size that does not depend on who works. What comes of a game follows from its
number and its block alone, so the results are the same for every executor and every number of workers.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any, Protocol, TypeAlias, TypeVar

from fivedice.bots.registry import short
from fivedice.errors import BotError, FivediceError, IllegalError, quote

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
Told: TypeAlias = Callable[[int], None]  # how many games of a block are done
Progress: TypeAlias = Callable[[int, int], None]

MOST_WAITING = 256  # blocks that are handed out at a time


class Work(Protocol[Result_co]):
    """Plays the games of a block. It goes to the workers as it is."""

    def __call__(self, block: range, told: Told | None = None) -> Result_co: ...


def in_blocks(
    work: Work[Result],
    games: int,
    size: int,
    executor: Executor | None = None,
    progress: Progress | None = None,
    cargo: Mapping[str, object] | None = None,
) -> Iterator[Result]:
    """What comes of every block, in order. `cargo` names what travels, for an error if it cannot."""
    blocks = (range(first, min(first + size, games)) for first in range(0, games, size))
    if executor is None:
        for block in blocks:
            yield work(block, _from(block, games, progress))
        return
    if not callable(getattr(executor, "submit", None)):
        raise IllegalError("bots.no-executor", given=quote(executor))
    for block, result in _carried(work, blocks, executor, cargo or {}):
        if progress is not None:
            progress(block.stop, games)
        yield result


def _from(block: range, games: int, progress: Progress | None) -> Told | None:
    return None if progress is None else lambda done: progress(block.start + done, games)


def _carried(
    work: Work[Result], blocks: Iterator[range], executor: Executor, cargo: Mapping[str, object]
) -> Iterator[tuple[range, Result]]:
    waiting: deque[tuple[range, Future[Result]]] = deque()
    try:
        for block in blocks:
            waiting.append((block, executor.submit(work, block)))
            if len(waiting) >= MOST_WAITING:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
    except (FivediceError, GeneratorExit):
        raise
    except BrokenExecutor as error:
        raise BotError("bots.workers-lost", error=short(error)) from error
    except Exception as error:
        _check_cargo(cargo, error)
        raise
    finally:
        for _, future in waiting:
            future.cancel()


def _first(waiting: deque[tuple[range, Future[Any]]]) -> tuple[range, Any]:
    block, future = waiting.popleft()
    return block, future.result()


def _check_cargo(cargo: Mapping[str, object], error: Exception) -> None:
    """Say which bot could not travel, if that was it."""
    for name, each in cargo.items():
        try:
            pickle.dumps(each)
        except Exception as reason:
            raise BotError("bots.cannot-travel", bot=quote(name), error=short(reason)) from error
