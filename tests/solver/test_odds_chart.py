"""Odds as a chart and in a line."""

from xml.etree import ElementTree as ET

import pytest

import fivedice as fd
from fivedice.solver.odds import Odds
from for_each import for_each

SVG = "{http://www.w3.org/2000/svg}"


def odds(pmf: dict[int, float]) -> Odds:
    return Odds(pmf, 0.5, {}, 0.0)


@for_each("pmf", [{0: 1.0}, {250: 1.0}, {200: 0.5, 201: 0.5}, dict.fromkeys(range(100, 500), 1 / 400)])
def test_bars_stand_on_the_floor_inside_the_picture(pmf: dict[int, float]) -> None:
    chart = odds(pmf).plot()
    drawn = ET.fromstring(chart.svg)  # noqa: S314 - our own
    bars = [rect for rect in drawn.iter(f"{SVG}rect") if rect.get("class", "").startswith("bar")]
    assert bars
    for bar in bars:
        x, y, width, height = (float(bar.get(name, "")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + width <= chart.width
        assert y + height == pytest.approx(160)
    assert max(float(bar.get("height", "")) for bar in bars) == pytest.approx(136)


def test_charts_show_the_odds(solved) -> None:
    found = odds(dict.fromkeys(range(100, 500), 1 / 400))
    chart = found.plot()
    assert chart.about == "Mean 299.5, standard deviation 115.5. Half of all games end with 199 to 399."
    assert "mean 299.5" in found._repr_svg_()
    assert repr(found) == "<Odds of totals 100 to 499: mean 299.50, sd 115.47>"
    assert [row[0] for row in chart.rows][:2] == ["100\N{EN DASH}105", "106\N{EN DASH}111"]
    assert odds({7: 1.0}).plot().rows[0] == ("7", "100%")
    solution = solved("yahtzee")
    card = fd.Scorecard.of(solution.book, dict.fromkeys([*solution.book.index][:11], 0))
    found = solution.odds(card)
    assert len(repr(found)) < 200
    assert ET.fromstring(found._repr_svg_()).find(f"{SVG}title") is not None  # noqa: S314
