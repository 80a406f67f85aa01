"""A report as JSON, for programs."""

from __future__ import annotations

from typing import Any

from fivedice.analysis.decisions import Decision, Fall
from fivedice.analysis.game_report import Moment, PlayerReport, Report, TurnReport
from fivedice.analysis.perfect import Perfect
from fivedice.game import Hold, Mark


def report_to_json(report: Report, perfect: Perfect | None = None) -> dict[str, Any]:
    """Everything that a report says. `better_than` needs the distribution of perfect games."""
    return {
        "book": report.book.key,
        "fingerprint": report.book.fingerprint,
        "finished": report.finished,
        "winners": list(report.winners),
        "final_dice_turns": report.final_dice_turns,
        "players": [_player(player, perfect if report.finished else None) for player in report.players],
        "costliest": [_moment(moment) for moment in report.costliest()],
    }


def _player(player: PlayerReport, perfect: Perfect | None) -> dict[str, Any]:
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
        "better_than": None if perfect is None else perfect.better_than(player.total),
        "dice": {"counts": list(player.dice.counts), "expected": player.dice.expected},
        "turns": [_turn(turn) for turn in player.turns],
    }


def _turn(turn: TurnReport) -> dict[str, Any]:
    return {
        "number": turn.number,
        "start": turn.start,
        "end": turn.end,
        "box": turn.box,
        "points": turn.points,
        "extra": turn.extra,
        "luck": turn.luck,
        "lost": turn.lost,
        "throws": [_fall(fall) for fall in turn.falls],
        "decisions": [_decision(decision) for decision in turn.decisions],
    }


def _fall(fall: Fall) -> dict[str, Any]:
    return {"roll": str(fall.roll), "rolls_left": fall.rolls_left, "luck": fall.luck, "final_dice": fall.last}


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "roll": str(decision.roll),
        "rolls_left": decision.rolls_left,
        **_move(decision.move),
        "value": decision.value,
        "loss": decision.loss,
        "best": [_move(move) for move in decision.best],
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {"seat": moment.seat, "turn": moment.turn, **_decision(moment.decision)}


def _move(move: Hold | Mark) -> dict[str, str]:
    return {"box": move.box} if isinstance(move, Mark) else {"keep": str(move.keep)}
