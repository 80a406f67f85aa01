"""Sheets, reports and pictures in another language: every text comes from the catalogue, and long ones have room."""

import json
import re
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.drawing.paper import render_pdf, scorecard_pdf, sheet_model
from fivedice.reports.game_report import Report
from fivedice.reports.perfect import perfect
from fivedice.reports.share_picture import picture_png, picture_svg, report_pdf
from fivedice.solver import solve
from fivedice.text import using
from fivedice.text.languages import PSEUDO, add_accents
from long import few
from paper.sheets import Printed, assert_on_paper, play_sheet, text_of
from words.unaccented import unaccented
from words.vocabulary import LANGUAGES, foreign_words

WORKED = json.loads((Path(__file__).parents[1] / "analysis" / "worked.json").read_text(encoding="utf-8"))
RECORD = "\n".join(WORKED["yatzy-forced"]["record"]) + "\n"
ENGLISH = re.compile(r"[A-Za-z]{2,}")  # the other language has hardly a plain letter


def in_english(text: str, names: set[str]) -> set[str]:
    return set(ENGLISH.findall(text)) - names


SHEETS = [(key, large) for key in ("yahtzee", "yatzy-forced", "maxi-yatzy") for large in (False, True)]


@pytest.mark.parametrize(("key", "large"), few(SHEETS, 2))
def test_translated_sheet(key: str, large: bool) -> None:
    game = play_sheet(key, ["Ann", "Bob"], seed=3)
    with using(PSEUDO):
        models = [sheet_model(key, large=large), sheet_model(key, played=[game, game], large=large)]
    for model in models:
        printed = Printed(render_pdf(model))
        assert not in_english(printed.text, {"Ann", "Bob"})
        assert add_accents("How to score").split()[0] in printed.text
        assert_on_paper(printed, smallest=18 if large else 7.5)


@pytest.fixture(scope="module")
def report() -> Report:
    return fd.report(fd.read_game(RECORD))


def test_translated_report(report: Report) -> None:
    ideal = perfect(solve(report.book))
    with using(PSEUDO):
        printed = Printed(report_pdf(report, ideal))
    assert not in_english(printed.text, {"Ann"})
    assert all(0 < piece.x < piece.width - 0.2 * piece.size * len(piece.text) for piece in printed.pieces)


def test_translated_picture() -> None:
    """Words that are too long for their place are set smaller, and no longer than it."""
    with using(PSEUDO):
        svg = picture_svg(fd.read_game(RECORD))
        assert picture_png(fd.read_game(RECORD)).startswith(b"\x89PNG")
    texts = re.findall(r'x="([\d.]+)" y="(\d+)" text-anchor="start"[^>]*font-size="([\d.]+)">([^<]*)<', svg)
    assert len(texts) > 10
    assert not in_english(" ".join(text for *_, text in texts), {"Ann", "fivedice"})
    for x, _, size, text in texts:
        end = next(end for end in (500, 780, 1090) if float(x) < end)
        assert float(x) + 0.46 * float(size) * len(text) <= end, text


@pytest.mark.parametrize("key", ["yahtzee", "yatzy", "yardzee"])
def test_every_printed_word_on_paper_is_in_the_catalogue(key: str) -> None:
    with using(PSEUDO):
        pages = scorecard_pdf(key), scorecard_pdf(key, played=[play_sheet(key, ["Ann", "Bob"], seed=3)], large=True)
    english = unaccented(" ".join(map(text_of, pages)))
    assert english == []


@pytest.mark.parametrize("language", few(LANGUAGES, 1))
def test_paper_and_pictures_have_words_of_their_language_alone(report: Report, language: str) -> None:
    with using(language):
        pages = [scorecard_pdf("yahtzee"), scorecard_pdf("yardzee", played=[play_sheet("yardzee", ["Ann"], seed=3)])]
        pages.append(report_pdf(report, perfect(solve(report.book))))
        texts = [piece.text for page in pages for piece in Printed(page).pieces]
        texts += re.findall(">([^<]+)<", picture_svg(fd.read_game(RECORD)))
    assert [word for text in texts for word in foreign_words(text, language)] == []
