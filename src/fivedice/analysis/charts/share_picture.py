"""A game as one picture to share, 1200 by 630: what one is proud of. And the report as a document to print."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from fivedice import drawing as draw
from fivedice.analysis.game_report import PlayerReport, Report, TurnReport
from fivedice.analysis.perfect import Perfect
from fivedice.analysis.report_json import report_to_json
from fivedice.analysis.report_lines import MOMENT, TURN, PlayerLine, ReportLines, headline, heads, report_lines
from fivedice.dice import Roll
from fivedice.game.card import LineKind, SheetLine, sheet_lines
from fivedice.paper.pdf import typeset
from fivedice.rules import Box, Section
from fivedice.tokens import PRINT
from fivedice.words import current, name_of, word

WIDTH, HEIGHT = 1200, 630
_EDGE = 48
_LEFT = 500  # how far the words beside the sheet may go
_SHEET = 548, 36, 1164, 594  # left, top, right and bottom of the paper
_BETWEEN = 44  # the halves of the sheet
_LISTED = 5  # others that are named, with their totals
_DIE, _GAP = 66, 12
_COSTLY = 10  # moments that are printed for each player


def picture_svg(report: Report) -> str:
    """The picture as a drawing: the total, the sheet and the best turn of whoever scored most, and who else played."""
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
    """The same drawing as PNG."""
    data = {"svg": picture_svg(report), "width": str(WIDTH), "height": str(HEIGHT)}
    found: bytes | list[bytes] = typeset("fivedice.analysis.charts", "picture.typ", data, "png", 72)
    return found if isinstance(found, bytes) else found[0]


def _player_part(first: PlayerReport, others: list[PlayerReport]) -> Iterator[str]:
    """On the felt: the rules, a name, a large number, and the turn that one is proud of."""
    yield _light(72, name_of(first.card.book), 28, PRINT["area"])
    yield _light(142, first.name, 50)
    yield draw.words(_EDGE - 6, 292, str(first.total), colour=PRINT["on-accent"], size=168)
    for place, other in enumerate(others[:_LISTED]):
        x, y = _EDGE + 230 * (place % 2), 344 + 34 * (place // 2)
        total = word("report.with-total", name=other.name, total=other.total)
        yield draw.fitted(x, y, total, 210, 25, colour=PRINT["area"])
    best = best_turn(first)
    if best is not None:
        yield _light(480, word("report.best-turn", box=best.box, points=best.points), 28)
        size = min(_DIE, (_LEFT - _EDGE) // len(best.roll) - _GAP)
        for place, face in enumerate(best.roll.faces):
            yield draw.die(_EDGE + place * (size + _GAP), 502, size, face)
    yield draw.words(_EDGE, 612, "fivedice", colour=PRINT["area"], size=20)


def _light(y: int, text: str, size: int, colour: str = PRINT["on-accent"]) -> str:
    return draw.fitted(_EDGE, y, text, _LEFT - _EDGE, size, colour=colour)


def _sheet(player: PlayerReport) -> Iterator[str]:
    """The sheet as paper, its sections side by side; where there is one section, its first half and the rest."""
    left, top, right, bottom = _SHEET
    yield draw.rounded(left, top, right - left, bottom - top, 14, PRINT["ground"])
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
        yield draw.rounded(x - 10, y + 2, wide + 20, high - 4, 6, shade)
    yield draw.fitted(x, base, name_of(line), wide - 64, size)
    if line.value is not None:
        faint = line.kind is LineKind.BOX and not line.value
        yield draw.words(x + wide, base, str(line.value), "end", colour=draw.FAINT if faint else draw.INK, size=size)


def report_pdf(report: Report, perfect: Perfect | None) -> bytes:
    """The whole report on paper: sums, costliest moments, charts, and every turn."""
    model = json.dumps(_model(report_lines(report, perfect, most_costly=_COSTLY)), ensure_ascii=False)
    pdf: bytes = typeset("fivedice.analysis.charts", "game_report.typ", {"model": model}, "pdf")
    return pdf


def report_file(kind: str, report: Report, perfect: Perfect | None) -> bytes:
    """The report as a file: json, svg, png or pdf. The pictures show what one is proud of."""
    if kind == "pdf":
        return report_pdf(report, perfect)
    if kind == "json":
        return (json.dumps(report_to_json(report, perfect), ensure_ascii=False, indent=2) + "\n").encode()
    return picture_png(report) if kind == "png" else picture_svg(report).encode()


def _model(told: ReportLines) -> dict[str, Any]:
    """Everything that is printed, the heads of its tables among it."""
    return {
        "language": current(),
        "document": word("report.paper-title", book=told.book),
        "title": told.title,
        "note": " ".join(filter(None, [told.judged, told.note])),
        "costliest": {"title": word("report.costliest"), "rows": [moment.cells for moment in told.costliest]},
        "heads": {
            "costliest": heads("player", *MOMENT[told.judged_by]),
            "player": heads(*MOMENT[told.judged_by]),
            "turns": heads(*TURN[told.judged_by]),
        },
        "own": {"costliest": word("report.lost-most"), "turns": word("report.turns")},
        "charts": [{"title": chart.title, "about": chart.about, "svg": chart.svg} for chart in told.charts],
        "players": [_player(player) for player in told.players],
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
    """A turn with its final dice, its box, and all that it scored."""

    roll: Roll
    box: Box
    points: int  # in the box and beside it


def best_turn(player: PlayerReport) -> BestTurn | None:
    """The most points in one turn; of several, all dice the same before others, then the first.

    None where nothing has been scored.
    """
    scored = [turn for turn in player.turns if turn.box is not None and _scored_in(turn)]
    if not scored:
        return None
    best = max(scored, key=lambda turn: (_scored_in(turn), turn.falls[-1].roll.alike is not None))
    return BestTurn(best.falls[-1].roll, player.card.book.box(best.box or ""), _scored_in(best))


def _scored_in(turn: TurnReport) -> int:
    return (turn.points or 0) + turn.extra
