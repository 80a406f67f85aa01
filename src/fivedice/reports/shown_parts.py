"""Luck and points lost to one decimal, so that everywhere they add up to the total as it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fivedice.reports.game_report import PlayerReport


class TurnParts(NamedTuple):
    """The luck and the points lost of a turn, as shown."""

    luck: float
    lost: float


def shown_luck(player: PlayerReport) -> float:
    """Return the luck, so that it adds up with the other parts of the total."""
    return round(shown_end(player) - round(player.start, 1) + round(player.lost, 1) - points_without_dice(player), 1)


def whole_luck(player: PlayerReport) -> int:
    """Return the luck in whole points, for a sentence."""
    return round(shown_luck(player))


def shown_turns(player: PlayerReport) -> Iterator[TurnParts]:
    """Yield the parts of each turn; together they are those of the player."""
    lost = lost_before = 0.0
    for turn in player.turns:
        lost += turn.lost
        here = round(round(lost, 1) - lost_before, 1)
        lost_before += here
        end = shown_end(player) if turn is player.turns[-1] else round(turn.end, 1)
        yield TurnParts(0.0 if turn.by_points else round(end - round(turn.start, 1) + here, 1), here)


def shown_end(player: PlayerReport) -> float:
    """Return the final score, or the one that is expected now."""
    return player.total if player.card.is_full else round(player.expected, 1)


def points_without_dice(player: PlayerReport) -> float:
    """Return what turns of which only the points are known changed."""
    return sum(round(turn.end, 1) - round(turn.start, 1) for turn in player.turns if turn.by_points)
