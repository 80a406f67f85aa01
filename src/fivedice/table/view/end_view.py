"""How a game ended, in words for the one who looks, and who wants another one."""

from __future__ import annotations

from collections.abc import Iterator

from fivedice.message import Message, message
from fivedice.table.decide.again import first_seats, left_out, people_of, still_asked
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import headline
from fivedice.table.view.view_shapes import AgainView, EndView


def end_view(state: TableState, viewer: str | None) -> EndView | None:
    """None as long as the game goes on."""
    if state.phase not in (Phase.FINISHED, Phase.GIVEN_UP) or state.game is None:
        return None
    totals = [card.total for card in state.game.position.cards]
    standing = tuple(sorted(range(len(totals)), key=lambda seat: -totals[seat]))
    mine = state.seats_of(viewer)
    return EndView(
        title=str(_title(state, viewer, totals)),
        standing=standing,
        margin=None if state.given_up or len(totals) < 2 else totals[standing[0]] - totals[standing[1]],
        seat=mine[0] if len(mine) == 1 else None,
    )


def _title(state: TableState, viewer: str | None, totals: list[int]) -> Message:
    """Who won and by how much; a sheet of several games is told by its headline."""
    if state.given_up or state.games > 1:
        return headline(state, viewer)
    best, *others = sorted(totals, reverse=True)
    if not others:
        return message("table.end-alone", count=best)
    winners = [seat for seat, total in enumerate(totals) if total == best]
    if len(winners) == 1:
        return message("table.end-won", who=state.who(winners[0], viewer), margin=best - others[0])
    if len(winners) == len(totals):
        return message("table.end-tied", total=best)
    return message("table.end-shared", winners=tuple(map(state.who, winners)), total=best)


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
