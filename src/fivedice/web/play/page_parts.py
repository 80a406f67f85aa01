"""What a page of a table shows beside the table itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fivedice.web.coach.odds_board import TableOdds
    from fivedice.web.coach.table_coach import Caution, Hint
    from fivedice.web.http.visitors import CoachChoices


@dataclass(frozen=True, slots=True)
class Extra:
    """Notices, questions and links."""

    notice: str | None = None
    confirm: str | None = None  # a box that would be filled with an avoidable zero
    join: str | None = None  # the code that lets a visitor sit down
    handover: str | None = None  # a link that gives a seat away
    handed: int | None = None  # and which seat that is
    pencil: str | None = None  # a link that hands the pencil of a score pad on
    sheet: int | None = None  # the player whose sheet is looked at; None is the current game of all
    see: int | None = None  # a player whose column is wanted where not all have room
    hint: Hint | None = None  # what the coach says
    caution: Caution | None = None  # what the coach says before a move that loses much
    odds: TableOdds | None = None  # what everyone may expect
    wants: CoachChoices | None = None  # what was just chosen, before the browser has sent it back
    saved: str | None = None  # and what is said of it


NOTHING = Extra()
