"""The texts and numbers of the statistics of one book, the same for the web page and the terminal.

For other programs: one line per game as CSV, and everything as JSON.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from fivedice.drawing.svg import Chart
from fivedice.message import Signed
from fivedice.reports.decisions import THEMES, Mean
from fivedice.reports.report_charts import missing, stat_charts, totals_words
from fivedice.reports.report_lines import simulation_note
from fivedice.reports.statistics import BookStatistics, GameFacts, StepLine
from fivedice.text import name_of, percent, points, word

_RECENT = 10


@dataclass(frozen=True, slots=True)
class StatisticsLine:
    """A row of statistics: yours, and that of perfect play if it is known."""

    name: str
    yours: str
    perfect: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class BookLines:
    """The statistics of one book."""

    name: str
    games: int
    judged: int
    sentence: str
    tiles: tuple[StatisticsLine, ...]  # best, average and bonus
    skill: tuple[StatisticsLine, ...]  # accuracy and error rates, with their standard errors
    left_out: str | None  # games that do not show how well a player plays
    rates: tuple[StatisticsLine, ...]
    boxes: tuple[StatisticsLine, ...]
    steps: tuple[StatisticsLine, ...]
    charts: tuple[Chart, ...]
    missing: str | None  # if there are too few games for charts: how many more it takes
    perfect_known: bool
    simulated: str | None  # if perfect games were simulated: how many
    recent: tuple[tuple[str, int, int, str], ...]  # table, game, total, accuracy; newest first


def book_lines(found: BookStatistics) -> BookLines:
    sentences = [str(each) for each in totals_words(found)]
    if found.accuracy is not None and found.luck is not None:
        accuracy, luck = percent(found.accuracy / 100, 1), Signed(_luck(found, found.luck))
        sentences.append(word("report.accuracy-games", accuracy=accuracy, lost=found.lost, luck=luck))
    count = len(found.judged) - len(found.noted)
    return BookLines(
        name_of(found.book),
        len(found.games),
        len(found.judged),
        " ".join(sentences),
        tuple(_tiles(found)),
        tuple(_skill(found)),
        word("report.not-noted", count=count) if count else None,
        tuple(_rates(found)),
        tuple(_boxes(found)),
        tuple(StatisticsLine(_step(step), points(step.lost)) for step in found.steps),
        stat_charts(found),
        word("report.games-missing", count=missing(found)) if missing(found) else None,
        found.perfect is not None,
        simulation_note(found.perfect),
        tuple((each.where, each.number, each.total, _accuracy(each)) for each in found.games[: -_RECENT - 1 : -1]),
    )


def _tiles(found: BookStatistics) -> Iterator[StatisticsLine]:
    yield StatisticsLine(word("report.best-head"), str(found.best))
    yield StatisticsLine(word("report.average-head"), points(found.mean))
    if found.book.bonus is not None:
        yield StatisticsLine(word("report.bonus-head"), percent(found.bonus_rate))


def _luck(found: BookStatistics, luck: float) -> float:
    """Return the mean luck; where all games are noted, so that it adds up with the other means as they are shown."""
    if found.perfect is None or found.lost is None or len(found.noted) < len(found.games):
        return luck
    return round(found.mean, 1) - round(found.perfect.odds.mean, 1) + round(found.lost, 1)


def _skill(found: BookStatistics) -> Iterator[StatisticsLine]:
    """Yield what shows how well a player plays: means over games with their standard errors and counts."""
    means: dict[str, tuple[Mean | None, Callable[[float], str]]] = {
        "report.accuracy-head": (found.accuracy_mean, lambda value: percent(value / 100, 1)),
        "report.error-rate-points": (found.error_rate, points),
        "report.error-rate-win": (found.win_error_rate, points),
        "report.win-lost-game": (found.win_lost, lambda value: percent(value, 1)),
        "report.share-of-wins": (found.share, lambda value: percent(value, 1)),
        "report.even-luck-wins": (found.even_luck, lambda value: percent(value, 1)),
    }
    for kind, (mean, shown) in means.items():
        if mean is not None:
            error = "" if mean.error is None else word("report.give-or-take", error=shown(mean.error))
            yield StatisticsLine(word(kind), shown(mean.value), error, str(mean.count))


def _rates(found: BookStatistics) -> Iterator[StatisticsLine]:
    book, odds, five = found.book, None if found.perfect is None else found.perfect.odds, found.perfect_five_rate
    if book.bonus is not None:
        ideal = "" if odds is None else percent(odds.upper_bonus)
        yield StatisticsLine(word("report.upper-bonus"), percent(found.bonus_rate), ideal)
    if book.alike_box is not None:
        name = word("report.scored", box=book.boxes[book.alike_box])
        yield StatisticsLine(name, percent(found.five_rate), "" if five is None else percent(five))
    if book.alike is not None and book.alike.pays_extra:
        ideal = "" if odds is None else points(odds.extra_mean, 2)
        yield StatisticsLine(
            word("report.times-per-game", box=book.sheet.label("extra")), points(found.extras, 2), ideal
        )


def _boxes(found: BookStatistics) -> Iterator[StatisticsLine]:
    for box in found.boxes:
        ideal = "" if box.perfect is None else points(box.perfect)
        yield StatisticsLine(
            name_of(found.book.box(box.key)), points(box.mean), ideal, "" if box.lost is None else points(box.lost)
        )


def _step(step: StepLine) -> str:
    if step.roll is None:
        return word("report.choosing-box")
    return word("report.after-roll-on" if step.and_later else "report.after-roll", number=step.roll)


def _accuracy(game: GameFacts) -> str:
    judged = game.judged
    if judged is None or judged.accuracy is None or not judged.fully_noted:
        return ""
    return percent(judged.accuracy / 100, 1)


def _judged_value(name: str, game: GameFacts) -> object:
    return None if game.judged is None else getattr(game.judged, name)


def _lost_in(theme: str, game: GameFacts) -> object:
    return None if game.judged is None else game.judged.by_theme.get(theme, 0.0)


def _win_value(name: str, game: GameFacts) -> object:
    return None if game.judged is None or game.judged.win is None else getattr(game.judged.win, name)


COLUMNS: dict[str, Callable[[GameFacts], object]] = {
    "when": lambda game: game.when,
    "where": lambda game: game.where,
    "game": lambda game: game.number,
    "name": lambda game: game.name,
    "players": lambda game: game.players,
    "won": lambda game: game.won,
    "book": lambda game: game.book.key,
    "total": lambda game: game.total,
    "upper_bonus": lambda game: game.upper_bonus,
    "five_of_a_kind": lambda game: game.five,
    "extras": lambda game: game.extras,
    **{name: partial(_judged_value, name) for name in ("luck", "lost", "accuracy", "final_dice_turns")},
    **{name: partial(_judged_value, name) for name in ("fully_noted", "error_rate")},
    **{f"lost_{theme}": partial(_lost_in, theme) for theme in THEMES},
    **{f"win_{name}": partial(_win_value, name) for name in ("lost", "error_rate", "luck", "share", "even_luck")},
}
_LAST_STEP = "Choosing the box at the end"  # no sentence: a name for programs
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def facts_to_json(game: GameFacts) -> dict[str, Any]:
    """Return a game as a plain dictionary. Values that could not be judged are null."""
    boxes = {box.key: points for box, points in zip(game.book.boxes, game.marks, strict=True)}
    return {name: value_of(game) for name, value_of in COLUMNS.items()} | {"boxes": boxes}


def to_csv(games: Iterable[GameFacts]) -> str:
    """Return one line per game, with a column for each box of any book in it."""
    rows = [facts_to_json(game) for game in games]
    boxes = list(dict.fromkeys(key for row in rows for key in row["boxes"]))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(f"box_{key}" for key in boxes)])
    for row in rows:
        cells = [row[name] for name in COLUMNS] + [row["boxes"].get(key) for key in boxes]
        writer.writerow([_cell(value) for value in cells])
    return out.getvalue()


def _cell(value: object) -> object:
    """Round numbers, and quote names that a spreadsheet would take for a formula."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return round(value, 4)
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def statistics_to_json(books: Iterable[BookStatistics]) -> dict[str, Any]:
    return {"books": [_book_json(each) for each in books]}


