"""The wheel in bare environments: a game, a score, a hint and a server."""

import json
import re
from pathlib import Path

import httpx
import pytest

from fivedice.core.rules import SHIPPED
from installs.bare import GAMES, HOUSE, ROOT, Bare, install, shared_wheel
from long import long_only
from web.serving import NO_LIMITS, Serving

pytestmark = pytest.mark.campaign

LIBRARY = """
import sys
import fivedice as fd
book = fd.book("yahtzee")
card = fd.Scorecard.of(book, {"five_of_a_kind": 50})
assert card.options(fd.Roll.parse("44444"))["fours"].points == 20
game = fd.Game.new(book, ["Ann", "Bob"], dice=fd.dice.seeded(7))
while not game.is_over:
    game.roll()
    game.mark(next(iter(game.position.card.options(game.position.roll))))
record = fd.write_game(game)
print(fd.read_game(record).outcome)
if len(sys.argv) > 1:
    open(sys.argv[1], "w").write(record)
print(sorted({name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names))
"""
LEARNING = """
import sys
import gymnasium as gym
import fivedice.learning
from fivedice.learning import table_v0
env = gym.make("fivedice/Solo-v0", book="yatzy")
seen, info = env.reset(seed=1)
env.step(int(info["regret"].argmin()))
gym.make_vec("fivedice/Solo-v0", num_envs=3, regret=True).reset(seed=1)
table_v0.env(book="yatzy").reset(seed=1)
print("numba" in sys.modules)
"""
MISSING = """
from importlib import import_module
from fivedice.errors import FivediceError
for part in ("solo_vector", "table_v0", "spiel_game"):
    try:
        import_module(f"fivedice.learning.{part}")
    except FivediceError as error:
        print(error)
"""
OPENSPIEL = """
import pyspiel
import fivedice.learning.spiel_game
print(pyspiel.load_game("python_fivedice(book=yatzy)").num_players())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_wheel(tmp_path_factory)


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    """pip install fivedice."""
    return install(wheel, tmp_path_factory.mktemp("plain"))


def run_command(bare: Bare, *arguments: str, typed: str = "") -> str:
    done = bare.run(*arguments, typed=typed)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def assert_missing(bare: Bare, package: str, *arguments: str) -> None:
    done = bare.run(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert f"pip install '{package}'" in done.stderr


def test_library_needs_only_the_standard_library(wheel: Path, tmp_path: Path) -> None:
    bare = install(wheel, tmp_path, dependencies=False)
    done = bare.python_runs(LIBRARY)
    assert done.returncode == 0, done.stderr
    assert "Ann" in done.stdout or "Outcome" in done.stdout
    strangers = done.stdout.splitlines()[-1]
    assert [name for name in json.loads(strangers.replace("'", '"')) if not name.startswith("_")] == ["fivedice"]
    assert "play" in run_command(bare, "--help")
    assert_missing(bare, "fivedice", "play")


def test_game_with_bot_and_hints(plain: Bare) -> None:
    shown = run_command(
        plain, "play", "yahtzee", "Ann", "--bot", "perfect", "--plain", typed="roll\nhint\nscore ch\nquit\n"
    )
    assert "Best" in shown or "Keep" in shown or "keep" in shown
    listed, exported, unfinished = plain.run_all(["games"], ["games", "export"], ["stats"])
    assert (listed[0], "Ann" in listed[1], listed[2]) == (0, True, "")
    assert (exported[0], "yahtzee" in exported[1], exported[2]) == (0, True, "")
    assert (unfinished[0], "Traceback" in unfinished[2]) == (2, False), "no game is finished yet"


PLAIN = [
    ["score", "yahtzee", "44444"],
    ["hint", "yahtzee", "24466", "--rolls-left", "2"],
    ["hint", "kismet", "24466", "--rolls-left", "1", "--json"],
    ["odds", "yahtzee"],
    ["rules"],
    ["bots"],
    ["simulate", "yahtzee", "--bot", "steady", "--games", "2"],
    ["demo", "yahtzee"],
    ["report", "game.txt"],
    ["stats", "game.txt"],
    ["replay", "game.txt"],
]


def test_plain_installation_works(plain: Bare) -> None:
    assert plain.python_runs(LIBRARY, "game.txt").returncode == 0
    for arguments, (status, out, err) in zip(PLAIN, plain.run_all(*PLAIN), strict=True):
        assert (status, bool(out), err) == (0, True, ""), arguments


# By what is missing for them.
MISSED = [
    ("fivedice[solver]", ["hint", "house.toml", "24466", "--rolls-left", "2"]),
    ("fivedice[solver]", ["odds", "yahtzee", "--card", "4s:12"]),
    ("fivedice[solver]", ["simulate", "yahtzee"]),
    ("fivedice[solver]", ["chase", "yahtzee", "--target", "250"]),
    ("fivedice[web]", ["serve"]),
    ("fivedice[web]", ["pad", "--out", "pad"]),
]


def test_missing_extras_are_named(plain: Bare) -> None:
    (plain.folder / "house.toml").write_text(HOUSE)
    refusals = plain.run_all(*(arguments for _, arguments in MISSED))
    for (package, arguments), (status, out, err) in zip(MISSED, refusals, strict=True):
        assert (status, out) == (2, ""), (arguments, err)
        assert f"pip install '{package}'" in err, arguments


def test_server_extra_works(wheel: Path, tmp_path: Path) -> None:
    bare = install(wheel, tmp_path / "bare", extras=("web",))
    own = {name: value for name, value in bare.environment().items() if name != "FIVEDICE_CONFIG"}
    own["FIVEDICE_TABLES"] = ""  # the server reads what is shipped
    with Serving(tmp_path, settings=NO_LIMITS | own, python=str(bare.python)) as server:
        assert httpx.get(server.url, timeout=60).status_code == 200
        asked = {"book": "yahtzee", "card": "-", "dice": "24466", "rolls_left": "2"}
        hint = httpx.get(f"{server.url}/api/hint", params=asked, timeout=60)
        assert hint.status_code == 200, hint.text
    assert_missing(bare, "fivedice[reports]", "scorecard", "yahtzee", "--out", "sheet.pdf")


def test_guide_installs_what_it_uses(wheel: Path, tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    (extras,) = re.findall(r"^pip install '\.\[(.+)\]'$", guide, re.MULTILINE)
    bare = install(wheel, tmp_path / "bare", extras=tuple(extras.split(",")))
    (sheet,) = re.findall(r"^\$ fivedice (scorecard .+)$", guide, re.MULTILINE)
    assert "Saved: sheet.pdf" in run_command(bare, *sheet.split())


def test_learning_extra_works(wheel: Path, plain: Bare, tmp_path: Path) -> None:
    """Regrets of the shipped books need no compiler."""
    done = install(wheel, tmp_path, extras=("learning",)).python_runs(LEARNING)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr
    told = plain.python_runs(MISSING).stdout.splitlines()
    extras = ("learning", "learning", "openspiel")
    assert [line.partition("with ")[2] for line in told] == [f"pip install 'fivedice[{extra}]'." for extra in extras]


@long_only
def test_whole_games_of_all_books_work(plain: Bare) -> None:
    """As `test_without_solver` plays two of them."""
    done = plain.python_runs(GAMES.read_text(encoding="utf-8"), *SHIPPED)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@long_only
def test_other_extras_work(wheel: Path, tmp_path: Path) -> None:
    """Compiling takes a while."""
    solver = install(wheel, tmp_path / "solver", extras=("solver",))
    (solver.folder / "house.toml").write_text(HOUSE)
    run_command(solver, "hint", "house.toml", "24466", "--rolls-left", "2")
    reports = install(wheel, tmp_path / "reports", extras=("reports",))
    run_command(reports, "scorecard", "yahtzee", "--out", "sheet.pdf")
    assert (reports.folder / "sheet.pdf").read_bytes().startswith(b"%PDF")
    spiel = install(wheel, tmp_path / "spiel", extras=("openspiel",)).python_runs(OPENSPIEL)
    assert spiel.stdout == "1\n", spiel.stderr
    terminal = install(wheel, tmp_path / "terminal", extras=("terminal", "postgresql"))
    run_command(terminal, "score", "yatzy", "24466")
