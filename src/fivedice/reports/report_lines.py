"""The texts and numbers of a report, the same for the web page, the terminal, the picture and paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fivedice.core.game import Hold, Mark
from fivedice.core.rules import RuleBook
from fivedice.drawing.svg import Chart, html_table
from fivedice.message import Chance, Either, Message, Series, Who, message
from fivedice.reports.decisions import Currency, Decision, ErrorGrade, Fall
from fivedice.reports.game_report import Moment, PlayerReport, Report, TurnReport, loss_of
from fivedice.reports.perfect import SIMULATED, Perfect
from fivedice.reports.report_charts import charts
from fivedice.reports.shown_parts import points_without_dice, shown_end, shown_luck, shown_turns, whole_luck
from fivedice.text import format_signed, format_value, group_digits, name_of, percent, points, word
from fivedice.text.formatting import MINUS

# The column heads of a table of decisions and of a table of turns, judged by points or by the win.
MOMENT = {
    Currency.POINTS: ("turn", "dice", "did", "better-head", "lost"),
    Currency.WIN: ("turn", "dice", "did", "better-head", "win-lost", "lost"),
}
TURN = {
    Currency.POINTS: ("turn", "rolls", "box", "luck", "lost", "expected"),
    Currency.WIN: ("turn", "rolls", "box", "luck", "lost", "expected", "win-lost", "win-chance"),
}
_NAMED = 2  # of several equally good moves
_WELL = 95.0  # per cent of accuracy from which choices are praised
_GRADES = {
    ErrorGrade.BLUNDER: "report.blunders",
    ErrorGrade.MISTAKE: "report.mistakes",
    ErrorGrade.SMALL: "report.small-errors",
}


def heads(*kinds: str) -> list[str]:
    return [word(f"report.{kind}") for kind in kinds]


@dataclass(frozen=True, slots=True)
class MomentLine:
    """A row in a table of decisions."""

    player: str
    turn: int
    dice: str  # digits, for drawing
    roll: str
    left: str
    did: str
    better: str
    lost: str  # in the unit that it is judged by; empty for the best move
    beside: str | None  # the points lost, if it is judged by the win
    grade: ErrorGrade | None
    kept: str | None = None  # the digits of the kept dice, for drawing; None if a box was scored
    wanted: str | None = None  # the same for the best move

    @property
    def kind(self) -> str:
        """Return the grade of the error in words."""
        return word(f"report.grade-{self.grade}") if self.grade else ""

    @property
    def cells(self) -> list[str]:
        """Return the cells below `heads("player", *MOMENT[...])`."""
        lost = word("report.loss-and-grade", loss=self.lost, grade=self.kind) if self.grade else self.lost
        dice = word("report.moment-dice", dice=self.roll, left=self.left)
        cells = [self.player, str(self.turn), dice, self.did, self.better, lost]
        return cells if self.beside is None else [*cells, self.beside]


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """A roll and its luck."""

    dice: str
    roll: str
    luck: str

    def __str__(self) -> str:
        return word("report.roll-and-luck", dice=self.roll, luck=self.luck)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn: its rolls, its decisions, and its result."""

    number: int
    throws: tuple[ThrowLine, ...]
    decisions: tuple[MomentLine, ...]
    box: str
    luck: str
    lost: str
    expected: str
    final_dice_only: bool
    win: tuple[str, str] | None = None  # the chance of winning that it lost, and the chance after it

    @property
    def cells(self) -> list[str]:
        """Return the cells below `heads(*TURN[...])`."""
        throws = ", ".join(map(str, self.throws))
        cells = [str(self.number), throws, self.box, self.luck, self.lost, self.expected]
        return cells if self.win is None else [*cells, *self.win]


@dataclass(frozen=True, slots=True)
class WinLine:
    """A player's share of the win. As shown, `even` and `luck` add up to `now`."""

    even: str | None  # if all rolls and decisions are known
    luck: str
    now: str
    lost: str
    identity: str
    finished: bool


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's part of the report. As shown, start, luck and points lost add up to the end."""

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
    errors: str = ""  # the count of each grade, and the error rate
    win: WinLine | None = None
    brought: str | None = None  # by turns that have only their points noted
    better_share: str | None = None  # of perfect games that end lower
    sentences: tuple[str, ...] = ()  # luck and points lost, each in a sentence

    @property
    def summary(self) -> str:
        """Return the accuracy, the best decisions, and the place among perfect games."""
        accuracy = word("report.accuracy", accuracy=self.accuracy, best=self.best)
        return " ".join(filter(None, [accuracy, self.better]))

    @property
    def win_words(self) -> str | None:
        """Return the line about the win, with several players."""
        win = self.win
        if win is None:
            return None
        ended = "report.win-line" if win.finished else "report.win-line-now"
        kind = "report.win-line-unknown" if win.even is None else ended
        return word(kind, lost=win.lost, even=win.even, luck=win.luck, now=win.now)


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
    judged: str | None  # with several players: what decisions are judged by
    judged_by: Currency
    perfect_known: bool
    simulated: str | None  # if perfect games were simulated: how many

    @property
    def title(self) -> str:
        return word("report.title", book=self.book, headline=self.headline)

    @property
    def nothing_lost(self) -> str:
        return word("report.nothing-lost" if self.judged_by is Currency.POINTS else "report.no-win-lost")


