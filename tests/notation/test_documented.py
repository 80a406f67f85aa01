"""The examples inside the sentences of docs/notation.md; its blocks are read in tests/documentation."""

import re
from pathlib import Path

import fivedice as fd
from fivedice.core.notation import read_turn, write_turn

ROOT = Path(__file__).parents[2]
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
YAHTZEE, SIX_DICE = fd.book("yahtzee"), fd.book("maxi-yatzy")


def test_examples_of_the_document_are_read_and_written() -> None:
    positions = re.findall(r"^`(yahtzee \S+ \d \S+ \d)`$", NOTATION, flags=re.MULTILINE)
    assert positions
    for text in positions:
        assert fd.write_position(fd.read_position(text)) == text
    turns = re.findall(r"`((?:~|\d{5,6}[>=])[^`\s]*)`", NOTATION)
    assert len(turns) >= 7
    for text in turns:
        if "=" in text:
            book = SIX_DICE if re.match(r"~\d{6}", text) else YAHTZEE
            assert write_turn(read_turn(text, book), book) == text
    found = re.search(r"`(1\. [^`]*\{[^`]*)`", NOTATION)
    assert found is not None
    text = f'[Book "yahtzee"]\n[Players "Ann" "Bob"]\n{found[1]}\n* 0 0\n'
    assert found[1] in fd.write_game(fd.read_game(text)).splitlines()
