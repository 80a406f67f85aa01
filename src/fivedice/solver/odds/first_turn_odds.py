"""The odds of perfect games from the empty card, which are asked for most: stored on disk, and shipped.

The chances of all totals take some kilobytes; working them out takes seconds, and more to compile the kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fivedice.solver.model.book_arrays import State
from fivedice.solver.model.reachable_states import highest
from fivedice.solver.odds import Finish
from fivedice.solver.runtime.solution_cache import SolvedTables
from fivedice.solver.runtime.solution_files import pack_file, unpack_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.runtime.worker_threads import Progress

KIND = "odds"
START = State(0, 0, 0)

_tables = SolvedTables(KIND)


def first_turn_odds(
    fingerprint: str, book: CompiledBook, work: Callable[[], Finish], progress: Progress | None = None
) -> Finish:
    """Return the odds from memory, from disk, as shipped, or worked out now."""

    def work_row() -> tuple[NDArray[np.float64]]:
        return (_row(book, work()),)

    def shipped() -> tuple[NDArray[np.float64]] | None:
        content = unpack_file(fingerprint, _shape(book), KIND)
        return None if content is None else (np.frombuffer(content, "<f8").reshape(_shape(book)),)

    (row,) = _tables.get(fingerprint, _shape(book), work_row, progress, shipped)
    return _finish(book, row.reshape(-1))


def is_known(fingerprint: str, book: CompiledBook) -> bool:
    """Return whether the odds are available without working them out."""
    found = unpack_file(fingerprint, _shape(book), KIND) is not None
    return found or _tables.known(fingerprint, _shape(book)) is not None


def packed_odds(book: CompiledBook, end: Finish, fingerprint: str) -> bytes:
    """Return the content of the file that is shipped."""
    return pack_file(fingerprint, _shape(book), KIND, _row(book, end).astype("<f8").tobytes())


def _shape(book: CompiledBook) -> tuple[int, int, int]:
    """Return the shape of the table: bonus and extras, a mean for every box, and a chance for every total."""
    return 1, 1, 2 + book.boxes + highest(book, START)[0] + 1


def _row(book: CompiledBook, end: Finish) -> NDArray[np.float64]:
    row = np.zeros(_shape(book))
    chances = np.trim_zeros(end.chances, "b")
    numbers = np.concatenate([[end.bonus, end.extras], end.boxes, chances])
    row[0, 0, : len(numbers)] = numbers
    return row


def _finish(book: CompiledBook, row: NDArray[np.float64]) -> Finish:
    return Finish(row[2 + book.boxes :], float(row[0]), row[2 : 2 + book.boxes], float(row[1]))
