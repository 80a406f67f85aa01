"""The values of a book as the package ships them: about four bytes per number, see `state_numbers`.

They are in steps of 2 ** -32, so none is off by more than 1.2e-10, and no two options by more than twice that. That is
well within the tolerance for equal options, 1e-9, and below the last of the eight decimals that are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fivedice.solver.runtime.solution_files import pack_file, unpack_file
from fivedice.solver.values.state_numbers import (
    differences,
    from_planes,
    numbers_of,
    planes_of,
    state_places,
    table_of,
    undo_differences,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook

KIND = "shipped"
BITS = 32


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
