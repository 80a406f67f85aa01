"""Who wants another game, as one person sees it."""

from __future__ import annotations

from collections.abc import Iterator

from fivedice.message import Message, message
from fivedice.table.decide.again import first_seats, left_out, people_of, still_asked
from fivedice.table.state import Phase, TableState
from fivedice.table.view.view_shapes import AgainView


def again_view(state: TableState, viewer: str | None, present: frozenset[str] | None) -> AgainView | None:
    """None as long as the game is not finished."""
    if state.phase is not Phase.FINISHED:
        return None
    viewer = viewer or ""
    waiting, without = still_asked(state, present) - {viewer}, left_out(state, present) - {viewer}
    yours = True if viewer in state.again_yes else False if viewer in state.again_no else None
    open_ = state.rematch is None and viewer in people_of(state)
    asked = bool(state.again_yes)
    return AgainView(
        yours=yours,
        can_answer=open_,
        wanted=first_seats(state, state.again_yes),
        waiting=first_seats(state, waiting) if asked else (),
        without=first_seats(state, without) if asked else (),
        can_begin=open_ and yours is True and not waiting and bool(without),
        sentence=" ".join(map(str, _said(state, viewer, waiting, without))) if asked and state.rematch is None else "",
    )


def _said(state: TableState, viewer: str, waiting: frozenset[str], without: frozenset[str]) -> Iterator[Message]:
    """Who wants to, who does not, and for whom everybody waits: of others only, for those who said something."""
    others = frozenset(state.again_yes) - {viewer}
    if others and viewer not in state.again_yes:
        yield _about(state, "table.again-wanted", others)
    for kind, players in (
        ("table.again-declined", without & state.again_no),
        ("table.again-away", without - state.again_no),
        ("table.again-waiting", waiting if viewer in state.again_yes else frozenset()),
    ):
        if players:
            yield _about(state, kind, players)


def _about(state: TableState, kind: str, players: frozenset[str]) -> Message:
    seats = first_seats(state, players)
    return message(kind, players=tuple(map(state.who, seats)), count=len(seats))
