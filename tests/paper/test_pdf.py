"""The PDF read back: everything is on the page and legible."""

import io
import re
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from pypdf import PdfReader

import fivedice as fd
from fivedice.drawing.paper import (
    Block,
    Row,
    SheetModel,
    _typesetter,
    render_pdf,
    render_pictures,
    scorecard_pdf,
    sheet_model,
)
from fivedice.drawing.theme import INKS
from fivedice.errors import PaperError
from long import few
from paper.sheets import Printed, assert_on_paper, play_sheet, text_of
from rules.houses import CHANCE, box, load


def words_of(model: SheetModel) -> list[str]:
    """The line that each row must give, from its label to its last field."""
    rows = [row for leaf in model.leaves for block in leaf.blocks for row in block.rows]
    lines = []
    for row in rows:
        cells = [cell.text for cell in row.cells]
        lines.append(" ".join(filter(None, [row.label, row.how, row.minimum, *cells])))
    return lines


def test_every_line_winner_and_heading_is_printed() -> None:
    """`make test` sets a few of the books, in either size."""
    for key, large in few([(key, large) for large in (False, True) for key in fd.SHIPPED], 3):
        filled = [play_sheet(key, ["Ann", "Bob", "Cleo"], seed=3)]
        for model in (sheet_model(key, large=large), sheet_model(key, played=filled, large=large)):
            printed = Printed(render_pdf(model))
            assert len(printed.pages) == len(model.leaves) * (2 if large else 1), (key, large)
            assert all(page.startswith(model.title) for page in printed.pages), (key, large)
            for line in words_of(model):
                assert line in printed.text, (key, large)
            assert model.hint in printed.text, (key, large)
            assert_on_paper(printed, smallest=18 if large else 7.5)
    game = play_sheet("yahtzee", ["Ann", "Bob", "Cleo"], seed=3)
    assert "Bob winner" in text_of(scorecard_pdf("yahtzee", played=[game]))
    assert "Game 1 Game 2 Game 3" in text_of(scorecard_pdf("yahtzee", games=3))


def test_large_print_does_not_overlap() -> None:
    """Letters go about a fifth of their size below their line; a bold "winner" is 58 points wide."""
    model = sheet_model("kismet", games=6, large=True)
    (leaf,) = model.leaves
    heads = tuple(replace(head, note="winner") for head in leaf.heads)
    pieces = Printed(render_pdf(replace(model, leaves=(replace(leaf, heads=heads),)))).pieces
    below_title = [piece for piece in pieces if piece.y < 540]
    assert [piece for piece in below_title if piece.drop < 0.2 * piece.size] == []
    winners = [piece for piece in pieces if piece.text == "winner"]
    assert len(winners) == 12
    for one, other in pairwise(winners):
        assert other.x < one.x or other.x - one.x > 61, (one, other)


def test_ticks_are_printed() -> None:
    """Ticks are drawn, not text, so only the picture shows them."""
    model = sheet_model("yahtzee", players=1)

    def ticked(row: Row) -> Row:
        return replace(row, cells=tuple(replace(cell, ticks=2) for cell in row.cells)) if row.kind == "ticks" else row

    (leaf,) = model.leaves
    blocks = tuple(Block(tuple(ticked(row) for row in block.rows)) for block in leaf.blocks)
    with_ticks = replace(model, leaves=(replace(leaf, blocks=blocks),))
    without, drawn = (render_pictures(one, ppi=60) for one in (model, with_ticks))
    assert len(drawn) == 1
    assert drawn[0].startswith(b"\x89PNG")
    assert drawn != without
    assert render_pictures(model, ppi=60) == without


