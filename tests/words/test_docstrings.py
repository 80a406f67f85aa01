"""The help of commands, piece by piece."""

import pytest

from fivedice.words import using
from fivedice.words.docstrings import is_help, pieces, translated
from fivedice.words.pseudo import PSEUDO, accented

DOC = """Show what a roll scores
    in every box.

    Examples: `fivedice score yahtzee 44446`,
    `fivedice score yatzy 1`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`,
        or a file.
    json
        Print JSON: {"book", "dice"}.
    """


def test_pieces_are_paragraphs_and_the_text_of_each_parameter():
    assert pieces(DOC) == [
        "Show what a roll scores in every box.",
        "Examples: `fivedice score yahtzee 44446`, `fivedice score yatzy 1`.",
        "The rules: one of `fivedice rules`, or a file.",
        'Print JSON: {"book", "dice"}.',
    ]


def test_names_and_code_stay_and_all_else_is_translated():
    with using(PSEUDO):
        said = translated(DOC)
    assert pieces(said) == [accented(piece) for piece in pieces(DOC)]
    assert "\n\nParameters\n----------\nbook\n    " in said
    assert "`fivedice score yatzy 1`" in said
    assert "of `" not in said


def test_english_says_the_same():
    assert pieces(translated(DOC)) == pieces(DOC)
    assert translated(translated(DOC)) == translated(DOC)


@pytest.mark.parametrize("doc", ["", "A helper, of no concern to people."])
def test_other_docstrings_are_no_help(doc):
    assert is_help(DOC)
    assert not is_help(doc)
