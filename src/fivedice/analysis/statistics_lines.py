"""Statistics of one book ready to be written down: the same for the page and the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fivedice.analysis.charts.drawing import Chart
from fivedice.analysis.charts.report_charts import missing, stat_charts, totals_words
from fivedice.analysis.report_lines import simulated
from fivedice.analysis.statistics import BookStatistics, GameFacts, StepLine
from fivedice.message import Signed
from fivedice.words import name_of, percent, points, word

_RECENT = 10


@dataclass(frozen=True, slots=True)
class Line:
    """Something that is counted: yours, and that of perfect play if it is known."""

    name: str
    yours: str
    perfect: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class BookLines:
    """One book."""

    name: str
    games: int
    judged: int
    sentence: str
    rates: tuple[Line, ...]
    boxes: tuple[Line, ...]
    steps: tuple[Line, ...]
    charts: tuple[Chart, ...]
    missing: str | None  # where games are too few for charts: how many more
    perfect_known: bool
    simulated: str | None  # where perfect games were simulated: how many
    recent: tuple[tuple[str, int, int, str], ...]  # table, game, total, accuracy: newest first


def book_lines(found: BookStatistics) -> BookLines:
    return BookLines(
        name_of(found.book),
        len(found.games),
        len(found.judged),
        _sentence(found),
        tuple(_rates(found)),
        tuple(_boxes(found)),
        tuple(Line(_step(step), points(step.lost)) for step in found.steps),
        stat_charts(found),
        word("report.games-missing", count=missing(found)) if missing(found) else None,
        found.perfect is not None,
        simulated(found.perfect),
        tuple((each.where, each.number, each.total, _accuracy(each)) for each in found.games[: -_RECENT - 1 : -1]),
    )


def _sentence(found: BookStatistics) -> str:
    told = [str(each) for each in totals_words(found)]
    if found.accuracy is not None and found.luck is not None:
        accuracy, luck = percent(found.accuracy / 100, 1), Signed(found.luck)
        told.append(word("report.accuracy-games", accuracy=accuracy, lost=found.lost, luck=luck))
    return " ".join(told)


def _rates(found: BookStatistics) -> Iterator[Line]:
    book, odds, five = found.book, None if found.perfect is None else found.perfect.odds, found.perfect_five_rate
    if book.bonus is not None:
        ideal = "" if odds is None else percent(odds.upper_bonus)
        yield Line(word("report.upper-bonus"), percent(found.bonus_rate), ideal)
    if book.alike_box is not None:
        name = word("report.scored", box=book.boxes[book.alike_box])
        yield Line(name, percent(found.five_rate), "" if five is None else percent(five))
    if book.alike is not None and book.alike.extra:
        ideal = "" if odds is None else points(odds.extra_mean, 2)
        yield Line(word("report.times-per-game", box=book.sheet.label("extra")), points(found.extras, 2), ideal)


def _boxes(found: BookStatistics) -> Iterator[Line]:
    for box in found.boxes:
        ideal = "" if box.perfect is None else points(box.perfect)
        yield Line(
            name_of(found.book.box(box.key)), points(box.mean), ideal, "" if box.lost is None else points(box.lost)
        )


def _step(step: StepLine) -> str:
    return word("report.choosing-box") if step.roll is None else word("report.after-roll", number=step.roll)


def _accuracy(game: GameFacts) -> str:
    return "" if game.judged is None else percent(game.judged.accuracy / 100, 1)
