"""The values of a book in few bytes, for a phone that gives advice by itself: `static/pad/advise.js` reads them.

A file is a mark, the SHA-256 of what follows, and that: gzip of a head (JSON, behind its length in four bytes) and of
these arrays, little-endian, one after the other:

- a bit for each mask, the lowest first: whether play leads to it;
- for each set of counted boxes and each counted total the number of its column, or `NOWHERE`;
- for each set of boxes that the flag depends on and each flag the number of its row, or `NOWHERE`;
- the numbers: for each mask that is there, in ascending order, rows of columns.

So the layout of the states is data, and totals or flags of the same value share a number. A number is a value in
steps of 2 ** -20: what a coach says is a mean of best values, so none of it is off by more than half a step. What is
written is what is left when each column has been taken from the next, and then, for one box after the other that does
not count, each mask without it from the same with it: boxes hardly depend on each other. The sign goes to the lowest
bit, and bytes of the same weight lie together, so that gzip finds them alike.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model import work_plan

if TYPE_CHECKING:
    from fivedice.solver.model.book_arrays import CompiledBook

MARK = b"FIVEDICE-VALUES1"  # its last letter is the version of all that is said above
BITS = 20
NOWHERE = 0xFFFF


def compact(book: CompiledBook, table: NDArray[np.float64], fingerprint: str) -> bytes:
    """The file. What fits a phone has fewer rows and columns than `NOWHERE`."""
    places = _places(book)
    planes = _planes(_differences(book, places, _numbers(table, places)))
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
    return _file(json.dumps(head, separators=(",", ":")).encode(), _bits(book, places), places, planes)


@dataclass(frozen=True, eq=False)
class _Places:
    """Where the numbers lie; the same for every book of a fingerprint."""

    masks: NDArray[np.int64]  # that play leads to
    columns: NDArray[np.int64]  # [sets of counted boxes, totals]
    rows: NDArray[np.int64]  # [sets of boxes that the flag depends on, flags]
    kinds: NDArray[np.int64]  # [masks]: the set of counted boxes
    flag_kinds: NDArray[np.int64]
    sizes: NDArray[np.int64]  # [masks]
    starts: NDArray[np.int64]


def _places(book: CompiledBook) -> _Places:
    masks = np.sort(np.concatenate([[book.full], *work_plan.layers(book)]))
    columns, rows = _columns(book), _rows(book)
    kinds, flag_kinds = work_plan.kinds(book, masks), work_plan.flag_kinds(book, masks)
    sizes = _counts(columns)[kinds] * _counts(rows)[flag_kinds]
    return _Places(masks, columns, rows, kinds, flag_kinds, sizes, np.cumsum(sizes) - sizes)


def _columns(book: CompiledBook) -> NDArray[np.int64]:
    """Totals that no longer matter share the column of the highest of them."""
    totals = work_plan.totals_of(book, work_plan.counted_boxes(book))
    size = -(-book.lanes // 8)
    lanes = np.frombuffer(b"".join(bits.to_bytes(size, "little") for bits in totals), np.uint8).reshape(-1, size)
    had = np.unpackbits(lanes, axis=1, count=book.lanes, bitorder="little").astype(np.bool_)
    shared = np.maximum(np.arange(book.lanes), work_plan.blocks(book).floors[:, None])
    return _ranked(had, np.where(had, shared, -1))


def _rows(book: CompiledBook) -> NDArray[np.int64]:
    """Flags that no longer matter share the row of their source."""
    found = work_plan.flags(book)
    kinds = np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts))
    sources = np.full((len(found.starts) - 1, book.flags), -1)
    sources[kinds, found.flags] = found.sources
    return _ranked(sources >= 0, sources)


def _ranked(had: NDArray[np.bool_], stands_for: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number those that something stands for, from 0 on in each line."""
    used = np.zeros_like(had)
    line, place = np.nonzero(had)
    used[line, stands_for[line, place]] = True
    ranks = np.cumsum(used, axis=1) - 1
    found: NDArray[np.int64] = np.where(had, np.take_along_axis(ranks, np.maximum(stands_for, 0), axis=1), NOWHERE)
    return found


def _counts(numbered: NDArray[np.int64]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.where(numbered == NOWHERE, -1, numbered).max(axis=1) + 1
    return found


def _numbers(table: NDArray[np.float64], places: _Places) -> NDArray[np.int64]:
    """Masks that agree in what counts are taken together."""
    numbers = np.zeros(int(places.sizes.sum()), dtype=np.int64)
    pairs = places.kinds * len(places.rows) + places.flag_kinds
    for pair in np.unique(pairs).tolist():
        group = np.flatnonzero(pairs == pair)
        lanes = _firsts(places.columns[pair // len(places.rows)])
        flags = _firsts(places.rows[pair % len(places.rows)])
        values = table[np.ix_(places.masks[group], flags, lanes)].reshape(len(group), -1)
        numbers[places.starts[group][:, None] + np.arange(values.shape[1])] = np.rint(values * 2.0**BITS)
    return numbers


def _firsts(numbered: NDArray[np.int64]) -> NDArray[np.int64]:
    """One place of each number: all that share it have the same value in the table."""
    found, first = np.unique(numbered, return_index=True)
    places: NDArray[np.int64] = first[found != NOWHERE]
    return places


def _differences(book: CompiledBook, places: _Places, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """What is left of the numbers. With a box more that does not count, a mask has the same columns."""
    left = np.diff(numbers, prepend=0)
    left[_row_starts(places)] = numbers[_row_starts(places)]
    for box in range(book.boxes):
        if not book.counted >> box & 1:
            without, with_it = _pairs(places, box)
            left[with_it] -= left[without]
    return left


def _row_starts(places: _Places) -> NDArray[np.int64]:
    columns, rows = _counts(places.columns)[places.kinds], _counts(places.rows)[places.flag_kinds]
    return np.repeat(places.starts, rows) + _ranges(rows) * np.repeat(columns, rows)


def _pairs(places: _Places, box: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the numbers of all masks without a box, and of the same with it, as far as both are there."""
    place = np.full(int(places.masks[-1]) + 1, -1)
    place[places.masks] = np.arange(len(places.masks))
    filled = np.flatnonzero(places.masks >> box & 1)
    without = place[places.masks[filled] ^ 1 << box]
    filled, without = filled[without >= 0], without[without >= 0]
    sizes = np.minimum(places.sizes[filled], places.sizes[without])
    first, second = (np.repeat(places.starts[each], sizes) + _ranges(sizes) for each in (without, filled))
    return first, second


def _ranges(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, ... up to each of the sizes, one after the other."""
    found: NDArray[np.int64] = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return found


def _planes(numbers: NDArray[np.int64]) -> list[bytes]:
    """All lowest bytes, then those above them, and so on."""
    signed = (numbers << 1) ^ (numbers >> 63)
    weights = range(0, max(1, int(signed.max()).bit_length()), 8)
    return [(signed >> weight & 0xFF).astype(np.uint8).tobytes() for weight in weights]


def _bits(book: CompiledBook, places: _Places) -> NDArray[np.uint8]:
    there = np.zeros(book.full + 1, dtype=np.bool_)
    there[places.masks] = True
    return np.packbits(there, bitorder="little")


def _file(head: bytes, there: NDArray[np.uint8], places: _Places, planes: list[bytes]) -> bytes:
    numbered = [each.astype("<u2").tobytes() for each in (places.columns, places.rows)]
    body = b"".join([len(head).to_bytes(4, "little"), head, there.tobytes(), *numbered, *planes])
    packed = gzip.compress(body, 9, mtime=0)
    return MARK + sha256(packed).digest() + packed
