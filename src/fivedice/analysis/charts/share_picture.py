"""A report as one picture to share, 1200 by 630, and as a document to print."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from fivedice.analysis.charts import drawing as draw, report_charts as charts
from fivedice.analysis.perfect import Perfect
from fivedice.analysis.report import Moment, PlayerReport, Report, TurnReport
from fivedice.analysis.report_words import (
    accuracy_words,
    best_words,
    better_words,
    final_dice_words,
    headline,
    identity_words,
    move_words,
    points,
    rolls_words,
)
from fivedice.paper.typesetter import typeset
from fivedice.tokens import PRINT

WIDTH, HEIGHT = 1200, 630
_LISTED = 6  # players that find room beside the charts
_WITH_MOMENTS = 2  # players, with room left for moments
_COSTLY = 10  # moments that are printed for each player


def picture_svg(report: Report, perfect: Perfect | None) -> str:
    """The picture as a drawing."""
    drawn = charts.charts(report, perfect)
    title = f"{report.book.name}: {headline(report)}"
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PRINT["ground"]}"/>',
        draw.rect(0, 0, WIDTH, 84, "band", PRINT["accent"]),
        draw.words(40, 56, draw.shortened(title, 62), colour=PRINT["on-accent"], size=36),
        *_people(report, perfect),
        draw.words(600, 122, "Expected total, turn by turn", size=22),
        drawn[0].placed(600, 130, 560, 250),
        draw.words(600, 412, drawn[1].title, size=22),
        drawn[1].placed(600, 418, 560, 200),
        draw.words(40, 616, "fivedice", colour=draw.FAINT, size=20),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'{head} role="img" font-family="{draw.FONT}"><title>{escape(title)}</title>{"".join(body)}</svg>'


def picture_png(report: Report, perfect: Perfect | None) -> bytes:
    """The same drawing as PNG."""
    data = {"svg": picture_svg(report, perfect), "width": str(WIDTH), "height": str(HEIGHT)}
    found: bytes | list[bytes] = typeset("fivedice.analysis.charts", "picture.typ", data, "png", 72)
    return found if isinstance(found, bytes) else found[0]


def report_pdf(report: Report, perfect: Perfect | None) -> bytes:
    """The whole report on paper: sums, costliest moments, charts, and every turn."""
    model = json.dumps(_model(report, perfect), ensure_ascii=False)
    pdf: bytes = typeset("fivedice.analysis.charts", "report.typ", {"model": model}, "pdf")
    return pdf


def _people(report: Report, perfect: Perfect | None) -> list[str]:
    shown = sorted(report.players, key=lambda player: -player.total)[:_LISTED]
    high = min(130, 480 // len(shown))
    parts = []
    for place, player in enumerate(shown):
        top = 130 + high * place
        parts.append(draw.words(40, top, draw.shortened(player.name, 22), size=32))
        parts.append(draw.words(560, top, str(player.total), "end", size=36))
        told = f"accuracy {accuracy_words(player)}, luck {points(player.luck)}, mistakes {points(-player.lost)}"
        parts.append(draw.words(40, top + 30, told, colour=draw.FAINT, size=22))
        if perfect is not None and report.finished and high >= 90:
            parts.append(draw.words(40, top + 58, better_words(player, perfect), colour=draw.FAINT, size=22))
    return parts + (_costly(report, 126 + high * len(shown)) if len(shown) <= _WITH_MOMENTS else [])


def _costly(report: Report, top: int) -> list[str]:
    """Where few play there is room to say what cost most."""
    moments = report.costliest()
    parts = [draw.words(40, top, "What cost most", size=22)] if moments else []
    for place, moment in enumerate(moments):
        told = f"Turn {moment.turn}: {moment.decision.roll}, {move_words(moment.decision.move, report.book)}"
        parts.append(draw.words(40, top + 34 + 60 * place, f"{points(-moment.decision.loss)}  {told}", size=22))
        better = f"better: {best_words(moment.decision, report.book)}"
        parts.append(draw.words(104, top + 60 + 60 * place, better, colour=draw.FAINT, size=20))
    return parts


def _model(report: Report, perfect: Perfect | None) -> dict[str, Any]:
    return {
        "book": report.book.name,
        "headline": headline(report),
        "note": final_dice_words(report) or "",
        "costliest": [_moment_row(moment, report) for moment in report.costliest()],
        "charts": [_chart(chart) for chart in charts.charts(report, perfect)],
        "players": [_player(player, report, perfect) for player in report.players],
    }


def _chart(chart: draw.Chart) -> dict[str, str]:
    return {"title": chart.title, "about": chart.about, "svg": chart.svg}


def _player(player: PlayerReport, report: Report, perfect: Perfect | None) -> dict[str, Any]:
    place = better_words(player, perfect) if perfect is not None and report.finished else ""
    return {
        "name": player.name,
        "total": player.total,
        "identity": identity_words(player),
        "accuracy": accuracy_words(player),
        "best": f"{player.best_decisions} of {player.decisions}",
        "better": place,
        "costliest": [_moment_row(moment, report)[1:] for moment in report.costliest(_COSTLY, player.seat)],
        "turns": [_turn_row(turn, report) for turn in player.turns],
    }


def _moment_row(moment: Moment, report: Report) -> list[str]:
    decision, book = moment.decision, report.book
    return [
        report.players[moment.seat].name,
        str(moment.turn),
        f"{decision.roll}, {rolls_words(decision.rolls_left)}",
        move_words(decision.move, book),
        best_words(decision, book),
        f"{decision.loss:.1f}",
    ]


def _turn_row(turn: TurnReport, report: Report) -> list[str]:
    throws = ", ".join(f"{fall.roll} ({points(fall.luck)})" for fall in turn.falls)
    box = "" if turn.box is None else f"{report.book.box(turn.box).name} {turn.points}"
    extra = f" + {turn.extra}" if turn.extra else ""
    return [str(turn.number), throws, box + extra, points(turn.luck), points(-turn.lost), f"{turn.end:.1f}"]
