"""Whole games on real pseudo-terminals of every size: by a burst of keys, by the mouse, by a paste."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fivedice.core.rules import book
from fivedice.terminal.session import Session, games, open_tables
from long import few
from support.tables import finish
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
    own = {"FIVEDICE_DATA": str(data_folder), "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}
    environment = os.environ | own | {"FIVEDICE_TABLES": ""}  # with the shipped tables, as players have them

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


def plain(terminal: Terminal) -> str:
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", terminal.written).replace("\r\n", "\n")


def answer(terminal: Terminal, begin: str, *, hint: bool = False) -> None:
    """Score the first open box of the decision that begins with this text; it must fit 80 by 24."""
    terminal.wait_for(lambda: begin in plain(terminal) and plain(terminal).endswith("\n> "), begin)
    shown = plain(terminal).rpartition(begin)[2]
    assert shown.count("\n") < 24
    assert max(map(len, shown.splitlines())) <= 80
    halves = [half for line in shown.splitlines() for half in (line[:34], line[34:])]
    box = next(filter(None, (re.match(r" *(\w\w) .*\[\d+\]$", half.rstrip()) for half in halves)), None)
    assert box is not None, shown
    if hint:
        terminal.press("h\n")
        terminal.read_until("Hint: ")
    terminal.press(f"={box[1]}\n")


def test_ten_of_the_day_are_left_and_finished_in_a_terminal(start: Start):
    first = start((80, 24), asked=("daily", "--ten"))
    for number in (1, 2):
        answer(first, f"Decision {number} of 10")
    first.wait_for(lambda: "Decision 3 of 10" in plain(first), "the third")
    first.press("q\n")
    assert first.end() == 0
    second = start((80, 24), asked=("daily", "--ten"))
    for number in range(3, 11):
        answer(second, f"Decision {number} of 10")
    assert second.end() == 0
    assert "Decision 2 of 10" not in plain(second)
    assert re.search(r"Fivedice [-\d]{10} · Daily ten\s+[\d.]+ points lost\s+[🟩🟨🟧🟥]{10}", plain(second))


def test_daily_game_from_its_first_turn_to_the_text_to_share(start: Start):
    terminal = start((80, 24), asked=("daily",))
    terminal.press(turn(1))
    terminal.wait_for(lambda: look(lambda session: session.state.turn) == 1, "a turn")
    terminal.press("\x03")
    terminal.end()
    tables = open_tables()
    finish(tables, games(tables)[0].id)
    tables.store.close()
    after = start((80, 24), asked=("daily",))
    assert after.end() == 0
    assert re.search(r"Fivedice [-\d]{10} · [^\n]+\s+[\d.]+ points lost\s+[🟩🟨🟧🟥]{12}", plain(after))


def test_trainer_gives_a_hint_and_a_summary_in_a_terminal(start: Start):
    terminal = start((80, 24), asked=("train", "crag"))
    answer(terminal, "Crag\n", hint=True)
    terminal.read_until("Your rating: ")
    terminal.press("q\n")
    assert terminal.end() == 0
    assert re.search(r"Last answer: [01] best, [\d.]+ points lost, 1 with a hint\.", plain(terminal))
