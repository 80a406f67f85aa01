"""A chart of the final totals: how likely each is, with the middle half of all games highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fivedice.drawing import svg as draw
from fivedice.drawing.svg import Chart, Scale
from fivedice.message import Chance, message

if TYPE_CHECKING:
    from fivedice.solver.odds import Odds

WIDTH, HEIGHT = 360, 200
_LEFT, _RIGHT, _TOP, _FLOOR = 12, 348, 24, 160
_BARS = 60
_RARE = 0.001  # rarer totals on either side would only be a flat line
_QUARTER = 0.25


def odds_chart(odds: Odds) -> Chart:
    """Draw bars that each stand for the same number of totals."""
    marks = draw.ticks(odds.quantile(_RARE), max(odds.quantile(1 - _RARE), odds.quantile(_RARE) + 1), 6)
    step = max(1, (marks[-1] - marks[0]) // _BARS)
    groups = [(first, _share(odds, first, step)) for first in range(marks[0], marks[-1] + 1, step)]
    across, up = (
        Scale(marks[0], marks[-1] + step, _LEFT, _RIGHT),
        Scale(0, max(each for _, each in groups), _FLOOR, _TOP),
    )
    low, high = odds.quantile(_QUARTER), odds.quantile(1 - _QUARTER)
    wide = across(step) - across(0) - 0.6
    bars = [
        draw.rect(across(at), up(each), wide, _FLOOR - up(each), *_look(low <= at + step - 1 and at <= high))
        for at, each in groups
    ]
    mean = across(odds.mean)
    axis = [draw.words(across(mark), _FLOOR + 16, str(mark), "middle") for mark in marks]
    axis += [
        draw.line(_LEFT, _FLOOR, _RIGHT, _FLOOR, "axis", draw.FAINT),
        draw.line(mean, 16, mean, _FLOOR, "mean", draw.INK, "5 3"),
    ]
    label = min(max(mean, _LEFT + 30), _RIGHT - 30)
    axis.append(draw.words(label, 12, str(message("solver.odds-mean", mean=round(odds.mean, 1))), "middle"))
    axis.append(draw.words(_RIGHT, HEIGHT - 6, str(message("solver.odds-axis")), "end", "faint", draw.FAINT))
    about = message("solver.odds-about", mean=round(odds.mean, 1), sd=round(odds.sd, 1), low=low, high=high)
    return Chart(
        "odds",
        str(message("solver.odds-title")),
        str(about),
        WIDTH,
        HEIGHT,
        draw.draw_rounded(0, 0, WIDTH, HEIGHT, 8, draw.GROUND) + "".join([*bars, *axis]),
        (str(message("solver.odds-axis")), str(message("solver.odds-chance"))),
        tuple((_range(at, step), str(message("solver.odds-share", chance=Chance(each)))) for at, each in groups),
    )


def _share(odds: Odds, first: int, step: int) -> float:
    return sum(odds.pmf.get(total, 0.0) for total in range(first, first + step))


def _look(middle: bool) -> tuple[str, str]:
    return ("bar strong", draw.STRONG) if middle else ("bar", draw.BAR)


def _range(first: int, step: int) -> str:
    return str(first) if step == 1 else f"{first}\N{EN DASH}{first + step - 1}"
