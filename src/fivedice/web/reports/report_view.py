"""A report as the page shows it: words and numbers, ready to be written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.analysis import report_words as words
from fivedice.analysis.charts.report_charts import charts

if TYPE_CHECKING:
    from fivedice.analysis.charts.drawing import Chart
    from fivedice.analysis.decisions import Decision
    from fivedice.analysis.perfect import Perfect
    from fivedice.analysis.report import Moment, PlayerReport, Report, TurnReport
    from fivedice.rules import RuleBook


@dataclass(frozen=True, slots=True)
class MomentLine:
    """A decision in a table of them."""

    player: str
    turn: int
    dice: str
    left: str
    did: str
    better: str
    lost: str


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """A roll with its luck."""

    dice: str
    luck: str


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn: its rolls, its decisions, and what they came to."""

    number: int
    throws: tuple[ThrowLine, ...]
    decisions: tuple[MomentLine, ...]
    box: str
    luck: str
    lost: str
    expected: str
    final_dice_only: bool


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player with everything that is told of them."""

    name: str
    total: int
    start: str
    luck: str
    lost: str
    expected: str
    identity: str
    accuracy: str
    best: str
    better: str | None
    costliest: tuple[MomentLine, ...]
    turns: tuple[TurnLine, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """The whole page."""

    book: str
    finished: bool
    headline: str
    players: tuple[PlayerLine, ...]
    costliest: tuple[MomentLine, ...]
    charts: tuple[Chart, ...]
    note: str | None
    source: str | None  # of the perfect games; None while they are worked out

    @classmethod
    def of(cls, report: Report, perfect: Perfect | None) -> ReportView:
        return cls(
            report.book.name,
            report.finished,
            words.headline(report),
            tuple(_player(player, report, perfect) for player in report.players),
            tuple(_moment(moment, report) for moment in report.costliest()),
            charts(report, perfect),
            words.final_dice_words(report),
            None if perfect is None else perfect.source,
        )


def _player(player: PlayerReport, report: Report, perfect: Perfect | None) -> PlayerLine:
    return PlayerLine(
        player.name,
        player.total,
        f"{player.start:.1f}",
        words.points(player.luck),
        words.points(-player.lost),
        str(player.total) if player.card.is_full else f"{player.expected:.1f}",
        words.identity_words(player),
        words.accuracy_words(player),
        f"{player.best_decisions} of {player.decisions}",
        words.better_words(player, perfect) if perfect is not None and report.finished else None,
        tuple(_moment(moment, report) for moment in report.costliest(seat=player.seat)),
        tuple(_turn(turn, player, report) for turn in player.turns),
    )


def _turn(turn: TurnReport, player: PlayerReport, report: Report) -> TurnLine:
    box = "not finished" if turn.box is None else f"{report.book.box(turn.box).name} {turn.points}"
    return TurnLine(
        turn.number,
        tuple(ThrowLine(str(fall.roll), words.points(fall.luck)) for fall in turn.falls),
        tuple(_decision(each, player.name, turn.number, report.book) for each in turn.decisions),
        f"{box} and {turn.extra} extra" if turn.extra else box,
        words.points(turn.luck),
        words.points(-turn.lost),
        f"{turn.end:.1f}",
        turn.final_dice_only,
    )


def _moment(moment: Moment, report: Report) -> MomentLine:
    return _decision(moment.decision, report.players[moment.seat].name, moment.turn, report.book)


def _decision(decision: Decision, player: str, turn: int, book: RuleBook) -> MomentLine:
    return MomentLine(
        player,
        turn,
        str(decision.roll),
        words.rolls_words(decision.rolls_left),
        words.move_words(decision.move, book),
        words.best_words(decision, book),
        words.points(-decision.loss) if decision.loss else "",
    )
