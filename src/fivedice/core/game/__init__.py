"""The game: score sheets, legal boxes, positions, the one function that applies a move, and whole games."""

from fivedice.core.game.card import LineKind, Scorecard, SheetLine, Totals, sheet_lines
from fivedice.core.game.legality import Entry, Ruling, judge
from fivedice.core.game.playthrough import Game, RollOff
from fivedice.core.game.position import (
    BonusReached,
    Come,
    Event,
    ExtraPaid,
    GameEnded,
    Held,
    Hold,
    Leave,
    Mark,
    Move,
    Outcome,
    Position,
    Scored,
    Skip,
    Step,
    Throw,
    Thrown,
    TurnPassed,
    apply,
)
