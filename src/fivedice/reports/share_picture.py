"""A game as a picture to share, 1200 by 630, and its report as a document to print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fivedice.core.dice import Roll
from fivedice.core.game import Game, LineKind, Mark, Scorecard, SheetLine, Throw, sheet_lines
from fivedice.core.rules import Box, Section
from fivedice.drawing import svg as draw
from fivedice.drawing.paper import typeset
from fivedice.drawing.theme import PAGE, SANS, pip_inks
from fivedice.reports.game_report import Report
from fivedice.reports.perfect import Perfect
from fivedice.reports.report_json import report_to_json
from fivedice.reports.report_lines import MOMENT, TURN, PlayerLine, ReportLines, heads, report_lines
from fivedice.text import current, name_of, word

WIDTH, HEIGHT = 1200, 630
_EDGE = 48
_LEFT = 500  # the right edge of the words to the left of the sheet
_SHEET = 548, 36, 1164, 594  # left, top, right and bottom of the paper
_BETWEEN = 44  # the halves of the sheet
_LISTED = 5  # other players that are named, with their totals
_NAME = 15  # letters of a name before its total
_DIE, _GAP = 72, 12
_LETTER = 0.56  # the average width of a letter in the wider of these fonts
_COSTLY = 10  # costly decisions that are printed for each player
_FELT, _DEEP, _CREAM, _PALE, _PAPER = (
    PAGE[name].light for name in ("felt", "felt-deep", "on-felt", "on-felt-faint", "paper")
)
# The typeface of the pages, and what machines without it have.
_FONT = f"{SANS.replace(chr(34), '').removesuffix(', sans-serif')}, DejaVu Sans, Liberation Sans, Arial, sans-serif"
# Light from above, as at the table.
_LIGHT = (
    f'<defs><radialGradient id="felt" cx=".3" cy="0" r="1.2"><stop stop-color="{_FELT}"/>'
    f'<stop offset="1" stop-color="{_DEEP}"/></radialGradient><linearGradient id="ivory" x2=".5" y2="1">'
    f'<stop stop-color="{PAGE["ivory-light"].light}"/><stop offset=".55" stop-color="{draw.IVORY}"/>'
    f'<stop offset="1" stop-color="{draw.EDGE}"/></linearGradient></defs>'
)


def picture_svg(game: Game) -> str:
    """Draw the total, score sheet and best turn of the player with the most points, and list the others."""
    cards = game.position.cards
    first, *others = sorted(range(len(cards)), key=lambda seat: -cards[seat].total)
    names = {seat: draw.shorten(game.players[seat], _NAME) for seat in (first, *others)}
    totals = [word("report.with-total", name=names[seat], total=cards[seat].total) for seat in names]
    title = word("report.title", book=name_of(game.book), headline=totals[0])
    body = [
        _LIGHT,
        draw.rect(0, 0, WIDTH, HEIGHT, "felt", "url(#felt)"),
        *_player_part(game, first, totals[1:]),
        *_sheet(cards[first]),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'{head} role="img" font-family="{_FONT}"><title>{escape(title)}</title>{"".join(body)}</svg>'


def result_svg(day: str, book: str, lost: str, grades: Sequence[int]) -> str:
    """Draw the result of a day without its dice: the points lost, and a square per turn by the size of its loss."""
    size = min(84, (WIDTH - 2 * _EDGE) // max(1, len(grades)) - _GAP)
    squares = [
        draw.draw_rounded(_EDGE + place * (size + _GAP), 400, size, size, 0.16 * size, PAGE[f"loss-{grade}"].light)
        for place, grade in enumerate(grades)
    ]
    body = [
        _LIGHT,
        draw.rect(0, 0, WIDTH, HEIGHT, "felt", "url(#felt)"),
        _light(110, book, 40, _PALE),
        _bold(draw.words(_EDGE, 190, day, colour=_CREAM, size=64)),
        _bold(draw.fit_text(_EDGE, 330, lost, WIDTH - 2 * _EDGE, 92, colour=_CREAM, letter=_LETTER)),
        *squares,
        draw.words(_EDGE, 590, "fivedice", colour=_PALE, size=24),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'{head} role="img" font-family="{_FONT}"><title>{escape(f"{day} {lost}")}</title>{"".join(body)}</svg>'


def picture_png(game: Game) -> bytes:
    """Return the same drawing as PNG."""
    data = {"svg": picture_svg(game), "width": str(WIDTH), "height": str(HEIGHT)}
    found: bytes | list[bytes] = typeset("fivedice.reports", "picture.typ", data, "png", 72, system_fonts=True)
    return found if isinstance(found, bytes) else found[0]


def _player_part(game: Game, seat: int, others: list[str]) -> Iterator[str]:
    """Draw the left part: the rules, the name, the total, other players, and the best turn."""
    yield _light(78, name_of(game.book), 27, _PALE)
    yield _bold(_light(146, game.players[seat], 50))
    total = draw.words(_EDGE - 6, 296, str(game.position.cards[seat].total), colour=_CREAM, size=160)
    yield _bold(total)
    for place, other in enumerate(others[:_LISTED]):
        x, y = _EDGE + 230 * (place % 2), 346 + 34 * (place // 2)
        yield draw.fit_text(x, y, other, 210, 25, colour=_PALE, letter=_LETTER)
    best = best_turn(game, seat)
    if best is not None:
        yield _light(474, word("report.best-turn", box=best.box, points=best.points), 27)
        inks = pip_inks(game.book)
        size = min(_DIE, (_LEFT - _EDGE) // len(best.roll) - _GAP)
        for place, face in enumerate(best.roll.faces):
            x = _EDGE + place * (size + _GAP)
            yield draw.draw_rounded(x, 498 + 5, size, size, 0.2 * size, _DEEP)
            yield draw.die(x, 498, size, face, "url(#ivory)", inks)
    yield draw.words(_EDGE, 610, "fivedice", colour=_PALE, size=20)


def _light(y: int, text: str, size: int, colour: str = _CREAM) -> str:
    return draw.fit_text(_EDGE, y, text, _LEFT - _EDGE, size, colour=colour, letter=_LETTER)


def _bold(drawn: str) -> str:
    return f'<g font-weight="700">{drawn}</g>'


def _sheet(card: Scorecard) -> Iterator[str]:
    """Draw the score sheet with its sections side by side, or in two halves if it has one section."""
    left, top, right, bottom = _SHEET
    yield draw.draw_rounded(left, top + 4, right - left, bottom - top, 18, _DEEP)
    yield draw.draw_rounded(left, top, right - left, bottom - top, 18, _PAPER)
    lines = [line for line in sheet_lines(card) if line.kind is not LineKind.HEADING]
    halves = [[line for line in lines if line.section is section] for section in (Section.UPPER, Section.LOWER)]
    if not all(halves):
        halves = [lines[: (len(lines) + 1) // 2], lines[(len(lines) + 1) // 2 :]]
    high = min(56.0, (bottom - top - 24) / max(map(len, halves)))
    wide = (right - left - 40 - _BETWEEN) / 2
    for column, half in enumerate(halves):
        for row, line in enumerate(half):
            yield from _row(line, left + 20 + column * (wide + _BETWEEN), top + 12 + row * high, wide, high)


def _row(line: SheetLine, x: float, y: float, wide: float, high: float) -> Iterator[str]:
    size = min(22.0, 0.46 * high)
    base = round(y + 0.5 * high + 0.34 * size)
    if line.kind is LineKind.BOX:
        yield draw.line(x - 10, y + high, x + wide + 10, y + high, colour=PAGE["line"].light)
    else:
        shade = PAGE["accent-wash" if line.kind is LineKind.GRAND else "total"].light
        yield draw.draw_rounded(x - 10, y + 2, wide + 20, high - 4, 6, shade)
    yield draw.fit_text(x, base, name_of(line), wide - 58, size, letter=_LETTER)
    if line.value is not None:
        faint = line.kind is LineKind.BOX and not line.value
        colour = draw.FAINT if faint else draw.INK
        yield _bold(draw.words(x + wide, base, str(line.value), "end", colour=colour, size=size))


def report_pdf(report: Report, perfect: Perfect | None) -> bytes:
    """Return the whole report as PDF: sums, costliest decisions, charts, and every turn."""
    model = json.dumps(_model(report_lines(report, perfect, most_costly=_COSTLY)), ensure_ascii=False)
    pdf: bytes = typeset("fivedice.reports", "game_report.typ", {"model": model}, "pdf")
    return pdf


def report_file(kind: str, report: Report, perfect: Perfect | None) -> bytes:
    """Return the report as a file: json or pdf."""
    if kind == "pdf":
        return report_pdf(report, perfect)
    return (json.dumps(report_to_json(report, perfect), ensure_ascii=False, indent=2) + "\n").encode()


def picture_file(kind: str, game: Game) -> bytes:
    """Return the picture to share as a file: svg or png. It needs no solution."""
    return picture_png(game) if kind == "png" else picture_svg(game).encode()


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


def best_turn(game: Game, seat: int) -> BestTurn | None:
    """Return the turn with the most points; of several, one with all dice the same, then the first.

    Return None if nothing has been scored. A turn without its dice does not count.
    """
    found = [turn for turn in _scored_turns(game, seat) if turn.points]
    return max(found, key=lambda turn: (turn.points, turn.roll.alike is not None), default=None)


def _scored_turns(game: Game, seat: int) -> Iterator[BestTurn]:
    known = True
    for step in game.steps:
        known = step.move.told if isinstance(step.move, Throw) else known
        if known and isinstance(step.move, Mark) and step.before.seat == seat:
            before, after, key = step.before.card, step.after.cards[seat], step.move.box
            points = (after.held(key) or 0) + after.extra_total - before.extra_total
            yield BestTurn(Roll(step.before.dice.faces), game.book.box(key), points)
