"""What is stored about an attempt at a deal: luck, the points lost in each turn, and the decision that lost most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark
from fivedice.reports.game_report import PlayerReport
from fivedice.reports.shown_parts import shown_luck


@dataclass(frozen=True, slots=True)
class Dearest:
    """The decision that lost most."""

    turn: int
    dice: str
    did: Hold | Mark
    best: Hold | Mark
    lost: float

    def to_data(self) -> list[Any]:
        """Return its fields, ready for JSON."""
        return [self.turn, self.dice, _write_move(self.did), _write_move(self.best), round(self.lost, 2)]

    @classmethod
    def from_data(cls, data: list[Any]) -> Dearest:
        turn, dice, did, best, lost = data
        return cls(turn, dice, _read_move(did), _read_move(best), lost)


def attempt_facts(player: PlayerReport) -> dict[str, Any]:
    """Return the facts of a player's game, ready for JSON. `rules` names the values that it was judged by."""
    worst = max(player.moments, key=lambda each: each.decision.loss, default=None)
    dearest = None
    if worst is not None and worst.decision.loss > 0:
        made = worst.decision
        dearest = Dearest(worst.turn, str(made.roll), made.move, made.best[0], made.loss).to_data()
    turns = [round(turn.lost, 2) for turn in player.turns]
    return {"rules": player.card.book.fingerprint, "luck": shown_luck(player), "turns": turns, "dearest": dearest}


def _write_move(move: Hold | Mark) -> str:
    return f"={move.box}" if isinstance(move, Mark) else str(move.keep)


def _read_move(text: str) -> Hold | Mark:
    return Mark(text[1:]) if text.startswith("=") else Hold(Keep.parse(text) if text.isdigit() else Keep(()))