def _book_json(each: BookStatistics) -> dict[str, Any]:
    perfect = each.perfect
    return {
        "book": each.book.key,
        "name": each.book.name,
        "fingerprint": each.book.fingerprint,
        "count": len(each.games),
        "judged": len(each.judged),
        "mean": each.mean,
        "sd": each.sd,
        "best": each.best,
        "noted": len(each.noted),
        "accuracy": each.accuracy,
        "accuracy_error": None if each.accuracy_mean is None else each.accuracy_mean.error,
        "error_rate": _mean_json(each.error_rate),
        "win_error_rate": _mean_json(each.win_error_rate),
        "win_lost": _mean_json(each.win_lost),
        "win_share": _mean_json(each.share),
        "win_even_luck": _mean_json(each.even_luck),
        "lost": each.lost,
        "luck": each.luck,
        "bonus_rate": each.bonus_rate,
        "five_rate": each.five_rate,
        "extras": each.extras,
        "perfect": None
        if perfect is None
        else {
            "mean": perfect.odds.mean,
            "sd": perfect.odds.sd,
            "bonus_rate": perfect.odds.upper_bonus,
            "five_rate": each.perfect_five_rate,
            "extras": perfect.odds.extra_mean,
            "source": perfect.source,
        },
        "boxes": [{"box": box.key, "mean": box.mean, "perfect": box.perfect, "lost": box.lost} for box in each.boxes],
        "lost_by_step": [{"step": _step_name(step), "lost": step.lost} for step in each.steps],
        "games": [facts_to_json(game) for game in each.games],
    }


def _mean_json(mean: Mean | None) -> dict[str, Any] | None:
    return None if mean is None else {"mean": mean.value, "error": mean.error, "games": mean.count}


def _step_name(step: StepLine) -> str:
    """Return a name for programs, the same in every language."""
    return _LAST_STEP if step.roll is None else f"After roll {step.roll}"  # no sentence
