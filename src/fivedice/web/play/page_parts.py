"""What a page of a table shows beside the table itself, and what a link says of itself where it is shared.

Nothing of a link that only some may know: a title, a line and a picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from fivedice.message import message
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import headline
from fivedice.web.http.static_files import static_address
from fivedice.web.services import AppServices
from fivedice.words import name_of

if TYPE_CHECKING:
    from fivedice.web.coach.table_coach import Caution, Hint, TableOdds
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


PICTURE = "home/preview.png"


@dataclass(frozen=True, slots=True)
class Preview:
    """Shown by messengers below the link."""

    title: str
    about: str
    image: str  # a path on this server
    sized: bool = True  # whether the picture is the one whose size is known


def invitation_preview(state: TableState) -> Preview:
    """Somebody is asked to come: by whom, and to what."""
    host = next((seat.given for seat in state.seats if seat.player == state.host and seat.given), None)
    game = name_of(state.book)
    title = message("home.invited", game=game) if host is None else message("home.invites", name=host, game=game)
    return Preview(str(title), str(message("home.invited-about")), static_address(PICTURE))


def table_preview(services: AppServices, state: TableState) -> Preview:
    """Somebody may watch; once a game is over, how it ended."""
    game, names = name_of(state.book), tuple(state.who(seat) for seat in range(len(state.seats)))
    if state.phase is Phase.FINISHED:
        title = str(message("home.result", result=headline(state, None), game=game))
        return Preview(title, str(message("home.finished-about", scores=_scores(state))), *_picture(services, state))
    title = str(message("home.watch", names=names, game=game)) if names else game
    return Preview(title, str(message("home.watch-about")), static_address(PICTURE))


def _scores(state: TableState) -> tuple[object, ...]:
    totals = [sum(game.position.cards[seat].total for game in state.all_games) for seat in range(len(state.seats))]
    return tuple(message("home.total-of", name=state.who(seat), total=total) for seat, total in enumerate(totals))


def _picture(services: AppServices, state: TableState) -> tuple[str, bool]:
    """The picture of the game where it can be had at once; nobody waits for a link."""
    if _can_draw() and services.solutions.ready(state.book) is not None:
        return f"/t/{state.id}/report.png", False
    return static_address(PICTURE), True


@cache
def _can_draw() -> bool:
    return find_spec("typst") is not None
