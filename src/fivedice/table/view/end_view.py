"""How a game ended, in words for the one who looks."""

from __future__ import annotations

from fivedice.message import Message, message
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import headline
from fivedice.table.view.view_shapes import EndView


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
