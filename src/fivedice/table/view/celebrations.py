"""What has just happened that is worth a moment of everybody's attention."""

from __future__ import annotations

from enum import StrEnum

from fivedice.game import Throw
from fivedice.game.step_events import BonusReached
from fivedice.table import events as ev
from fivedice.table.state import Phase, TableState


class Celebration(StrEnum):
    """The greater one counts where several come together."""

    ALIKE = "alike"  # all dice the same, rolled or scored
    BONUS = "bonus"  # the upper bonus was reached
    WIN = "win"  # of the viewer
    BEST = "best"  # of the viewer, in all their games: only those who know these can tell


def celebrated(state: TableState, viewer: str | None) -> Celebration | None:
    """Decided from the last event alone: whatever comes after it ends the moment."""
    if isinstance(state.last, ev.Rolled):
        return Celebration.ALIKE if _alike(state.last.dice) else None
    if not isinstance(state.last, ev.Scored) or state.last_score is None:
        return None
    if state.phase is Phase.FINISHED and _wins(state, viewer):
        return Celebration.WIN
    if any(isinstance(event, BonusReached) for event in state.last_score.events):
        return Celebration.BONUS
    scored = state.last.points + (state.last.bonus or 0)
    return Celebration.ALIKE if scored and _alike(_dice(state)) else None


def _wins(state: TableState, viewer: str | None) -> bool:
    """Against somebody: alone there is nobody to win against."""
    outcome = None if state.game is None else state.game.outcome
    mine = state.seats_of(viewer)
    return outcome is not None and len(state.seats) > len(mine) and any(seat in outcome.winners for seat in mine)


def _alike(dice: tuple[int, ...]) -> bool:
    return len(dice) > 1 and len(set(dice)) == 1


def _dice(state: TableState) -> tuple[int, ...]:
    """Those of the last score."""
    throws = [step.move for step in state.running.steps if isinstance(step.move, Throw)]
    return throws[-1].roll.faces if throws else ()