def report_lines(
    report: Report, perfect: Perfect | None, *, most_costly: int = 3, colours: Sequence[str] = ()
) -> ReportLines:
    """Return the texts of a report.

    `perfect` are the perfect games to compare finished games with, if known; `most_costly` is the number of costly
    decisions to list for each player; `colours` are the names of the colours that the seats have.
    """
    compared = perfect if report.finished else None
    notes = {"report.final-dice": report.final_dice_turns, "report.by-points": report.turns_by_points}
    return ReportLines(
        name_of(report.book),
        report.finished,
        str(headline(report)),
        tuple(_player(player, report, compared, most_costly) for player in report.players),
        tuple(moment_line(moment, report) for moment in report.costliest()),
        charts(report, perfect, colours),
        " ".join(word(kind, count=turns) for kind, turns in notes.items() if turns) or None,
        word(f"report.judged-by-{report.judged_by}") if len(report.players) > 1 else None,
        report.judged_by,
        perfect is not None,
        simulation_note(perfect),
    )


def report_html(report: Report) -> str:
    """Return the summary of each player and the costliest decisions as HTML tables."""
    lines = report_lines(report, None)
    players = [
        [each.name, " ".join(filter(None, (each.identity, each.errors, each.summary)))] for each in lines.players
    ]
    notes = () if lines.costliest else (lines.nothing_lost,)
    text = html_table((), players, lines.title, notes)
    if not lines.costliest:
        return text
    return text + html_table(
        heads("player", *MOMENT[lines.judged_by]), [each.cells for each in lines.costliest], word("report.costliest")
    )


def headline(report: Report) -> Message:
    """Return how the game ended, in a few words."""
    if not report.finished:
        return message("report.in-progress")
    total = report.players[report.winners[0]].total
    if len(report.players) == 1:
        return message("report.final-score", total=total)
    winners = tuple(report.players[seat].name for seat in report.winners)
    if len(winners) > 1:
        return message("report.shared-win", winners=winners, total=total)
    return message("report.wins", winner=winners[0], total=total)


def simulation_note(perfect: Perfect | None) -> str | None:
    return None if perfect is None or perfect.exact else word("report.perfect-simulated", games=group_digits(SIMULATED))


def luck_message(player: PlayerReport, who: Who) -> Message:
    """Return one sentence about the luck of a player."""
    luck = whole_luck(player)
    kind = "report.dice-usual" if not luck else "report.dice-more" if luck > 0 else "report.dice-less"
    return message(kind, who=who, count=abs(luck))


def choices_message(player: PlayerReport) -> Message:
    """Return one sentence about the choices of a player; praise only those that deserve it."""
    lost = round(round(player.lost, 1))  # as the report shows it
    if not lost:
        return message("report.choices-best")
    well = player.accuracy is not None and player.accuracy >= _WELL
    return message("report.choices-well" if well else "report.choices-cost", count=lost)


def _player(player: PlayerReport, report: Report, perfect: Perfect | None, most_costly: int) -> PlayerLine:
    start, lost, end = round(player.start, 1), round(player.lost, 1), shown_end(player)
    brought, luck = round(points_without_dice(player), 1), shown_luck(player)
    now = format_value(end) if player.card.is_full else word("report.expected-now", points=end)
    lucky = "report.sum-lucky" if luck >= 0 else "report.sum-unlucky"
    values = {"start": start, "luck": abs(luck), "lost": lost, "end": now, "brought": format_signed(brought)}
    better = Chance(perfect.better_than(player.total)) if perfect is not None and player.card.is_full else None
    return PlayerLine(
        player.name,
        player.total,
        points(start),
        format_signed(luck),
        format_signed(-lost),
        format_value(end),
        word(f"{lucky}-points" if player.turns_by_points else lucky, **values),
        word("report.no-decision") if player.accuracy is None else percent(player.accuracy / 100, 1),
        word("report.best-of", best=player.best_decisions, all=player.decisions),
        None if better is None else word("report.better", chance=better),
        tuple(moment_line(moment, report) for moment in report.costliest(most_costly, player.seat)),
        tuple(_turns(player, report)),
        _errors(player, report.judged_by),
        _win(player, report.finished),
        format_signed(brought) if player.turns_by_points else None,
        None if better is None else format_value(better),
        (str(luck_message(player, Who(player.seat + 1, player.name))), str(choices_message(player))),
    )


def _errors(player: PlayerReport, currency: Currency) -> str:
    """Count the errors of each grade in words, and add the error rate of the fully noted turns."""
    if not player.decisions:
        return ""
    counts = {grade: count for grade, count in player.grades(currency).items() if count}
    kinds = tuple(message(_GRADES[grade], count=count) for grade, count in counts.items())
    errors = word("report.errors", errors=Series(kinds)) if kinds else word("report.no-errors")
    rate = player.error_rate(currency)
    return errors if rate is None else f"{errors} {word('report.error-rate', rate=rate)}"


