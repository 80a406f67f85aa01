"""A process killed in the middle of a turn gives the same dice afterwards, on a real pseudo-terminal."""

import os
import signal
from pathlib import Path

import pytest

from fivedice.terminal.session import Session, open_tables
from long import every_run, few
from tui.terminal import PATIENCE, Terminal

pytestmark = every_run  # what matters most takes no turns


@pytest.fixture
def environment(data_folder: Path) -> dict[str, str]:
    return {**os.environ, "FIVEDICE_DATA": str(data_folder), "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}


def lying() -> tuple[int, ...]:
    tables = open_tables()
    try:
        return Session.resume(tables, None).state.slots
    finally:
        tables.store.close()


def test_killed_turn_resumes_with_the_same_dice(environment):
    """Killed, then ended, left or cut off: each time the same game goes on with the same dice."""
    terminal = Terminal("play", "yahtzee", "Ann", "--seed", "1", environment=environment)
    terminal.read_until("Your turn")
    terminal.press("r")
    terminal.read_until("Roll 1 of 3")
    dice = lying()
    assert len(dice) == 5
    terminal.process.kill()
    terminal.end()
    assert "Traceback" not in terminal.written
    terminal.close()
    for way in few((signal.SIGTERM, "ctrl-c", "cut off"), 1):
        terminal = Terminal("play", "--resume", environment=environment)
        terminal.read_until("Roll 1 of 3")
        if way == "cut off":
            terminal.close()
            assert terminal.process.wait(PATIENCE) in {0, 1}, "its terminal is closed"
        else:
            terminal.press("\x03") if way == "ctrl-c" else terminal.process.send_signal(way)
            assert terminal.end() == 0, way
            assert "\x1b[?1049l" in terminal.written, "back from the other screen"
            assert "Continue with: fivedice play --resume" in terminal.written, way
            assert terminal.settings() == terminal.before, way
            terminal.close()
        assert lying() == dice, way
        assert "Traceback" not in terminal.written, way


MOMENTS = {"starting": "", "thinking": "rh", "typing a box": "rs4", "a page": "?", "all commands": "\x10"}


CASES = [(moment, way) for moment in MOMENTS for way in (signal.SIGTERM, "ctrl-c")]


@pytest.mark.parametrize(("moment", "way"), few(CASES, 1))
def test_program_ends_at_any_moment_and_restores_the_terminal(environment, moment, way):
    terminal = Terminal("play", "yahtzee", "Ann", "--seed", "1", environment=environment)
    if moment == "starting":  # keys are read, but there is no table; before this, Ctrl-C is a signal
        terminal.wait_for(lambda: terminal.settings() != terminal.before, "the screen")
    else:
        terminal.read_until("Your turn")
        terminal.press(MOMENTS[moment])
    if way == "ctrl-c":
        terminal.press("\x03")
    else:
        terminal.process.send_signal(way)
    terminal.end()
    assert "Traceback" not in terminal.written
    assert terminal.settings() == terminal.before
    assert terminal.written.count("\x1b[?1049h") == terminal.written.count("\x1b[?1049l")
    terminal.close()


@pytest.mark.parametrize("way", few([signal.SIGTERM, "q"], 1))
def test_exit_does_not_wait_for_a_compiler(environment, tmp_path, way):
    """A coach that compiles first says so, and leaving meanwhile takes effect at once."""
    rules, kernels = tmp_path / "ours.toml", tmp_path / "kernels"
    rules.write_text('extends = "yatzy"\nname = "Ours"\nrolls = 4\n', encoding="utf-8")
    terminal = Terminal("play", str(rules), "Ann", environment=environment | {"NUMBA_CACHE_DIR": str(kernels)})
    terminal.read_until("Your turn")
    terminal.press("rh")
    terminal.read_until("Compiling once")
    if way == "q":
        terminal.press("q")
    else:
        terminal.process.send_signal(way)
    assert terminal.end() == 0
    assert "Traceback" not in terminal.written
    assert terminal.settings() == terminal.before
    terminal.close()
    assert not list(kernels.rglob("*solve_masks*")), "it was not waited for"


@pytest.mark.parametrize("moment", ["starting", "loading"])
def test_ctrl_c_before_the_first_screen(environment, moment):
    """It is still a signal, and the terminal is untouched."""
    terminal = Terminal("play", "yahtzee", "Ann", environment=environment | {"PYTHONVERBOSE": "1"})
    terminal.read_until({"starting": "fivedice.cli.command_list", "loading": "textual"}[moment])
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert "Traceback" not in terminal.written
    assert terminal.settings() == terminal.before
    assert terminal.written.count("\x1b[?1049h") == terminal.written.count("\x1b[?1049l")
    terminal.close()


def test_ctrl_c_that_importlib_would_swallow(environment, tmp_path):
    """An exception in a callback of a weak reference is lost, and importlib has such callbacks."""
    module = """
import os, signal, weakref
class Lock: pass
lock = Lock()
reference = weakref.ref(lock, lambda _: os.kill(os.getpid(), signal.SIGINT))
del lock
"""
    (tmp_path / "cyclopts.py").write_text(module, encoding="utf-8")
    terminal = Terminal("play", environment=environment | {"PYTHONPATH": str(tmp_path)})
    assert terminal.end() == 130
    assert "Traceback" not in terminal.written
    terminal.close()


@pytest.mark.parametrize("term", few(["dumb", "unknown"], 1))
def test_limited_terminal_plays_line_by_line(environment, term):
    terminal = Terminal("play", "yahtzee", "--seed", "1", environment={**environment, "TERM": term})
    terminal.read_until("Roll?")
    terminal.press("roll\n")
    terminal.read_until("Keep or score?")
    assert "\x1b" not in terminal.written
    assert "can’t show the table" in terminal.written
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.end() == -signal.SIGTERM
    terminal.close()
