"""The charts of statistics: own totals against perfect games, and accuracy over time."""

from __future__ import annotations

from fivedice.analysis.charts import drawing as draw
from fivedice.analysis.charts.drawing import COLOURS, Chart, Scale
from fivedice.analysis.statistics import BookStatistics
from fivedice.message import Message, message
from fivedice.words import percent, word

WIDTH = 360
_LEFT, _RIGHT = 36, 350
_GROUPS = 24
ENOUGH = 5  # games before a distribution says anything


def stat_charts(found: BookStatistics) -> tuple[Chart, ...]:
    """What can be drawn: a few games are no distribution, and no course."""
    drawn = []
    if not missing(found):
        drawn.append(totals(found))
    if len(found.judged) >= ENOUGH:
        drawn.append(accuracy(found))
    return tuple(drawn)


def missing(found: BookStatistics) -> int:
    """How many games there have to be until the totals are drawn."""
    return max(0, ENOUGH - len(found.games))


def totals(found: BookStatistics) -> Chart:
    """Shares of the own games as bars, of perfect games as a line."""
    perfect = found.perfect
    low, high = min(found.totals), max(found.totals)
    if perfect is not None:
        low, high = min(low, perfect.odds.quantile(0.005)), max(high, perfect.odds.quantile(0.995))
    marks = draw.ticks(low, high, 6)
    step = max(1, -(-(marks[-1] - marks[0]) // _GROUPS))
    starts = range(marks[0], marks[-1] + 1, step)
    mine = [sum(start <= total < start + step for total in found.totals) / len(found.games) for start in starts]
    ideal = [_perfect_share(found, start, step) for start in starts]
    across, up = Scale(marks[0], starts[-1] + step, 12, _RIGHT), Scale(0, max(*mine, *ideal, 1e-9), 150, 14)
    wide = across(step) - across(0) - 1
    body = [draw.rect(across(at), up(each), wide, 150 - up(each), "bar strong", draw.STRONG)
            for at, each in zip(starts, mine, strict=True)]  # fmt: skip
    if perfect is not None:
        line = [(across(at + step / 2), up(each)) for at, each in zip(starts, ideal, strict=True)]
        body.append(draw.path(line, "line s0", COLOURS[0]))
    body.append(draw.line(12, 150, _RIGHT, 150, "axis", draw.FAINT))
    body += [draw.words(across(mark), 166, str(mark), "middle") for mark in marks]
    note = "report.totals-bars" if perfect is None else "report.totals-bars-line"
    body.append(draw.words(_RIGHT, 184, word(note), "end", "faint", draw.FAINT))
    return Chart(
        f"totals-{found.book.key}-{found.book.fingerprint[:8]}",
        word("report.totals-title", book=found.book),
        " ".join(map(str, totals_words(found))),
        WIDTH,
        192,
        "".join(body),
        (word("report.totals"), word("report.your-games"), word("report.perfect-games")),
        tuple(
            (_range(at, at + step - 1), percent(own), percent(best) if perfect is not None else "")
            for at, own, best in zip(starts, mine, ideal, strict=True)
            if own or best >= 0.005
        ),
    )


def totals_words(found: BookStatistics) -> list[Message]:
    """How many games, what they score on average, and what perfect play does."""
    told = [message("report.games", count=len(found.games), mean=found.mean, best=found.best)]
    if found.perfect is not None:
        told.append(message("report.perfect-play", mean=found.perfect.odds.mean))
    return told


def _range(first: int, last: int) -> str:
    return word("report.totals-range", first=first, last=last)


def _perfect_share(found: BookStatistics, start: int, step: int) -> float:
    if found.perfect is None:
        return 0.0
    return sum(found.perfect.odds.pmf.get(total, 0.0) for total in range(start, start + step))


def accuracy(found: BookStatistics) -> Chart:
    """A dot a game, and a line through the means of the last ten."""
    games = found.accuracies
    marks = draw.ticks(min(each for _, each, _ in games), 100, 5)
    across, up = Scale(1, len(games), _LEFT, _RIGHT - 4), Scale(marks[0], max(100, marks[-1]), 150, 14)
    body = [draw.line(_LEFT, up(mark), _RIGHT, up(mark)) + draw.words(_LEFT - 5, up(mark) + 4, str(mark), "end")
            for mark in marks if mark <= 100]  # fmt: skip
    body += [draw.dot(across(place), up(each), "dot s2", COLOURS[2]) for place, (_, each, _) in enumerate(games, 1)]
    line = [(across(place), up(mean)) for place, (_, _, mean) in enumerate(games, 1)]
    body.append(draw.path(line, "line s0", COLOURS[0]))
    body.append(draw.words(_RIGHT, 170, word("report.accuracy-note"), "end", "faint", draw.FAINT))
    first, last = percent(games[0][2] / 100), percent(games[-1][2] / 100)
    return Chart(
        f"accuracy-{found.book.key}-{found.book.fingerprint[:8]}",
        word("report.accuracy-title", book=found.book),
        word("report.accuracy-about", count=len(games), first=first, last=last),
        WIDTH,
        178,
        "".join(body),
        (word("report.game"), word("report.accuracy-head"), word("report.accuracy-mean")),
        tuple(
            (str(place), percent(each / 100, 1), percent(mean / 100, 1))
            for place, (_, each, mean) in enumerate(games, 1)
        ),
    )
