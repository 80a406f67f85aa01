"""Everything on paper is in the reader's language."""

import pytest

from fivedice.drawing.paper import scorecard_pdf
from fivedice.text import using
from fivedice.text.formatting import PSEUDO
from paper.sheets import played, text_of
from words.unaccented import unaccented


@pytest.mark.parametrize("key", ["yahtzee", "yatzy", "yardzee"])
def test_every_printed_word_on_paper_is_in_the_catalogue(key: str) -> None:
    with using(PSEUDO):
        pages = scorecard_pdf(key), scorecard_pdf(key, played=[played(key, ["Ann", "Bob"], seed=3)], large=True)
    english = unaccented(" ".join(map(text_of, pages)))
    assert english == []
