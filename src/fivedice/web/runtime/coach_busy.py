"""Programs are told by a status when the coach has too much to do; pages show the sentence and ask again."""

from __future__ import annotations

from fivedice.web.http.client_limits import VISIT
from fivedice.web.http.handling import HandsFull
from fivedice.web.runtime.solutions import Readiness

PATIENCE = 60  # seconds: some of those who wait will have been served


def refuse_if_full(how_far: Readiness) -> None:
    """To be asked where nothing else can be answered."""
    if not how_far.full:
        return
    visit = VISIT.get()
    if visit is not None:
        visit.limit, visit.wait = "solves", PATIENCE
    raise HandsFull(how_far.about)
