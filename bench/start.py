"""The size of an installation, and its first answers: `python -m bench start`.

A wheel is built and installed into environments that have only what it asks for, as `tests/installs` does. Then the
commands are run as somebody new would: nothing kept, nothing compiled; and once more. FIVEDICE_BESIDE names the folder
of another checkout, whose wheel is measured in the same run, command by command by turns.
"""

from __future__ import annotations

import compileall
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE / "tests"))
from installs.bare import Bare, build_wheel, installed

GAME = """
import sys
import fivedice as fd
game = fd.Game.new(fd.book("yahtzee"), ["Ann"], dice=fd.dice.seeded(7))
while not game.is_over:
    game.roll()
    game.mark(next(iter(game.position.card.options(game.position.roll))))
open("game.txt", "w").write(fd.write_game(game))
"""
COMMANDS = {
    "score": ("score", "yahtzee", "44444"),
    "hint": ("hint", "yahtzee", "24466", "--rolls-left", "2"),
    "odds": ("odds", "yahtzee"),
    "report": ("report", "game.txt"),
}
EXTRAS = ("", "terminal", "solver", "web")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trees = {"now": HERE} | ({"beside": Path(beside)} if (beside := os.environ.get("FIVEDICE_BESIDE")) else {})
        wheels = {tree: build_wheel(folder / tree, root) for tree, root in trees.items()}
        for tree, wheel in wheels.items():
            _print_sizes(tree, wheel, folder)
        bares = {tree: _compiled(installed(wheel, folder / f"{tree}-run")) for tree, wheel in wheels.items()}
        for title, command in COMMANDS.items():
            for tree, bare in bares.items():
                _print_times(tree, title, bare, command)


def _print_sizes(tree: str, wheel: Path, folder: Path) -> None:
    print(f"{tree}: wheel {wheel.stat().st_size / 1e6:.1f} MB")
    for number, extra in enumerate(EXTRAS):
        try:
            bare = installed(wheel, folder / f"{tree}-{number}", extras=(extra,) if extra else ())
        except StopIteration:
            continue
        package = f"fivedice[{extra}]" if extra else "fivedice"
        print(f"{tree}: pip install {package}: {bare.size / 1e6:.0f} MB", flush=True)


def _compiled(bare: Bare) -> Bare:
    """As pip leaves it."""
    compileall.compile_dir(bare.site / "fivedice", quiet=2)
    bare.python_runs(GAME)
    return bare


def _print_times(tree: str, title: str, bare: Bare, command: tuple[str, ...]) -> None:
    """The first time, with nothing kept; and the second."""
    shutil.rmtree(bare.folder / "user", ignore_errors=True)
    for which in ("first", "again"):
        before, began = _processor(), perf_counter()
        done = bare.run(*command)
        taken, processor = perf_counter() - began, _processor() - before
        how = "" if done.returncode == 0 else f" (exit code {done.returncode})"
        print(f"{tree}: {title}, {which}: {taken:.2f} s, {processor:.2f} s of processor{how}", flush=True)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