def _win(player: PlayerReport, finished: bool) -> WinLine | None:
    """Return the line about the win, rounded so that its parts add up as shown."""
    wins = player.wins
    if wins is None:
        return None
    now = round(wins.now, 3)
    even = None if wins.even_luck is None else round(wins.even_luck, 3)
    luck = wins.luck if even is None else now - even
    texts = {"even": "" if even is None else percent(even, 1), "luck": signed_percent(luck), "now": percent(now, 1)}
    identity = word("report.win-now" if even is None else "report.win-sum", **texts)
    return WinLine(texts["even"] or None, texts["luck"], texts["now"], percent(player.win_lost, 1), identity, finished)


def signed_percent(change: float) -> str:
    """Format a change of a chance, with its sign."""
    text = percent(abs(change), 1)
    sign = "" if not round(change, 3) else MINUS if change < 0 else "+"
    return sign + text


def _turns(player: PlayerReport, report: Report) -> Iterator[TurnLine]:
    for turn, parts in zip(player.turns, shown_turns(player), strict=True):
        yield _turn(turn, parts.luck, parts.lost, player, report)


def _turn(turn: TurnReport, luck: float, lost: float, player: PlayerReport, report: Report) -> TurnLine:
    # Round values to one decimal so that they add up to the total; the largest takes the difference.
    lucks = [round(fall.luck, 1) for fall in turn.falls]
    if lucks:
        largest = max(range(len(lucks)), key=lambda place: abs(lucks[place]))
        lucks[largest] = round(lucks[largest] + luck - sum(lucks), 1)
    return TurnLine(
        turn.number,
        tuple(map(_throw, turn.falls, lucks)),
        tuple(_decision(each, player, turn.number, report) for each in turn.decisions),
        str(_box(turn, report.book)),
        format_signed(luck),
        format_signed(-lost),
        points(turn.end),
        turn.final_dice_only,
        _turn_win(turn, player, report),
    )


def _turn_win(turn: TurnReport, player: PlayerReport, report: Report) -> tuple[str, str] | None:
    if report.wins is None or turn.ended is None:
        return None if report.wins is None else ("", "")
    return signed_percent(-turn.win_lost), percent(report.wins.moves[turn.ended].shares[player.seat])


def _throw(fall: Fall, luck: float) -> ThrowLine:
    return ThrowLine(str(fall.roll), format_value(fall.roll), format_signed(luck))


def _box(turn: TurnReport, book: RuleBook) -> Message:
    if turn.box is None:
        return message("report.turn-in-progress")
    kind = "report.turn-box-bonus" if turn.extra else "report.turn-box"
    scored = message(kind, box=book.box(turn.box), points=turn.points, bonus=turn.extra)
    return message("report.turn-saved", scored=scored, count=turn.saved) if turn.saved else scored


def moment_line(moment: Moment, report: Report) -> MomentLine:
    """Return the texts of one decision."""
    return _decision(moment.decision, report.players[moment.seat], moment.turn, report)


def _decision(decision: Decision, player: PlayerReport, turn: int, report: Report) -> MomentLine:
    left, book, judged_by = decision.rolls_left, report.book, report.judged_by
    loss, in_points = loss_of(decision, judged_by), format_signed(-decision.loss) if decision.loss else ""
    by_win = judged_by is Currency.WIN
    return MomentLine(
        player.name,
        turn,
        str(decision.roll),
        format_value(decision.roll),
        word("report.rolls-left", count=left) if left else word("report.no-rolls-left"),
        str(describe_move(decision.move, book)),
        format_value(_best(decision, judged_by, book)),
        (signed_percent(-loss) if loss else "") if by_win else in_points,
        in_points if by_win else None,
        player.grade(decision, judged_by),
        _keep_digits(decision.move),
        _keep_digits(_best_moves(decision, judged_by)[0]),
    )


def _keep_digits(move: Hold | Mark) -> str | None:
    return str(move.keep) if isinstance(move, Hold) else None


def _best_moves(decision: Decision, judged_by: Currency) -> tuple[Hold | Mark, ...]:
    return decision.best if judged_by is Currency.POINTS or decision.win is None else decision.win.best


def describe_move(move: Hold | Mark, book: RuleBook) -> Message:
    """Return a move in words: the box that is scored, or the dice that are kept."""
    if isinstance(move, Mark):
        return message("report.score", box=book.box(move.box))
    return message("coach.keep", dice=move.keep) if move.keep.faces else message("coach.roll-all", count=book.dice)


def _best(decision: Decision, judged_by: Currency, book: RuleBook) -> Either:
    """Return the best moves, and how many more there are than the first two."""
    best = _best_moves(decision, judged_by)
    named = [describe_move(move, book) for move in best[:_NAMED]]
    more = len(best) - _NAMED
    return Either((*named, *([message("report.more", count=more)] if more > 0 else [])))
