"""Statistics as the page shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from fivedice.web.reports.game_counts import Counted

if TYPE_CHECKING:
    from fivedice.analysis.charts.drawing import Chart
    from fivedice.analysis.game_facts import GameFacts
    from fivedice.analysis.statistics import BookStatistics

Books = Callable[["tuple[GameFacts, ...]"], "list[BookStatistics]"]


@dataclass(frozen=True, slots=True)
class Line:
    """Something that is counted: yours, and that of perfect play if it is known."""

    name: str
    yours: str
    perfect: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class BookView:
    """One book."""

    name: str
    games: int
    judged: int
    sentence: str
    rates: tuple[Line, ...]
    boxes: tuple[Line, ...]
    steps: tuple[Line, ...]
    charts: tuple[Chart, ...]
    source: str | None
    recent: tuple[tuple[str, int, int, str], ...]  # table, game, total, accuracy: newest first


@dataclass(frozen=True, slots=True)
class Summary:
    """What the database alone knows of a book."""

    name: str
    games: int
    mean: str
    best: int


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """The whole page."""

    names: tuple[str, ...]
    summary: tuple[Summary, ...]
    books: tuple[BookView, ...]
    games: int
    known: int
    complete: bool

    @classmethod
    def of(cls, counted: Counted, name: str | None, books: Books, names: dict[str, str]) -> StatisticsView:
        from fivedice.analysis.statistics import names_in

        facts = tuple(each for each in counted.facts if name is None or each.name == name)
        return cls(
            tuple(names_in(counted.facts)),
            tuple(_summaries(counted, names)),
            tuple(_book(each) for each in books(facts)),
            len(counted.results),
            len(counted.facts),
            counted.is_complete,
        )


def _summaries(counted: Counted, names: dict[str, str]) -> Iterator[Summary]:
    totals: dict[str, list[int]] = {}
    for result in counted.results:
        totals.setdefault(result.book, []).append(result.total)
    for key, found in totals.items():
        yield Summary(names.get(key, key), len(found), f"{fmean(found):.1f}", max(found))


def _book(each: BookStatistics) -> BookView:
    from fivedice.analysis.charts.statistics_charts import stat_charts

    return BookView(
        each.book.name,
        len(each.games),
        len(each.judged),
        _sentence(each),
        tuple(_rates(each)),
        tuple(_boxes(each)),
        tuple(Line(step.name, f"{step.lost:.1f}") for step in each.steps),
        stat_charts(each),
        None if each.perfect is None else each.perfect.source,
        tuple((game.where, game.number, game.total, _accuracy(game)) for game in each.games[:-11:-1]),
    )


def _sentence(each: BookStatistics) -> str:
    count = f"{len(each.games)} {'game' if len(each.games) == 1 else 'games'}"
    told = f"{count}, {each.mean:.1f} on average, best {each.best}."
    if each.perfect is not None:
        told += f" Perfect play: {each.perfect.odds.mean:.1f} on average."
    if each.accuracy is not None:
        told += f" Accuracy {each.accuracy:.1f}%: decisions lose {each.lost:.1f} points a game."
    return told


def _rates(each: BookStatistics) -> list[Line]:
    perfect, five, lines = each.perfect, each.perfect_five_rate, list[Line]()
    if each.book.bonus is not None:
        ideal = "" if perfect is None else f"{perfect.odds.upper_bonus:.0%}"
        lines.append(Line("Upper bonus", f"{each.bonus_rate:.0%}", ideal))
    if each.book.alike_box is not None:
        name = each.book.boxes[each.book.alike_box].name
        lines.append(Line(f"{name} scored", f"{each.five_rate:.0%}", "" if five is None else f"{five:.0%}"))
    if each.book.alike is not None and each.book.alike.extra:
        ideal = "" if perfect is None else f"{perfect.odds.extra_mean:.2f}"
        lines.append(Line(f"{each.book.sheet.extra}, times a game", f"{each.extras:.2f}", ideal))
    return lines


def _boxes(each: BookStatistics) -> list[Line]:
    return [
        Line(
            box.name,
            f"{box.mean:.1f}",
            "" if box.perfect is None else f"{box.perfect:.1f}",
            "" if box.lost is None else f"{box.lost:.1f}",
        )
        for box in each.boxes
    ]


def _accuracy(game: GameFacts) -> str:
    return "" if game.judged is None else f"{game.judged.accuracy:.1f}%"
