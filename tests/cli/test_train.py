"""Decisions in the terminal: the trainer, and the ten of a day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

import fivedice as fd
from cli.conftest import Result
from fivedice.cli.train_cmd import parse_typed, play_ten
from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark
from fivedice.core.rules import shipped
from fivedice.positions.bank import choose_ten
from fivedice.positions.judging import write_move

DAY = date(2026, 11, 18)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))


def test_the_trainer_refuses_hints_answers_and_sums_up(
    fivedice: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "zz", "h", "cr", "3k", "13", "1s", "2s", "q")
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = fivedice("train", "crag", "--theme", "sets")
    assert (code, err) == (0, "")
    assert "has no box 'zz'" in out
    assert "Hint: " in out
    assert "Your rating: " in out
    assert "points lost, 1 with a hint." in out
    blocks = out.split("\n\n")
    assert all(len(block.splitlines()) <= 24 for block in blocks), "a decision fits a small terminal"
    assert all(len(line) <= 80 for block in blocks for line in block.splitlines() if not line.startswith(">"))


def test_training_to_win_shows_both_players(fivedice: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, *shipped("crag").by_code, "q")
    code, out, err = fivedice("train", "crag", "--theme", "win")
    assert (code, err) == (0, "")
    assert "Crag: you, then the other player" in out
    assert re.search(r"You (lead|trail|are level).*, \d+ to \d+\.\s+The other player\s+has", out)
    assert "Odds to win" in out
    assert "0 points lost" in out
    assert "Playing to win: " in out
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith(">"))
    assert fivedice("train", "maxi-yatzy", "--theme", "win")[0] == 2


def test_mistakes_need_a_finished_game(fivedice: Callable[..., Result]) -> None:
    code, _, err = fivedice("train", "crag", "--theme", "mistakes")
    assert code == 2
    assert "no mistakes to practise yet" in err


def test_the_ten_of_a_day_continue_and_count_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    book = shipped("crag")
    moves = [write_move(book, fd.solve(book).advise(each.position)[0].move) for each in choose_ten(book, DAY, "secret")]
    typed(monkeypatch, *moves[:3], "h", "q")
    assert play_ten(DAY, book, "secret") == 0
    assert capsys.readouterr().out.count("Best move!") == 3
    typed(monkeypatch, *moves[3:])
    play_ten(DAY, book, "secret")
    out = capsys.readouterr().out
    assert "Decision 4 of 10" in out
    assert out.endswith("Fivedice 2026-11-18 · Daily ten\n0.0 points lost\n" + 10 * "🟩" + "\n")
    play_ten(DAY, book, "secret")
    assert "You have answered the ten of 2026-11-18." in capsys.readouterr().out


def test_dice_and_boxes_are_understood_as_they_are_typed() -> None:
    position = fd.read_position("crag - 0 133 1")
    assert parse_typed(position, "13") == Hold(Keep.parse("13")), "dice that are there are kept"
    assert parse_typed(position, "=13") == Mark(position.book.box("13").key)
    assert parse_typed(position, "-") == Hold(Keep(()))
    assert parse_typed(fd.read_position("crag - 0 466 1"), "13") == Mark(position.book.box("13").key)
    assert parse_typed(fd.read_position("crag - 0 133 0"), "13") == Mark(position.book.box("13").key)
