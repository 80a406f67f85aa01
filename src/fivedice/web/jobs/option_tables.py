"""The options for every roll as JSON: computed in a child process, and cached."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from threading import Lock
from typing import Any

import msgspec

from fivedice.core.dice import rolls
from fivedice.core.game import Ruling, Scorecard, judge
from fivedice.core.rules import RuleBook
from fivedice.table.actions.rights import require_seat
from fivedice.table.refusals import AgainstTheRules, WrongPhase
from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState
from fivedice.text import current
from fivedice.web.jobs.work_process import work


def options_table(state: TableState, seat: int) -> dict[str, dict[str, Any]]:
    """Return what every roll would score on the card of a seat. Raise WrongPhase before the game.

    `{"rolls": {"24466": {"boxes": {...}, "closed": {...}, "zero_asks": true}}, "sentences": {"0": "Five …"}}`

    Rolls are sorted faces. `boxes` has every legal box as [points, extra bonus, 1 for a joker]; `closed` has the open
    boxes that the rules close to this roll, each with the number of its sentence. Filled boxes are left out.
    `zero_asks` says that a zero could be avoided. Callers share the result: do not change it.
    """
    require_seat(state, seat)
    if state.game is None:
        raise WrongPhase("table.not-playing")
    return _options(state.cards_in(state.game_number)[seat], current())


@lru_cache(maxsize=16)  # a large entry takes megabytes
def _options(card: Scorecard, _language: str) -> dict[str, dict[str, Any]]:
    sentences: dict[str, int] = {}
    table = {
        "".join(map(str, roll.faces)): _describe_roll(judge(card, roll), sentences)
        for roll in rolls(card.book.dice, card.book.faces)
    }
    return {"rolls": table, "sentences": {str(number): sentence for sentence, number in sentences.items()}}


def _describe_roll(ruling: Ruling, sentences: dict[str, int]) -> dict[str, Any]:
    boxes = {key: [entry.points, entry.bonus, int(entry.joker)] for key, entry in ruling.legal.items()}
    data: dict[str, Any] = {"boxes": boxes} | ({"zero_asks": True} if ruling.wasteful else {})
    open_boxes = ruling.card.book.full & ~ruling.card.filled
    if ruling.boxes == open_boxes:
        return data
    index = ruling.card.book.index
    closed = {key: why for key, why in ruling.closed.items() if open_boxes >> index[key] & 1}
    return data | {"closed": {key: sentences.setdefault(why, len(sentences)) for key, why in closed.items()}}


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
