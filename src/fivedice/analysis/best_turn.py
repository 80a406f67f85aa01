"""The turn that one is proud of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fivedice.analysis.game_report import PlayerReport, TurnReport
    from fivedice.dice import Roll
    from fivedice.rules import Box


@dataclass(frozen=True, slots=True)
class BestTurn:
    """A turn with its final dice, its box, and all that it scored."""

    roll: Roll
    box: Box
    points: int  # in the box and beside it


def best_turn(player: PlayerReport) -> BestTurn | None:
    """The most points in one turn; of several, all dice the same before others, then the first.

    None where nothing has been scored.
    """
    scored = [turn for turn in player.turns if turn.box is not None and _points(turn)]
    if not scored:
        return None
    best = max(scored, key=lambda turn: (_points(turn), turn.falls[-1].roll.alike is not None))
    return BestTurn(best.falls[-1].roll, player.card.book.box(best.box or ""), _points(best))


def _points(turn: TurnReport) -> int:
    return (turn.points or 0) + turn.extra
