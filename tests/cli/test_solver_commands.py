"""`fivedice solve`, `hint` and `simulate`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fivedice.core.rules import book
from fivedice.solver.runtime import solution_files as table_store
from fivedice.solver.solution import solve
from long import few

TINY = """
format = 1
key = "tiny"
name = "Tiny"
summary = "Two boxes."
dice = 2
faces = 3
rolls = 2
start = "draw"

[boxes.pair]
name = "Pair"
code = "pa"
section = "lower"
pattern = "alike"
points = 10

[boxes.chance]
name = "Chance"
code = "ch"
section = "lower"
pattern = "anything"
points = "all"
"""


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY, encoding="utf-8")
    return str(file)


def test_solve_gives_the_value_of_perfect_play(fivedice_json) -> None:
    shown = fivedice_json("solve", "yahtzee")
    assert list(shown) == ["book", "value", "states", "seconds"]
    assert (shown["book"], shown["states"]) == ("yahtzee", 536_448)
    assert shown["value"] == pytest.approx(254.58772873, abs=1e-8)


def test_solve_in_words(fivedice) -> None:
    code, out, err = fivedice("solve", "yahtzee")
    assert (code, err) == (0, "")
    assert "254.58772873" in out
    assert "536,448 states" in out


def test_solve_without_cache_leaves_nothing(fivedice_json, tiny: str, own_cache_folder: Path) -> None:
    anew = fivedice_json("solve", tiny, "--no-cache")
    assert not own_cache_folder.exists()
    assert fivedice_json("solve", tiny)["value"] == anew["value"]
    values, lock = sorted(own_cache_folder.iterdir(), key=lambda file: file.suffix == ".lock")
    assert values.stat().st_size > 0
    assert lock.stat().st_size == 0  # it stays: taking it away would let two processes solve the same book


def test_hint_explains_the_best_choice(fivedice, fivedice_json) -> None:
    answer = fivedice_json("hint", "yahtzee", "44126", "--rolls-left", "2")["sentence"]
    assert answer.startswith("Keep the two fours. Best chance for 3 or more Fours. ")
    assert "Next best: keep 4-4-6. It costs 1.8 points: 0.3 this turn, 1.5 later." in answer
    code, out, _ = fivedice("hint", "yahtzee", "44126", "--rolls-left", "2")
    assert code == 0
    assert answer in " ".join(out.split())


def test_hint_ranks_options_for_the_card(fivedice_json) -> None:
    options = fivedice_json("hint", "yahtzee", "24466", "--rolls-left", "2")["options"]
    assert len(options) == 30
    assert list(options[0]) == ["keep", "value", "loss"]
    assert (options[0]["keep"], options[0]["loss"]) == ("66", 0.0)
    assert {option["keep"] for option in options if "keep" in option} >= {"-", "4466"}
    assert {option["box"] for option in options if "box" in option} == set(book("yahtzee").index)
    assert [option["loss"] for option in options] == sorted(option["loss"] for option in options)
    card = "fours=12,yz:50"
    options = fivedice_json("hint", "yahtzee", "44444", "--rolls-left", "0", "--card", card, "--top", "2")["options"]
    assert [option["box"] for option in options] == ["large_straight", "full_house"]


def test_hint_in_words(fivedice) -> None:
    code, out, err = fivedice("hint", "yahtzee", "24466", "--rolls-left", "1")
    assert (code, err) == (0, "")
    assert "1 roll left" in out
    assert "best" in out
    assert "20 more: --top 30" in out
    out = fivedice("hint", "yahtzee", "44444", "--rolls-left", "0", "--card", "4s:12,yz:50", "--top", "9")[1]
    assert "score Lg. Straight for 40 plus 100 bonus" in out
    assert "more;" not in out
    out = fivedice("hint", "yahtzee", "12346", "--rolls-left", "2", "--top", "40")[1]
    assert "roll all 5 dice again" in out


def test_hint_from_a_fresh_process_needs_no_numba(own_cache_folder: Path) -> None:
    rules = book("yahtzee")
    assert table_store.save(rules.fingerprint, solve(rules).table)
    code = (
        "import sys\nfrom fivedice.cli.command_list import run\n"
        "run(['hint', 'yahtzee', '24466', '--rolls-left', '2', '--top', '1', '--json'])\n"
        "print('numba' in sys.modules, 'rich.progress' in sys.modules)"
    )
    environment = os.environ | {"FIVEDICE_CACHE": str(own_cache_folder)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert '"keep": "66"' in done.stdout
    assert done.stdout.splitlines()[-1] == "False False"


def test_simulate_has_the_documented_shape(fivedice_json) -> None:
    shown = fivedice_json("simulate", "yahtzee", "--games", "3000", "--seed", "7")
    assert list(shown) == [
        "book",
        "bot",
        "games",
        "seed",
        "mean",
        "sd",
        "standard_error",
        "quantiles",
        "bonus_rate",
        "extras",
        "boxes",
        "seconds",
    ]
    assert (shown["bot"], shown["games"], shown["seed"]) == ("perfect", 3000, 7)
    assert abs(shown["mean"] - 254.59) < 5 * shown["standard_error"]
    assert list(shown["quantiles"]) == ["0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"]
    again = fivedice_json("simulate", "yahtzee", "--games", "3000", "--seed", "7")
    assert again["mean"] == shown["mean"]


def test_levels_are_listed_with_descriptions(fivedice, fivedice_json, tiny: str, monkeypatch, tmp_path) -> None:
    code, out, err = fivedice("bots", "yatzy")
    assert (code, err) == (0, "")
    assert "chases straights and five of a kind" in out
    assert "248" in out
    assert "spends Chance early" in fivedice("bots", tiny)[1], "rules that were not measured have levels too"
    monkeypatch.setattr("fivedice.solver.runtime.solution_files.cache_folder", lambda: tmp_path)
    assert "The perfect bot can’t play Maxi Yatzy" in " ".join(fivedice("bots", "maxi-yatzy")[1].split())
    shown = fivedice_json("bots", "maxi-yatzy")
    assert [bot["level"] for bot in shown["bots"]] == ["newcomer", "hopeful", "casual", "steady", "sharp"]
    assert list(shown["not_offered"]) == ["perfect", "champion"]
    assert all(bot["mean"] > bot["sd"] > 0 for bot in shown["bots"])


def test_simulate_takes_the_bot_of_a_file(fivedice_json, tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(
        "import fivedice as fd\n\n\nclass Mine:\n    def choose(self, position):\n"
        "        return fd.Mark(next(iter(position.ruling().legal)))\n"
    )
    shown = fivedice_json("simulate", "yahtzee", "--bot", f"{bot}:Mine", "--games", "4", "--workers", "2")
    assert (shown["bot"], shown["games"]) == ("mine", 4)


def test_simulate_in_words(fivedice, tiny: str) -> None:
    code, out, err = fivedice("simulate", "yahtzee", "--games", "20", "--bot", "steady")
    assert (code, err) == (0, "")
    assert "20 games of the steady bot (keeps good boxes open, spends Chance early)" in " ".join(out.split())
    assert "Mean" in out
    assert "YAHTZEE Bonus" in out
    assert "Bonus" not in fivedice("simulate", tiny, "--games", "10")[1]


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (["solve", "yatzee"], "'yatzee'"),
        (["hint", "yahtzee", "2446", "--rolls-left", "2"], "2-4-4-6"),
        (["hint", "yahtzee", "24466", "--rolls-left", "3"], "You entered 3"),
        (["hint", "yahtzee", "24466", "--rolls-left", "2", "--top", "0"], "You entered 0"),
        (["hint", "yahtzee", "24466", "--rolls-left", "2", "--card", "4s:13"], "13"),
        (["hint", "yahtzee", "24466"], "--rolls-left"),
        (["simulate", "yahtzee", "--games", "0"], "0 games"),
        (["simulate", "yahtzee", "--bot", "clever"], "'clever'"),
        (["simulate", "yahtzee", "--seed", "x"], "x"),
    ],
)
def test_bad_input_of_solver_commands_is_quoted(fivedice, arguments: list[str], quoted: str) -> None:
    code, out, err = fivedice(*arguments)
    assert (code, out) == (2, "")
    assert quoted in err


WAYS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]


@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals there")
@pytest.mark.parametrize(("way", "code"), few(WAYS, 1))
def test_compiling_is_announced_and_can_be_interrupted(tiny: str, tmp_path: Path, way: int, code: int) -> None:
    from tui.terminal import Terminal

    kernels = tmp_path / "kernels"
    settings = os.environ | {"NUMBA_CACHE_DIR": str(kernels), "TERM": "xterm"}
    terminal = Terminal("solve", tiny, "--no-cache", environment=settings)
    terminal.read_until("Compiling once, about 8 s")
    terminal.process.send_signal(way)
    assert terminal.end() == code
    assert "Traceback" not in terminal.written
    assert terminal.written.rfind("\x1b[?25h") > terminal.written.rfind("\x1b[?25l"), "the cursor is back"
    terminal.close()
    assert not list(kernels.rglob("*solve_masks*")), "it was not waited for"


STUCK = """
import sys, threading
from fivedice.cli.solving import end_promptly
from fivedice.solver.runtime import compile_watch

compile_watch.begins()
with end_promptly():
    try:
        print("stuck", flush=True)
        threading.Event().wait()
    except KeyboardInterrupt:  # as where a compiler keeps Python from hearing of it
        threading.Event().wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize(("way", "code"), WAYS)
def test_deaf_compiler_is_ended(way: int, code: int) -> None:
    from tui.terminal import hears_ctrl_c

    process = subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hears_ctrl_c
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"stuck\n"
    process.send_signal(way)
    _, err = process.communicate()
    assert (process.returncode, err) == (code, b"")


def test_compiling_is_not_announced_in_a_pipe() -> None:
    watch = "from fivedice.cli.solving import show_progress\nwith show_progress('x') as bar: print(bar)"
    done = subprocess.run([sys.executable, "-c", watch], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"None\n", b"")
