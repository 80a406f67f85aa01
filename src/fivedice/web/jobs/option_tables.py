"""The options for every roll as JSON: computed in a child process, and cached."""

from __future__ import annotations

from math import comb
from threading import Lock

import msgspec

from fivedice.core.rules import RuleBook
from fivedice.table.refusals import AgainstTheRules
from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState
from fivedice.table.view.roll_values import options_table
from fivedice.text import current
from fivedice.web.jobs.work_process import work

MOST_OPTIONS = 40_000  # rolls times boxes: about 400 kB; 6 dice and 20 boxes have 9,240
_KEPT = 128
_known: BoundedMap[tuple[object, str], bytes] = BoundedMap(_KEPT)
_guard = Lock()


def options_answer(state: TableState, seat: int) -> bytes:
    """Return the options of one score sheet as JSON. Raise AgainstTheRules if the book has too many."""
    if size_of(state.book) > MOST_OPTIONS:
        raise AgainstTheRules("web.too-many-options")
    playing = state.game is not None and 0 <= seat < len(state.seats)
    key = (state.cards_in(state.game_number)[seat], current()) if playing else None
    found = None if key is None else _known.get(key)
    if found is None:
        found = work(options_json, state, seat)
        if key is not None:
            _keep(key, found)
    return found


def options_json(state: TableState, seat: int) -> bytes:
    return msgspec.json.encode(options_table(state, seat))


def size_of(book: RuleBook) -> int:
    """Return the number of options: one per roll and box."""
    return comb(book.dice + book.faces - 1, book.dice) * len(book.boxes)


def _keep(key: tuple[object, str], answer: bytes) -> None:
    with _guard:
        _known[key] = answer