def test_dice_with_colours_have_them_on_paper() -> None:
    """Count what is filled in each ink: pips of two faces, and their strokes. PDF has colours in parts of one."""

    def count_filled(book: str) -> Counter[str]:
        text = PdfReader(io.BytesIO(scorecard_pdf(book))).pages[0].get_contents().get_data().decode("latin-1")
        parts = re.split(r"([\d.]+ [\d.]+ [\d.]+) scn?\b", text)
        paints = ["#" + "".join(f"{round(255 * float(part)):02x}" for part in paint.split()) for paint in parts[1::2]]
        found: Counter[str] = Counter()
        for paint, drawn in zip(paints, parts[2::2], strict=True):
            found[paint] += len(re.findall(r"^f\*?$", drawn, re.MULTILINE))
        return found

    assert [count_filled("kismet")[ink] for ink in INKS.values()] == [2 + 5 + 2 * 1, 3 + 4 + 2 * 2, 0]
    assert [count_filled("yahtzee")[ink] for ink in INKS.values()] == [0, 0, 0]


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_paper_sizes(paper: str, size: tuple[int, int]) -> None:
    pdf = scorecard_pdf("yatzy", paper=paper)
    box = PdfReader(io.BytesIO(pdf)).pages[0].mediabox
    assert (round(box.width), round(box.height)) == size
    assert_on_paper(Printed(pdf), smallest=7.5)


def test_pdf_is_reproducible_and_embeds_fonts() -> None:
    """It has no time of day, and embeds only fonts of the typesetter."""
    assert scorecard_pdf("yatzy") == scorecard_pdf("yatzy")
    page = PdfReader(io.BytesIO(scorecard_pdf("yatzy"))).pages[0]
    fonts = [font.get_object() for font in page["/Resources"]["/Font"].get_object().values()]  # type: ignore[index,union-attr]
    assert fonts
    for font in fonts:
        assert "LibertinusSerif" in font["/BaseFont"]
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        assert {"/FontFile2", "/FontFile3"} & set(descriptor)


HOSTILE = [
    '#panic("out")',
    '#read("/etc/passwd")',
    "#sys.inputs",
    "$x^2$ *b* _i_ `c`",
    '"] #eval("1+1") [',
    "\\u{41} \\ <label> @ref",
    "// gone /* gone */",
    "= Head - list + enum",
    "https://example.org ~ -- ---",
]


def test_names_and_descriptions_are_printed_verbatim() -> None:
    games = [fd.Game.new(load(CHANCE), HOSTILE, dice=fd.dice.real())] * 2
    printed = Printed(scorecard_pdf(games[0].book, played=games))
    for name, page in zip(HOSTILE, printed.pages, strict=True):
        assert f"Name {name} Date" in page
    name, line = '#let x = [ $"Ours" ]', '#panic("box") *'
    book = load(box("chance", "ch", "anything", name=line.replace('"', '\\"')), "[sheet]\nlower = '#pagebreak()'")
    pdf = scorecard_pdf(fd.load_book(f"extends = 'yatzy'\nname = '{name}'\n[boxes.chance]\nname = '{line}'"), players=2)
    assert name in text_of(pdf)
    assert line in text_of(pdf)
    assert "#pagebreak()" in text_of(scorecard_pdf(book))
    game = play_sheet("yatzy", ["李雷", "Жанна"], seed=1, turns=0)
    assert "Жанна" in text_of(scorecard_pdf("yatzy", played=[game]))


# Shrinking would set hundreds of sheets; the name that fails says enough.
@settings(
    max_examples=8,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    name=st.text(st.characters(max_codepoint=0x52F, exclude_categories=("C", "Z")), min_size=1, max_size=60),
    large=st.booleans(),
)
def test_any_name_stays_on_the_page(name: str, large: bool) -> None:
    book = load(CHANCE)
    game = fd.Game.new(book, [name, "W" * 60], dice=fd.dice.real())
    for games in ([game], [game, game]):
        assert_on_paper(Printed(scorecard_pdf(book, played=games, large=large)), smallest=18 if large else 7.5)


def test_longest_book_uses_several_pages() -> None:
    boxes = [box(f"b{n}", f"{n:02}", "anything", name=f"{n} {'W' * 37}") for n in range(30)]
    printed = Printed(scorecard_pdf(load(*boxes), players=6, large=True))
    assert len(printed.pages) > 1
    assert_on_paper(printed, smallest=18)
    assert all("How to score" in page for page in printed.pages), "the heads are repeated"


def test_missing_typesetter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _typesetter.cache_clear()
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(PaperError, match=r"^PDFs need .*pip install 'fivedice\[reports\]'"):
        scorecard_pdf("yatzy")
    with pytest.raises(PaperError, match=r"^Pictures need .*pip install 'fivedice\[reports\]'"):
        render_pictures(sheet_model("yatzy"))
    _typesetter.cache_clear()
