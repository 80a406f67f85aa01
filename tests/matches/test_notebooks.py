"""Notebook views of results are well-formed and escaped."""

from xml.etree import ElementTree

import fivedice as fd
from matches.own_bots import Highest


def shown(value: object) -> str:
    """The text of a view, as a browser would have it."""
    view = getattr(value, "_repr_html_", None) or value._repr_svg_  # type: ignore[attr-defined]
    return " ".join(ElementTree.fromstring(f"<div>{view()}</div>").itertext())  # noqa: S314 - our own


def test_results_are_shown_in_a_notebook() -> None:
    class Odd(Highest):
        name = "<b>&"

    advice = fd.solve("crag").advise(fd.read_position("crag - 0 466 1"))
    assert [cell for cell in ("Keep or box", "Value", "Cost", "66") if cell not in shown(advice)] == []
    assert "66" in shown(advice[0])
    assert advice[0].move == fd.Hold("66")
    assert {each.move for each in advice} >= {fd.Mark("sixes"), fd.Hold("-")}
    match = fd.match([Odd, "perfect"], 2, book="crag", seed=1)
    assert all(text in shown(match) for text in ("<b>&", "perfect", "Crag, 2 games", "95%"))
    texts: list[str] = []
    solo = fd.simulate("crag", 20, bot=Highest, seed=1, records=texts)
    assert "mean 92.4" in shown(solo)
    report = fd.report(fd.read_game(texts[0]), win=False)
    assert f"{report.players[0].total}" in shown(report)
    assert "Highest" in shown(report)
    perfect: list[str] = []
    fd.simulate("crag", 1, records=perfect)
    assert shown(fd.report(fd.read_game(perfect[0])))
