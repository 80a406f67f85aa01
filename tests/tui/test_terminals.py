"""Whole games on real pseudo-terminals of every size: by a burst of keys, by the mouse, by a paste."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fivedice.rules import book
from fivedice.tui.session import Session, games, open_tables
from long import LONG
from tui.hands import best_box
from tui.terminal import Terminal

SIZES = [(80, 24), (40, 20), (120, 40), (200, 50)]
BOXES = [box.key for box in book("yahtzee").boxes]
LOWER = 6  # the first box of the lower section
Start = Callable[[tuple[int, int]], Terminal]


@pytest.fixture
def start(data_folder: Path):
    running: list[Terminal] = []
    environment = {
        **os.environ,
        "FIVEDICE_DATA": str(data_folder),
        "TERM": "xterm-256color",
        "COLUMNS": "",
        "LINES": "",
    }

    def begin(size: tuple[int, int], *more: str) -> Terminal:
        asked = ("play", "yahtzee", "Ann", "--seed", "1", "--no-coach", *more)
        running.append(Terminal(*asked, environment=environment, size=size))
        return running[-1]

    yield begin
    for terminal in running:
        terminal.press("\x03")
        terminal.end()
        assert "Traceback" not in terminal.written
        assert terminal.settings() == terminal.before
        terminal.close()


def look(read: Callable[[Session], object]) -> object:
    """What the store knows of the game; None before there is one."""
    tables = open_tables()
    try:
        entries = games(tables)
        return read(Session(tables, entries[0].id)) if entries else None
    finally:
        tables.store.close()


def phase() -> object:
    return look(lambda session: str(session.state.phase))


def turn(number: int) -> str:
    """Roll, keep the first die, roll, go to a box by its number, score; a zero is asked about once."""
    return f"r1rs{number}\r\r"


BURST = "".join(turn(number) for number in range(1, 14))


@pytest.mark.parametrize("size", SIZES if LONG else SIZES[:2])
def test_a_whole_game_as_one_burst_of_keys(start: Start, size):
    terminal = start(size)
    terminal.read_until("Your turn")
    terminal.press(BURST)
    terminal.wait_for(lambda: phase() == "finished", "the end of the game")
    assert look(lambda session: [len(each) for each in session.state.lain]) == [2] * 13, "every key was taken"


def test_keys_that_were_typed_before_the_screen_was_there(start: Start):
    terminal = start((80, 24))
    terminal.press(turn(1) + turn(13))
    terminal.wait_for(lambda: look(lambda session: session.state.turn) == 2, "two turns")


def test_a_paste_is_typed_and_two_rolls_in_it_are_two(start: Start):
    terminal = start((80, 24))
    terminal.read_until("Your turn")
    terminal.press("\x1b[200~rr1r\x1b[201~")
    terminal.wait_for(lambda: look(lambda session: len(session.state.rolls)) == 3, "three rolls")


def test_real_dice_as_one_burst(start: Start):
    terminal = start((80, 24), "--pad")
    terminal.read_until("Your turn")
    terminal.press("24466\r23r146\rs4\r")
    terminal.wait_for(lambda: look(lambda session: session.state.turn) == 1, "a turn")
    assert look(lambda session: [each.dice for each in session.state.lain[0]]) == [(2, 4, 4, 6, 6), (1, 4, 4, 4, 6)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)] if LONG else [(120, 40)])
def test_a_whole_game_by_the_mouse(start: Start, size):
    terminal = start(size)
    terminal.read_until("Your turn")
    for number in range(13):
        terminal.click(60, 10)
        terminal.wait_for(lambda: look(lambda session: len(session.state.slots)) == 5, "dice")
        place = BOXES.index(str(look(best_box)))
        terminal.click(5, place + (4 if place < LOWER else 8))
        terminal.wait_for(lambda number=number: look(lambda session: session.state.turn) == number + 1, "a score")
    assert phase() == "finished"
