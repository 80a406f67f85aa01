"""The game itself: cards, positions, legality, the one transition, and games made of them."""

from fivedice.game.apply import Step, apply
from fivedice.game.card import Scorecard, Totals
from fivedice.game.card_lines import LineKind, SheetLine, sheet_lines
from fivedice.game.legality import Entry, Ruling, judge
from fivedice.game.moves import Hold, Mark, Move, Throw
from fivedice.game.playthrough import Game
from fivedice.game.position import Outcome, Position
from fivedice.game.roll_off import RollOff
from fivedice.game.step_events import (
    BonusReached,
    Event,
    ExtraPaid,
    GameEnded,
    Held,
    Scored,
    Thrown,
    TurnPassed,
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
