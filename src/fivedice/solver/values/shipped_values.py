"""The values of a book as the package ships them: about four bytes per number.

They are in steps of 2 ** -32, so none is off by more than 1.2e-10, and no two options by more than twice that. That is
well within the tolerance for equal options, 1e-9, and below the last of the eight decimals that are shown.

Totals or flags that no longer matter share a number. A number is a value in steps of 2 ** -bits. Each column is stored
as its difference from the one before, and then, for each box that does not count, each mask with the box as its
difference from the mask without it: boxes hardly depend on each other. The sign goes to the lowest bit, and bytes of
the same weight are stored together, so that they compress well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model import work_plan
from fivedice.solver.runtime.solution_files import pack_file, unpack_file

if TYPE_CHECKING:
    from fivedice.solver.model.book_arrays import CompiledBook

NOWHERE = 0xFFFF
KIND = "shipped"
BITS = 32


@dataclass(frozen=True, eq=False)
class StatePlaces:
    """Where the numbers are; the same for every book of a fingerprint."""

    masks: NDArray[np.int64]  # that play can reach
    columns: NDArray[np.int64]  # [sets of counted boxes, totals]
    rows: NDArray[np.int64]  # [sets of boxes that the flag depends on, flags]
    kinds: NDArray[np.int64]  # [masks]: the set of counted boxes
    flag_kinds: NDArray[np.int64]
    sizes: NDArray[np.int64]  # [masks]
    starts: NDArray[np.int64]


def state_places(book: CompiledBook) -> StatePlaces:
    masks = np.sort(np.concatenate([[book.full], *work_plan.layers(book)]))
    columns, rows = _columns(book), _rows(book)
    kinds, flag_kinds = work_plan.kinds(book, masks), work_plan.flag_kinds(book, masks)
    sizes = _counts(columns)[kinds] * _counts(rows)[flag_kinds]
    return StatePlaces(masks, columns, rows, kinds, flag_kinds, sizes, np.cumsum(sizes) - sizes)


def _columns(book: CompiledBook) -> NDArray[np.int64]:
    """Return the column of every total; totals that no longer matter share the column of the highest of them."""
    totals = work_plan.totals_of(book, work_plan.counted_boxes(book))
    size = -(-book.lanes // 8)
    lanes = np.frombuffer(b"".join(bits.to_bytes(size, "little") for bits in totals), np.uint8).reshape(-1, size)
    had = np.unpackbits(lanes, axis=1, count=book.lanes, bitorder="little").astype(np.bool_)
    shared = np.maximum(np.arange(book.lanes), work_plan.blocks(book).floors[:, None])
    return _rank(had, np.where(had, shared, -1))


def _rows(book: CompiledBook) -> NDArray[np.int64]:
    """Return the row of every flag; flags that no longer matter share the row of their source."""
    found = work_plan.flags(book)
    kinds = np.repeat(np.arange(len(found.starts) - 1), np.diff(found.starts))
    sources = np.full((len(found.starts) - 1, book.flags), -1)
    sources[kinds, found.flags] = found.sources
    return _rank(sources >= 0, sources)


def _rank(had: NDArray[np.bool_], stands_for: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each entry, from 0 on in each line; entries with the same representative share it."""
    used = np.zeros_like(had)
    line, place = np.nonzero(had)
    used[line, stands_for[line, place]] = True
    ranks = np.cumsum(used, axis=1) - 1
    return np.where(had, np.take_along_axis(ranks, np.maximum(stands_for, 0), axis=1), NOWHERE)


