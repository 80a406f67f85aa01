"""Hunts for the score to beat, worked out beside the pages as soon as a game is far enough on."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from fivedice.coaching.game_odds import boxes_to_chase, worth_chasing
from fivedice.errors import FivediceError
from fivedice.game import Scorecard
from fivedice.message import message
from fivedice.table.bounded import BoundedMap
from fivedice.web.runtime.job_queue import ASKED, JobQueue
from fivedice.web.runtime.solutions import HANDS_FULL, Readiness

if TYPE_CHECKING:
    from fivedice.solver.chase import Chase

MOST_TABLES = 1024  # where one was asked for
MOST_BYTES = 1 << 28  # that all hunts together may keep


class Chases:
    """One a process. A hunt from one card answers for all that follow it, so a game needs one, or two after an undo."""

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs = jobs
        self._found: OrderedDict[str, Chase] = OrderedDict()
        self._asked: BoundedMap[str, tuple[Scorecard, int]] = BoundedMap(MOST_TABLES)
        self._shares: BoundedMap[str, float] = BoundedMap(MOST_TABLES)
        self._guard = Lock()

    def ready(self, table: str, card: Scorecard, target: int) -> Chase | None:
        """The hunt at a table, if it is at hand and knows this card and this total."""
        found = self._found.get(table)
        return found if found is not None and _knows(found, card, target) else None

    def want(self, table: str, card: Scorecard, target: int) -> Readiness:
        """Have it worked out if it is not, and say how far that is."""
        if self.ready(table, card, target) is not None:
            return Readiness("ready", 1.0, message("coach.chase-ready"))
        if not worth_chasing(card):
            return Readiness("too-large", 0.0, message("coach.chase-later", count=boxes_to_chase(card.book)))
        with self._guard:
            if self._asked.get(table) != (card, target):
                if self._jobs.full:
                    return HANDS_FULL
                self._asked[table] = card, target
                self._shares[table] = 0.0
                self._jobs.put(ASKED, partial(self._hunt, table, card, target))
        share = self._shares.get(table, 0.0)
        return Readiness("running", share, message("coach.chase-running", share=int(100 * share)))

    def _hunt(self, table: str, card: Scorecard, target: int) -> None:
        if self._asked.get(table) != (card, target):
            return  # the game has gone on, and another hunt was asked for
        from fivedice.solver.chase import chase

        try:
            found = chase(card.book, card=card, most=target, progress=self._jobs.watch(partial(self._note, table)))
        except FivediceError:
            return  # too large for memory: it stays as it is, and a later card is asked for
        with self._guard:
            self._found[table] = found
            self._found.move_to_end(table)
            self._asked.pop(table, None)
            while len(self._found) > 1 and sum(each.nbytes for each in self._found.values()) > MOST_BYTES:
                self._found.popitem(last=False)

    def _note(self, table: str, share: float) -> None:
        self._shares[table] = share


def _knows(found: Chase, card: Scorecard, target: int) -> bool:
    try:
        found.chance(card, target)
    except FivediceError:
        return False
    return True
