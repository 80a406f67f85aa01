"""Statistics for other programs: one line a game as CSV, and all of it as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from fivedice.analysis.statistics import BookStatistics, GameFacts, StepLine


def _judged(name: str, game: GameFacts) -> object:
    return None if game.judged is None else getattr(game.judged, name)


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
    **{name: partial(_judged, name) for name in ("luck", "lost", "accuracy", "final_dice_turns")},
}
_LAST_STEP = "Choosing the box at the end"  # no sentence: a name for programs
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def facts_to_json(game: GameFacts) -> dict[str, Any]:
    """A game as a plain dictionary; what could not be judged is null."""
    boxes = {box.key: points for box, points in zip(game.book.boxes, game.marks, strict=True)}
    return {name: told(game) for name, told in COLUMNS.items()} | {"boxes": boxes}


def to_csv(games: Iterable[GameFacts]) -> str:
    """One line a game, and a column for each box of any book in it."""
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
    """Numbers with a few digits; and no name is ever taken for a formula by the program that opens the file."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return round(value, 4)
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def statistics_to_json(books: Iterable[BookStatistics]) -> dict[str, Any]:
    return {"books": [_book(each) for each in books]}


def _book(each: BookStatistics) -> dict[str, Any]:
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
        "accuracy": each.accuracy,
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
        "lost_by_step": [{"step": _step(step), "lost": step.lost} for step in each.steps],
        "games": [facts_to_json(game) for game in each.games],
    }


def _step(step: StepLine) -> str:
    """A name for programs, the same in every language."""
    return _LAST_STEP if step.roll is None else f"After roll {step.roll}"  # no sentence