def _counts(numbered: NDArray[np.int64]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.where(numbered == NOWHERE, -1, numbered).max(axis=1) + 1
    return found


def numbers_of(table: NDArray[np.float64], places: StatePlaces, bits: int) -> NDArray[np.int64]:
    """Return the values as numbers; masks with the same counted boxes and flags are converted together."""
    numbers = np.zeros(int(places.sizes.sum()), dtype=np.int64)
    for group, columns, rows in _groups(places):
        values = table[np.ix_(places.masks[group], _firsts(rows), _firsts(columns))].reshape(len(group), -1)
        numbers[places.starts[group][:, None] + np.arange(values.shape[1])] = np.rint(values * 2.0**bits)
    return numbers


def _groups(places: StatePlaces) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Yield groups of masks that agree in what counts, by their places, with their columns and rows."""
    pairs = places.kinds * len(places.rows) + places.flag_kinds
    for pair in np.unique(pairs).tolist():
        group = np.flatnonzero(pairs == pair)
        yield group, places.columns[pair // len(places.rows)], places.rows[pair % len(places.rows)]


def _firsts(numbered: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one place of each number: all places that share a number have the same value."""
    found, first = np.unique(numbered, return_index=True)
    places: NDArray[np.int64] = first[found != NOWHERE]
    return places


def differences(book: CompiledBook, places: StatePlaces, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the differences of the numbers. With one more box that does not count, a mask has the same columns."""
    left = np.diff(numbers, prepend=0)
    left[_row_starts(places)] = numbers[_row_starts(places)]
    for box in range(book.boxes):
        if not book.counted >> box & 1:
            without, with_it = _pairs(places, box)
            left[with_it] -= left[without]
    return left


def _row_starts(places: StatePlaces) -> NDArray[np.int64]:
    columns, rows = _counts(places.columns)[places.kinds], _counts(places.rows)[places.flag_kinds]
    return np.repeat(places.starts, rows) + _ranges(rows) * np.repeat(columns, rows)


def _pairs(places: StatePlaces, box: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of the numbers of all masks without a box, and of the same with it, where both exist."""
    place = np.full(int(places.masks[-1]) + 1, -1)
    place[places.masks] = np.arange(len(places.masks))
    filled = np.flatnonzero(places.masks >> box & 1)
    without = place[places.masks[filled] ^ 1 << box]
    filled, without = filled[without >= 0], without[without >= 0]
    sizes = np.minimum(places.sizes[filled], places.sizes[without])
    first, second = (np.repeat(places.starts[each], sizes) + _ranges(sizes) for each in (without, filled))
    return first, second


def _ranges(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 0, 1, ... up to each of the sizes, one after the other."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def planes_of(numbers: NDArray[np.int64]) -> list[bytes]:
    """Return all lowest bytes, then those above them, and so on."""
    signed = (numbers << 1) ^ (numbers >> 63)
    weights = range(0, max(1, int(signed.max()).bit_length()), 8)
    return [(signed >> weight & 0xFF).astype(np.uint8).tobytes() for weight in weights]


def from_planes(planes: Sequence[bytes]) -> NDArray[np.int64]:
    """Reverse `planes_of`."""
    signed = np.zeros(len(planes[0]), dtype=np.int64)
    for weight, plane in enumerate(planes):
        signed |= np.frombuffer(plane, np.uint8).astype(np.int64) << 8 * weight
    return (signed >> 1) ^ -(signed & 1)


def undo_differences(book: CompiledBook, places: StatePlaces, left: NDArray[np.int64]) -> NDArray[np.int64]:
    """Reverse `differences`."""
    for box in reversed(range(book.boxes)):
        if not book.counted >> box & 1:
            without, with_it = _pairs(places, box)
            left[with_it] += left[without]
    starts = _row_starts(places)
    sums = np.cumsum(left)
    before = sums[starts] - left[starts]  # the sum before each row
    return sums - np.repeat(before, np.diff(starts, append=len(sums)))


def table_of(book: CompiledBook, places: StatePlaces, numbers: NDArray[np.int64], bits: int) -> NDArray[np.float64]:
    """Reverse `numbers_of`; cards that cannot be are NaN."""
    table = np.full(book.shape, np.nan)
    values = numbers * 2.0**-bits
    for group, columns, rows in _groups(places):
        flags, lanes = np.flatnonzero(rows != NOWHERE), np.flatnonzero(columns != NOWHERE)
        width = int(columns[lanes].max()) + 1
        inside = rows[flags][:, None] * width + columns[lanes]
        found = values[places.starts[group][:, None, None] + inside]
        table[np.ix_(places.masks[group], flags, lanes)] = found
    return table


def packed_values(book: CompiledBook, table: NDArray[np.float64], fingerprint: str) -> bytes:
    """Return the content of the file."""
    places = state_places(book)
    planes = planes_of(differences(book, places, numbers_of(table, places, BITS)))
    return pack_file(fingerprint, book.shape, KIND, b"".join(planes))


def shipped_values(book: CompiledBook, fingerprint: str) -> NDArray[np.float64] | None:
    """Return the table of values, read-only, or None if it is not shipped."""
    content = unpack_file(fingerprint, book.shape, KIND)
    if content is None:
        return None
    places = state_places(book)
    size = int(places.sizes.sum())
    planes = [content[start : start + size] for start in range(0, len(content), size)]
    table = table_of(book, places, undo_differences(book, places, from_planes(planes)), BITS)
    table.flags.writeable = False
    return table
