"""The values of a book in few bytes, for a phone that gives advice by itself: `static/pad/advise.js` reads them.

A file is a mark, the SHA-256 of the rest, and the rest: gzip of a head (JSON, after its length in four bytes) and of
these arrays, little-endian, one after the other:

- a bit for each mask, the lowest first: whether play can reach it;
- for each set of counted boxes and each counted total the number of its column, or `NOWHERE`;
- for each set of boxes that the flag depends on and each flag the number of its row, or `NOWHERE`;
- the numbers: for each reachable mask, in ascending order, rows of columns.

So the layout of the states is data, and totals or flags of the same value share a number. A number is a value in steps
of 2 ** -20: the coach's values are means of best values, so none is off by more than half a step. To compress well,
each column is stored as its difference from the one before, and then, for each box that does not count, each mask with
the box as its difference from the mask without it: boxes hardly depend on each other. The sign goes to the lowest bit,
and bytes of the same weight are stored together.
"""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime.solve_limits import fits_a_phone
from fivedice.solver.solution import known, solve
from fivedice.solver.values.shipped_values import (
    NOWHERE as NOWHERE,
    StatePlaces,
    differences,
    numbers_of,
    planes_of,
    state_places,
)

if TYPE_CHECKING:
    from fivedice.solver.model.book_arrays import CompiledBook


MARK = b"FIVEDICE-VALUES1"  # its last letter is the version of the format
BITS = 20


def compact(book: CompiledBook, table: NDArray[np.float64], fingerprint: str) -> bytes:
    """Return the content of the file. A book that fits a phone has fewer rows and columns than `NOWHERE`."""
    places = state_places(book)
    planes = planes_of(differences(book, places, numbers_of(table, places, BITS)))
    head = {
        "fingerprint": fingerprint,
        "bits": BITS,
        "boxes": book.boxes,
        "counted": work_plan.counted_boxes(book),
        "cap": book.threshold,
        "flagged": work_plan.flag_boxes(book),
        "own": book.policy_box,
        "alikes": book.payments.alikes,
        "sums": [[mask, cap] for mask, cap in zip(book.sums.masks, book.sums.caps, strict=True)],
        "numbers": int(places.sizes.sum()),
        "bytes": len(planes),
    }
    there = np.zeros(book.full + 1, dtype=np.bool_)
    there[places.masks] = True
    return _file(
        json.dumps(head, separators=(",", ":")).encode(), np.packbits(there, bitorder="little"), places, planes
    )


def _file(head: bytes, there: NDArray[np.uint8], places: StatePlaces, planes: list[bytes]) -> bytes:
    numbered = [each.astype("<u2").tobytes() for each in (places.columns, places.rows)]
    body = b"".join([len(head).to_bytes(4, "little"), head, there.tobytes(), *numbered, *planes])
    packed = gzip.compress(body, 9, mtime=0)
    return MARK + sha256(packed).digest() + packed


def packed_values(book: RuleBook, *, patient: bool = False) -> bytes | None:
    """Return the file, from a stored solution or, with `patient`, solved now.

    Return None if there is no solution, or if the file would be too large for a phone.
    """
    if not fits_a_phone(book) or max(compiled_book(book).shape[1:]) >= NOWHERE:
        return None
    solution = solve(book) if patient else known(book)
    if solution is None or not isinstance(solution.table, np.ndarray):
        return None
    return compact(solution.compiled, solution.table, book.fingerprint)
