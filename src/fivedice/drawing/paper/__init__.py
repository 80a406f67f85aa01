"""Score sheets for paper: one model of a sheet, laid out as a PDF here and as a web page elsewhere.

`scorecard_pdf("yardzee")` is an empty pad, `scorecard_pdf("yatzy", played=[game])` the sheet of a game.
"""

from fivedice.drawing.paper.leaves import sheet_model
from fivedice.drawing.paper.paper_model import Block, Leaf, Paper, Row, SheetModel
from fivedice.drawing.paper.pdf import render_pdf, render_pictures, scorecard_pdf

__all__ = [
    "Block",
    "Leaf",
    "Paper",
    "Row",
    "SheetModel",
    "render_pdf",
    "render_pictures",
    "scorecard_pdf",
    "sheet_model",
]
