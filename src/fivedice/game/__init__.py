"""The game itself: cards, positions, legality, the one transition, and games made of them."""

from fivedice.game.card import LineKind, Scorecard, SheetLine, Totals, sheet_lines
from fivedice.game.legality import Entry, Ruling, judge
from fivedice.game.playthrough import Game, RollOff
from fivedice.game.position import (
    BonusReached,
    Event,
    ExtraPaid,
    GameEnded,
    Held,
    Hold,
    Mark,
    Move,
    Outcome,
    Position,
    Scored,
    Step,
    Throw,
    Thrown,
    TurnPassed,
    apply,
)

__all__ = [
    "BonusReached",
    "Entry",
    "Event",
    "ExtraPaid",
    "Game",
    "GameEnded",
    "Held",
    "Hold",
    "LineKind",
    "Mark",
    "Move",
    "Outcome",
    "Position",
    "RollOff",
    "Ruling",
    "Scorecard",
    "Scored",
    "SheetLine",
    "Step",
    "Throw",
    "Thrown",
    "Totals",
    "TurnPassed",
    "apply",
    "judge",
    "sheet_lines",
]
