"""The examples of the documents do what is said of them."""

import json
import re
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.notation import game_from_json, game_to_json, read_turn, write_turn

ROOT = Path(__file__).parents[2]
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
YAHTZEE, SIX_DICE = fd.book("yahtzee"), fd.book("maxi-yatzy")


def test_the_program_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```python\n(.*?)\nbest = ", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found is not None
    names: dict[str, fd.Game] = {}
    exec(found[1], names)  # noqa: S102 - our own
    shown = capsys.readouterr().out
    assert shown == f"{names['game']}\n{fd.write_game(names['game'])}\n"


def test_the_positions_of_the_document_are_read_and_written() -> None:
    positions = re.findall(r"^`(yahtzee \S+ \d \S+ \d)`$", NOTATION, flags=re.MULTILINE)
    assert positions
    for text in positions:
        assert fd.write_position(fd.read_position(text)) == text


def test_the_turns_of_the_document_are_read_and_written() -> None:
    turns = re.findall(r"`((?:~|\d{5,6}[>=])[^`\s]*)`", NOTATION)
    assert len(turns) >= 7
    for text in turns:
        if "=" in text:
            book = SIX_DICE if re.match(r"~\d{6}", text) else YAHTZEE
            assert write_turn(read_turn(text, book), book) == text


def test_the_round_with_a_comment_is_read_and_written() -> None:
    found = re.search(r"`(1\. [^`]*\{[^`]*)`", NOTATION)
    assert found is not None
    text = f'[Book "yahtzee"]\n[Players "Ann" "Bob"]\n{found[1]}\n* 0 0\n'
    assert found[1] in fd.write_game(fd.read_game(text)).splitlines()


def test_the_tags_of_the_document_open_a_game() -> None:
    found = re.search(r"```\n(\[Fivedice.*?)\n\n", NOTATION, flags=re.DOTALL)
    assert found is not None
    game = fd.read_game(f"{found[1]}\n\n* 0 0\n")
    assert fd.write_game(game) == f"{found[1]}\n\n* 0 0\n"


def test_the_json_of_the_document_is_a_game() -> None:
    found = re.search(r"```json\n(.*?)```", NOTATION, flags=re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert game_to_json(game_from_json(data)) == data
