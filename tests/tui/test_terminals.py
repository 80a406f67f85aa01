"""Whole games on real pseudo-terminals of every size: by a burst of keys, by the mouse, by a paste."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fivedice.core.rules import book
from fivedice.terminal.session import Session, games, open_tables
from long import few
from tui.keyboard import best_box, play_most
from tui.terminal import Terminal

SIZES = [(80, 24), (40, 20), (120, 40), (200, 50)]
BOXES = [box.key for box in book("yahtzee").boxes]
LOWER = 6  # the first box of the lower section
NEW = ("play", "yahtzee", "Ann", "--seed", "1", "--no-coach")
Start = Callable[..., Terminal]


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

    def start_one(size: tuple[int, int], *more: str, asked: tuple[str, ...] = NEW) -> Terminal:
        running.append(Terminal(*asked, *more, environment=environment, size=size))
        return running[-1]

    yield start_one
    for terminal in running:
        terminal.press("\x03")
        terminal.end()
        assert "Traceback" not in terminal.written
        assert terminal.settings() == terminal.before
        terminal.close()


def look(read: Callable[[Session], object]) -> object:
    """Return the stored game, or None before there is one."""
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


@pytest.mark.parametrize("size", few(SIZES, 1))
def test_whole_game_in_bursts_of_keys(start: Start, size):
    """Two turns are typed before the screen is there, one is pasted, and the others come at once."""
    terminal = start(size)
    terminal.press(turn(1) + turn(13))
    terminal.wait_for(lambda: look(lambda session: session.state.turn) == 2, "two turns")
    terminal.press("\x1b[200~rr1r\x1b[201~")
    terminal.wait_for(lambda: look(lambda session: len(session.state.rolls)) == 3, "three rolls, two of them in a row")
    terminal.press("s2\r\r" + "".join(turn(number) for number in range(3, 13)))
    terminal.wait_for(lambda: phase() == "finished", "the end of the game")
    assert look(lambda session: [len(each) for each in session.state.lain]) == [2, 2, 3, *[2] * 10], (
        "every key was taken"
    )


def test_real_dice_in_one_burst(start: Start):
    terminal = start((80, 24), "--pad")
    terminal.read_until("Your turn")
    terminal.press("24466\r23r146\rs4\r")
    terminal.wait_for(lambda: look(lambda session: session.state.turn) == 1, "a turn")
    assert look(lambda session: [each.dice for each in session.state.lain[0]]) == [(2, 4, 4, 6, 6), (1, 4, 4, 4, 6)]


@pytest.mark.parametrize("size", few([(120, 40), (80, 24), (200, 50)], 1))
def test_whole_game_by_mouse(start: Start, begin, size):
    """In the short version its last turns."""
    session = begin("yahtzee", "Ann", coach=False)
    play_most(session)
    terminal = start(size, asked=("play", "--resume"))
    terminal.read_until("Your turn")
    for number in range(session.state.turn, 13):
        terminal.click(60, 10)
        terminal.wait_for(lambda: look(lambda session: len(session.state.slots)) == 5, "dice")
        place = BOXES.index(str(look(best_box)))
        terminal.click(5, place + (4 if place < LOWER else 8))
        terminal.wait_for(lambda number=number: look(lambda session: session.state.turn) == number + 1, "a score")
    assert phase() == "finished"
