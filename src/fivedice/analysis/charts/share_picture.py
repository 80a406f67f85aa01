"""A report as one picture to share, 1200 by 630, and as a document to print."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from fivedice.analysis.charts import drawing as draw
from fivedice.analysis.report_lines import MomentLine, PlayerLine, ReportLines, TurnLine, report_lines
from fivedice.paper.pdf import typeset
from fivedice.tokens import PRINT
from fivedice.words import current, word

if TYPE_CHECKING:
    from fivedice.analysis.game_report import Report
    from fivedice.analysis.perfect import Perfect

WIDTH, HEIGHT = 1200, 630
_MIDDLE = 560  # where the players end and the charts begin
_LISTED = 6  # players that find room beside the charts
_WITH_MOMENTS = 2  # players, with room left for moments
_COSTLY = 10  # moments that are printed for each player


def picture_svg(report: Report, perfect: Perfect | None) -> str:
    """The picture as a drawing."""
    told = report_lines(report, perfect)
    course, second = told.charts[:2]
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PRINT["ground"]}"/>',
        draw.rect(0, 0, WIDTH, 84, "band", PRINT["accent"]),
        draw.fitted(40, 56, told.title, WIDTH - 80, 36, colour=PRINT["on-accent"]),
        *_people(told),
        draw.fitted(600, 122, course.title, _MIDDLE, 22),
        course.placed(600, 130, _MIDDLE, 250),
        draw.fitted(600, 412, second.title, _MIDDLE, 22),
        second.placed(600, 418, _MIDDLE, 200),
        draw.words(40, 616, "fivedice", colour=draw.FAINT, size=20),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'{head} role="img" font-family="{draw.FONT}"><title>{escape(told.title)}</title>{"".join(body)}</svg>'


def picture_png(report: Report, perfect: Perfect | None) -> bytes:
    """The same drawing as PNG."""
    data = {"svg": picture_svg(report, perfect), "width": str(WIDTH), "height": str(HEIGHT)}
    found: bytes | list[bytes] = typeset("fivedice.analysis.charts", "picture.typ", data, "png", 72)
    return found if isinstance(found, bytes) else found[0]


def report_pdf(report: Report, perfect: Perfect | None) -> bytes:
    """The whole report on paper: sums, costliest moments, charts, and every turn."""
    model = json.dumps(_model(report_lines(report, perfect, most_costly=_COSTLY)), ensure_ascii=False)
    pdf: bytes = typeset("fivedice.analysis.charts", "game_report.typ", {"model": model}, "pdf")
    return pdf


def _people(told: ReportLines) -> list[str]:
    listed = sorted(told.players, key=lambda player: -player.total)[:_LISTED]
    high = min(130, 480 // len(listed))
    parts = []
    for place, player in enumerate(listed):
        top = 130 + high * place
        parts.append(draw.fitted(40, top, player.name, 400, 32))
        parts.append(draw.words(_MIDDLE, top, str(player.total), "end", size=36))
        line = word("report.accuracy-line", accuracy=player.accuracy, luck=player.luck, lost=player.lost)
        parts.append(_small(40, top + 30, line))
        if player.better is not None and high >= 90:
            parts.append(_small(40, top + 58, player.better))
    return parts + (_costly(told, 126 + high * len(listed)) if len(listed) <= _WITH_MOMENTS else [])


def _costly(told: ReportLines, top: int) -> list[str]:
    """Where few play there is room to say what cost most."""
    parts = [draw.fitted(40, top, word("report.lost-most"), _MIDDLE - 40, 22)] if told.costliest else []
    for place, moment in enumerate(told.costliest):
        line = word("report.moment-line", lost=moment.lost, turn=moment.turn, dice=moment.roll, did=moment.did)
        parts.append(draw.fitted(40, top + 34 + 60 * place, line, _MIDDLE - 40, 22))
        parts.append(_small(104, top + 60 + 60 * place, word("report.moment-better", better=moment.better), 20))
    return parts


def _small(x: int, y: int, text: str, size: int = 22) -> str:
    return draw.fitted(x, y, text, _MIDDLE - x, size, colour=draw.FAINT)


def _model(told: ReportLines) -> dict[str, Any]:
    """Everything that is printed, the heads of its tables among it."""
    return {
        "language": current(),
        "document": word("report.paper-title", book=told.book),
        "title": told.title,
        "note": told.note or "",
        "costliest": {"title": word("report.costliest"), "rows": [_moment(moment) for moment in told.costliest]},
        "heads": {
            "costliest": [word(f"report.{head}") for head in ("player", *_MOMENT)],
            "player": [word(f"report.{head}") for head in _MOMENT],
            "turns": [word(f"report.{head}") for head in ("turn", "rolls", "box", "luck", "lost", "expected")],
        },
        "own": {"costliest": word("report.lost-most"), "turns": word("report.turns")},
        "charts": [{"title": chart.title, "about": chart.about, "svg": chart.svg} for chart in told.charts],
        "players": [_player(player) for player in told.players],
    }


_MOMENT = ("turn", "dice", "did", "better-head", "lost")


def _player(player: PlayerLine) -> dict[str, Any]:
    return {
        "name": player.name,
        "total": str(player.total),
        "identity": player.identity,
        "summary": player.summary,
        "costliest": [_moment(moment)[1:] for moment in player.costliest],
        "turns": [_turn(turn) for turn in player.turns],
    }


def _moment(moment: MomentLine) -> list[str]:
    return [moment.player, str(moment.turn), moment.dice_and_left, moment.did, moment.better, moment.lost]


def _turn(turn: TurnLine) -> list[str]:
    throws = ", ".join(map(str, turn.throws))
    return [str(turn.number), throws, turn.box, turn.luck, turn.lost, turn.expected]
