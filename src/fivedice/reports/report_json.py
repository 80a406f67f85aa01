"""A report as JSON, for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark
from fivedice.reports.decisions import Currency
from fivedice.reports.game_report import PlayerReport
from fivedice.reports.shown_parts import shown_luck

if TYPE_CHECKING:
    from fivedice.reports.decisions import Decision
    from fivedice.reports.game_report import Moment, PlayerReport, Report, TurnReport
    from fivedice.reports.perfect import Perfect
    from fivedice.reports.win_report import PlayerWins


def report_to_json(report: Report, perfect: Perfect | None = None) -> dict[str, Any]:
    """Return the whole report as plain data. `better_than` needs the distribution of perfect games."""
    return {
        "book": report.book.key,
        "fingerprint": report.book.fingerprint,
        "finished": report.finished,
        "winners": list(report.winners),
        "final_dice_turns": report.final_dice_turns,
        "turns_by_points": report.turns_by_points,
        "judged_by": str(report.judged_by),
        "players": [_player_json(player, perfect if report.finished else None) for player in report.players],
        "costliest": [_moment_json(moment, report) for moment in report.costliest(by=Currency.POINTS)],
        "costliest_to_win": None
        if report.wins is None
        else [_moment_json(moment, report) for moment in report.costliest(by=Currency.WIN)],
    }


def _player_json(player: PlayerReport, perfect: Perfect | None) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "name": player.name,
        "total": player.total,
        "expected_at_start": player.start,
        "luck": player.luck,
        "lost": player.lost,
        "expected_now": player.expected,
        "accuracy": player.accuracy,
        "decisions": player.decisions,
        "best_decisions": player.best_decisions,
        "final_dice_turns": player.final_dice_turns,
        "turns_by_points": player.turns_by_points,
        "brought_by_points": player.brought,
        "better_than": perfect.better_than(player.total) if perfect is not None and player.card.is_full else None,
        "dice": {"counts": list(player.dice.counts), "expected": player.dice.expected},
        "fully_noted": player.fully_noted,
        **_rates_json(player, Currency.POINTS),
        "win": None if player.wins is None else _wins_json(player, player.wins),
        "turns": [_turn_json(turn, player) for turn in player.turns],
    }


def _rates_json(player: PlayerReport, currency: Currency) -> dict[str, Any]:
    return {
        "unforced": len(player.losses(currency)),
        "error_rate": player.error_rate(currency),
        "grades": {str(grade): count for grade, count in player.grades(currency).items()},
    }


def _wins_json(player: PlayerReport, wins: PlayerWins) -> dict[str, Any]:
    return {
        "at_start": wins.start,
        "own_decisions": wins.own,
        "decisions_of_others": wins.others,
        "luck": wins.luck,
        "unknown": wins.unknown,
        "now": wins.now,
        "even_luck": wins.even_luck,
        "lost": player.win_lost,
        **_rates_json(player, Currency.WIN),
    }


def _turn_json(turn: TurnReport, player: PlayerReport) -> dict[str, Any]:
    return {
        "number": turn.number,
        "start": turn.start,
        "end": turn.end,
        "box": turn.box,
        "points": turn.points,
        "extra": turn.extra,
        **({"saved": turn.saved} if player.card.book.save_rolls else {}),
        "by_points": turn.by_points,
        "luck": turn.luck,
        "lost": turn.lost,
        "throws": [
            {
                "roll": str(fall.roll),
                "rolls_left": fall.rolls_left,
                "luck": fall.luck,
                "final_dice": fall.last,
                "win_luck": fall.win,
            }
            for fall in turn.falls
        ],
        "decisions": [_decision_json(decision, player) for decision in turn.decisions],
    }


def _decision_json(decision: Decision, player: PlayerReport) -> dict[str, Any]:
    win = decision.win
    return {
        "roll": str(decision.roll),
        "rolls_left": decision.rolls_left,
        **_move_json(decision.move),
        "value": decision.value,
        "loss": decision.loss,
        "best": [_move_json(move) for move in decision.best],
        "unforced": decision.unforced,
        "grade": player.grade(decision, Currency.POINTS),
        "win": None
        if win is None
        else {
            "share": win.share,
            "loss": win.loss,
            "best": [_move_json(move) for move in win.best],
            "unforced": win.unforced,
            "grade": player.grade(decision, Currency.WIN),
            "how": win.how,
        },
    }


def _moment_json(moment: Moment, report: Report) -> dict[str, Any]:
    player = report.players[moment.seat]
    return {"seat": moment.seat, "turn": moment.turn, **_decision_json(moment.decision, player)}


def _move_json(move: Hold | Mark) -> dict[str, str]:
    return {"box": move.box} if isinstance(move, Mark) else {"keep": str(move.keep)}


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
