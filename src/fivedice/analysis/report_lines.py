"""A report ready to be written down: the same words and numbers for page, terminal, picture and paper."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.analysis.charts.report_charts import charts
from fivedice.analysis.decisions import Decision, Fall
from fivedice.analysis.game_report import Moment, PlayerReport, Report, TurnReport
from fivedice.analysis.perfect import SIMULATED, Perfect
from fivedice.drawing import Chart
from fivedice.game import Hold, Mark
from fivedice.message import Chance, Either, Message, message
from fivedice.rules import RuleBook
from fivedice.words import grouped, name_of, percent, points, shown, signed, word

MOMENT = ("turn", "dice", "did", "better-head", "lost")  # the heads of a table of decisions, and of one of turns
TURN = ("turn", "rolls", "box", "luck", "lost", "expected")
_NAMED = 2  # moves that are equally good


def heads(*kinds: str) -> list[str]:
    return [word(f"report.{kind}") for kind in kinds]


@dataclass(frozen=True, slots=True)
class MomentLine:
    """A decision in a table of them."""

    player: str
    turn: int
    dice: str  # digits, to be drawn
    roll: str
    left: str
    did: str
    better: str
    lost: str  # nothing for the best

    @property
    def dice_and_left(self) -> str:
        return word("report.moment-dice", dice=self.roll, left=self.left)

    @property
    def cells(self) -> list[str]:
        """Below `heads("player", *MOMENT)`."""
        return [self.player, str(self.turn), self.dice_and_left, self.did, self.better, self.lost]


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """A roll with its luck."""

    dice: str
    roll: str
    luck: str

    def __str__(self) -> str:
        return word("report.roll-and-luck", dice=self.roll, luck=self.luck)


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

    @property
    def cells(self) -> list[str]:
        """Below `heads(*TURN)`."""
        throws = ", ".join(map(str, self.throws))
        return [str(self.number), throws, self.box, self.luck, self.lost, self.expected]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player with everything that is told of them. Start, luck and points lost add up to the end as they stand."""

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
    brought: str | None = None  # by turns of which only the points are known

    @property
    def summary(self) -> str:
        """Accuracy, best decisions, and the place among perfect games."""
        accuracy = word("report.accuracy", accuracy=self.accuracy, best=self.best)
        return " ".join(filter(None, [accuracy, self.better]))


@dataclass(frozen=True, slots=True)
class ReportLines:
    """The whole report."""

    book: str
    finished: bool
    headline: str
    players: tuple[PlayerLine, ...]
    costliest: tuple[MomentLine, ...]
    charts: tuple[Chart, ...]
    note: str | None
    perfect_known: bool
    simulated: str | None  # where perfect games were simulated: how many

    @property
    def title(self) -> str:
        return word("report.title", book=self.book, headline=self.headline)


def report_lines(report: Report, perfect: Perfect | None, *, most_costly: int = 3) -> ReportLines:
    """`perfect` is what finished games are held against, once it is known; `most_costly` moments of each player."""
    held = perfect if report.finished else None
    notes = {"report.final-dice": report.final_dice_turns, "report.by-points": report.turns_by_points}
    return ReportLines(
        name_of(report.book),
        report.finished,
        str(headline(report)),
        tuple(_player(player, report, held, most_costly) for player in report.players),
        tuple(_moment(moment, report) for moment in report.costliest()),
        charts(report, perfect),
        " ".join(word(kind, count=turns) for kind, turns in notes.items() if turns) or None,
        perfect is not None,
        simulated(perfect),
    )


def headline(report: Report) -> Message:
    """How the game ended, in a few words."""
    if not report.finished:
        return message("report.in-progress")
    total = report.players[report.winners[0]].total
    if len(report.players) == 1:
        return message("report.final-score", total=total)
    winners = tuple(report.players[seat].name for seat in report.winners)
    if len(winners) > 1:
        return message("report.shared-win", winners=winners, total=total)
    return message("report.wins", winner=winners[0], total=total)


def simulated(perfect: Perfect | None) -> str | None:
    return None if perfect is None or perfect.exact else word("report.perfect-simulated", games=grouped(SIMULATED))


def _player(player: PlayerReport, report: Report, perfect: Perfect | None, most_costly: int) -> PlayerLine:
    start, lost = round(player.start, 1), round(player.lost, 1)
    end = player.total if player.card.is_full else round(player.expected, 1)
    brought = round(player.brought, 1)
    luck = round(end - start + lost - brought, 1)
    now = shown(end) if player.card.is_full else word("report.expected-now", points=end)
    lucky = "report.sum-lucky" if luck >= 0 else "report.sum-unlucky"
    told = {"start": start, "luck": abs(luck), "lost": lost, "end": now, "brought": signed(brought)}
    better = Chance(perfect.better_than(player.total)) if perfect is not None and player.card.is_full else None
    return PlayerLine(
        player.name,
        player.total,
        points(start),
        signed(luck),
        signed(-lost),
        shown(end),
        word(f"{lucky}-points" if player.turns_by_points else lucky, **told),
        word("report.no-decision") if player.accuracy is None else percent(player.accuracy / 100, 1),
        word("report.best-of", best=player.best_decisions, all=player.decisions),
        None if better is None else word("report.better", chance=better),
        tuple(_moment(moment, report) for moment in report.costliest(most_costly, player.seat)),
        tuple(_turn(turn, player, report) for turn in player.turns),
        signed(brought) if player.turns_by_points else None,
    )


def _turn(turn: TurnReport, player: PlayerReport, report: Report) -> TurnLine:
    return TurnLine(
        turn.number,
        tuple(map(_throw, turn.falls)),
        tuple(_decision(each, player.name, turn.number, report.book) for each in turn.decisions),
        str(_box(turn, report.book)),
        signed(turn.luck),
        signed(-turn.lost),
        points(turn.end),
        turn.final_dice_only,
    )


def _throw(fall: Fall) -> ThrowLine:
    return ThrowLine(str(fall.roll), shown(fall.roll), signed(fall.luck))


def _box(turn: TurnReport, book: RuleBook) -> Message:
    if turn.box is None:
        return message("report.turn-in-progress")
    kind = "report.turn-box-bonus" if turn.extra else "report.turn-box"
    scored = message(kind, box=book.box(turn.box), points=turn.points, bonus=turn.extra)
    return message("report.turn-saved", scored=scored, count=turn.saved) if turn.saved else scored


def _moment(moment: Moment, report: Report) -> MomentLine:
    return _decision(moment.decision, report.players[moment.seat].name, moment.turn, report.book)


def _decision(decision: Decision, player: str, turn: int, book: RuleBook) -> MomentLine:
    left = decision.rolls_left
    return MomentLine(
        player,
        turn,
        str(decision.roll),
        shown(decision.roll),
        word("report.rolls-left", count=left) if left else word("report.no-rolls-left"),
        str(_move(decision.move, book)),
        shown(_best(decision, book)),
        signed(-decision.loss) if decision.loss else "",
    )


def _move(move: Hold | Mark, book: RuleBook) -> Message:
    if isinstance(move, Mark):
        return message("report.score", box=book.box(move.box))
    return message("coach.keep", dice=move.keep) if move.keep.faces else message("coach.roll-all", count=book.dice)


def _best(decision: Decision, book: RuleBook) -> Either:
    """What would have been best; where several tie, the first two of them."""
    named = [_move(move, book) for move in decision.best[:_NAMED]]
    more = len(decision.best) - _NAMED
    return Either((*named, *([message("report.more", count=more)] if more > 0 else [])))
