"""The game itself: cards, positions, legality, the one transition, and games made of them."""

from fivedice.game.apply import Step, apply
from fivedice.game.card import Scorecard, Totals
from fivedice.game.events import (
    BonusReached,
    Event,
    ExtraPaid,
    GameEnded,
    Held,
    Scored,
    Thrown,
    TurnPassed,
)
from fivedice.game.legality import Entry, Ruling, judge
from fivedice.game.moves import Hold, Mark, Move, Throw
from fivedice.game.opening import RollOff
from fivedice.game.play import Game
from fivedice.game.position import Outcome, Position
from fivedice.game.sheet import LineKind, SheetLine, sheet_lines

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
