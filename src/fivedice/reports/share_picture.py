"""A game as a picture to share, 1200 by 630, and its report as a document to print."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from fivedice.core.dice import Roll
from fivedice.core.game.card import LineKind, SheetLine, sheet_lines
from fivedice.core.rules import Box, Section
from fivedice.drawing import svg as draw
from fivedice.drawing.paper.pdf import typeset
from fivedice.drawing.theme import PRINT
from fivedice.reports.game_report import PlayerReport, Report, TurnReport
from fivedice.reports.perfect import Perfect
from fivedice.reports.report_json import report_to_json
from fivedice.reports.report_lines import MOMENT, TURN, PlayerLine, ReportLines, headline, heads, report_lines
from fivedice.text import current, name_of, word

WIDTH, HEIGHT = 1200, 630
_EDGE = 48
_LEFT = 500  # the right edge of the words to the left of the sheet
_SHEET = 548, 36, 1164, 594  # left, top, right and bottom of the paper
_BETWEEN = 44  # the halves of the sheet
_LISTED = 5  # other players that are named, with their totals
_DIE, _GAP = 66, 12
_COSTLY = 10  # costly decisions that are printed for each player


def picture_svg(report: Report) -> str:
    """Draw the total, score sheet and best turn of the player with the most points, and list the others."""
    ranked = sorted(report.players, key=lambda player: -player.total)
    title = word("report.title", book=name_of(report.book), headline=headline(report))
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PRINT["accent"]}"/>',
        *_player_part(ranked[0], ranked[1:]),
        *_sheet(ranked[0]),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'{head} role="img" font-family="{draw.FONT}"><title>{escape(title)}</title>{"".join(body)}</svg>'


def picture_png(report: Report) -> bytes:
    """Return the same drawing as PNG."""
    data = {"svg": picture_svg(report), "width": str(WIDTH), "height": str(HEIGHT)}
    found: bytes | list[bytes] = typeset("fivedice.reports", "picture.typ", data, "png", 72)
    return found if isinstance(found, bytes) else found[0]


def _player_part(first: PlayerReport, others: list[PlayerReport]) -> Iterator[str]:
    """Draw the left part: the rules, the name, the total, other players, and the best turn."""
    yield _light(72, name_of(first.card.book), 28, PRINT["area"])
    yield _light(142, first.name, 50)
    yield draw.words(_EDGE - 6, 292, str(first.total), colour=PRINT["on-accent"], size=168)
    for place, other in enumerate(others[:_LISTED]):
        x, y = _EDGE + 230 * (place % 2), 344 + 34 * (place // 2)
        total = word("report.with-total", name=other.name, total=other.total)
        yield draw.fit_text(x, y, total, 210, 25, colour=PRINT["area"])
    best = best_turn(first)
    if best is not None:
        yield _light(480, word("report.best-turn", box=best.box, points=best.points), 28)
        size = min(_DIE, (_LEFT - _EDGE) // len(best.roll) - _GAP)
        for place, face in enumerate(best.roll.faces):
            yield draw.die(_EDGE + place * (size + _GAP), 502, size, face)
    yield draw.words(_EDGE, 612, "fivedice", colour=PRINT["area"], size=20)


def _light(y: int, text: str, size: int, colour: str = PRINT["on-accent"]) -> str:
    return draw.fit_text(_EDGE, y, text, _LEFT - _EDGE, size, colour=colour)


def _sheet(player: PlayerReport) -> Iterator[str]:
    """Draw the score sheet with its sections side by side, or in two halves if it has one section."""
    left, top, right, bottom = _SHEET
    yield draw.draw_rounded(left, top, right - left, bottom - top, 14, PRINT["ground"])
    lines = [line for line in sheet_lines(player.card) if line.kind is not LineKind.HEADING]
    halves = [[line for line in lines if line.section is section] for section in (Section.UPPER, Section.LOWER)]
    if not all(halves):
        halves = [lines[: (len(lines) + 1) // 2], lines[(len(lines) + 1) // 2 :]]
    high = min(56.0, (bottom - top - 24) / max(map(len, halves)))
    wide = (right - left - 40 - _BETWEEN) / 2
    for column, half in enumerate(halves):
        for row, line in enumerate(half):
            yield from _row(line, left + 20 + column * (wide + _BETWEEN), top + 12 + row * high, wide, high)


def _row(line: SheetLine, x: float, y: float, wide: float, high: float) -> Iterator[str]:
    size = min(24.0, 0.5 * high)
    base = round(y + 0.5 * high + 0.34 * size)
    if line.kind is not LineKind.BOX:
        shade = PRINT["area" if line.kind is LineKind.GRAND else "band"]
        yield draw.draw_rounded(x - 10, y + 2, wide + 20, high - 4, 6, shade)
    yield draw.fit_text(x, base, name_of(line), wide - 64, size)
    if line.value is not None:
        faint = line.kind is LineKind.BOX and not line.value
        yield draw.words(x + wide, base, str(line.value), "end", colour=draw.FAINT if faint else draw.INK, size=size)


def report_pdf(report: Report, perfect: Perfect | None) -> bytes:
    """Return the whole report as PDF: sums, costliest decisions, charts, and every turn."""
    model = json.dumps(_model(report_lines(report, perfect, most_costly=_COSTLY)), ensure_ascii=False)
    pdf: bytes = typeset("fivedice.reports", "game_report.typ", {"model": model}, "pdf")
    return pdf


def report_file(kind: str, report: Report, perfect: Perfect | None) -> bytes:
    """Return the report as a file: json, svg, png or pdf. The svg and png are the picture to share."""
    if kind == "pdf":
        return report_pdf(report, perfect)
    if kind == "json":
        return (json.dumps(report_to_json(report, perfect), ensure_ascii=False, indent=2) + "\n").encode()
    return picture_png(report) if kind == "png" else picture_svg(report).encode()


def _model(lines: ReportLines) -> dict[str, Any]:
    """Return all texts for printing, including the heads of the tables."""
    return {
        "language": current(),
        "document": word("report.paper-title", book=lines.book),
        "title": lines.title,
        "note": " ".join(filter(None, [lines.judged, lines.note])),
        "costliest": {"title": word("report.costliest"), "rows": [moment.cells for moment in lines.costliest]},
        "heads": {
            "costliest": heads("player", *MOMENT[lines.judged_by]),
            "player": heads(*MOMENT[lines.judged_by]),
            "turns": heads(*TURN[lines.judged_by]),
        },
        "own": {"costliest": word("report.lost-most"), "turns": word("report.turns")},
        "charts": [{"title": chart.title, "about": chart.about, "svg": chart.svg} for chart in lines.charts],
        "players": [_player(player) for player in lines.players],
    }


def _player(player: PlayerLine) -> dict[str, Any]:
    return {
        "name": player.name,
        "total": str(player.total),
        "identity": player.identity,
        "summary": player.summary,
        "lines": list(filter(None, [player.win_words, player.errors])),
        "costliest": [moment.cells[1:] for moment in player.costliest],
        "turns": [turn.cells for turn in player.turns],
    }


@dataclass(frozen=True, slots=True)
class BestTurn:
    """A turn with its final dice, its box, and its points."""

    roll: Roll
    box: Box
    points: int  # in the box, and bonuses


def best_turn(player: PlayerReport) -> BestTurn | None:
    """Return the turn with the most points; of several, one with all dice the same, then the first.

    Return None if nothing has been scored.
    """
    scored = [turn for turn in player.turns if turn.box is not None and _scored_in(turn)]
    if not scored:
        return None
    best = max(scored, key=lambda turn: (_scored_in(turn), turn.falls[-1].roll.alike is not None))
    return BestTurn(best.falls[-1].roll, player.card.book.box(best.box or ""), _scored_in(best))


def _scored_in(turn: TurnReport) -> int:
    return (turn.points or 0) + turn.extra
