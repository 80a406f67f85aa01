"""Environments made without a network: the wheel, and of what this environment has only what the wheel asks for.

The packages are links to the ones of `make setup`, so an environment is made in a second. It has what the
metadata of the wheel leads to, extra by extra, and not a package more: a dependency that is not declared is missing.
"""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from filelock import FileLock
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
BUILD = """
import sys
from hatchling.builders.wheel import WheelBuilder
print(*WheelBuilder(sys.argv[1]).build(directory=sys.argv[2]))
"""
HOUSE = 'extends = "yatzy-forced"\nname = "Ours"\n[bonus]\npoints = 51\n'  # rules that are not shipped
SCRIPT = "from fivedice.cli import main; main()"
SEVERAL = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from fivedice.cli.command_list import run
done = []
for arguments in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = run(arguments)
    done.append([status, out.getvalue(), err.getvalue()])
print(json.dumps(done))
"""


def build_wheel(folder: Path, root: Path = ROOT) -> Path:
    """Build it with the builder that is installed here."""
    command = [sys.executable, "-c", BUILD, str(root), str(folder)]
    built = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    return Path(built.stdout.strip())


def shared_wheel(factory: pytest.TempPathFactory) -> Path:
    """Return the wheel shared by all processes of this run, built on first use."""
    own = factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "wheel"
    with FileLock(f"{folder}.lock"):
        return next(folder.glob("*.whl"), None) or build_wheel(folder)


def unpack(wheel: Path) -> Path:
    """Return the unpacked wheel. All environments link to it, so Python compiles its modules once."""
    folder = wheel.parent / "unpacked"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            with ZipFile(wheel) as content:
                content.extractall(folder)
    return folder


@dataclass(frozen=True)
class Bare:
    """An environment; its user has empty folders of their own."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages"))

    @property
    def size(self) -> int:
        """Bytes of all that is installed, without compiled modules."""
        return sum(_size(path) for path in self.site.iterdir())

    def environment(self) -> dict[str, str]:
        user, kept = self.folder / "user", ("PATH", "LANG", "SYSTEMROOT", "TMPDIR")
        own = {"HOME": user, "FIVEDICE_CACHE": user / "cache", "FIVEDICE_DATA": user / "data"}
        own |= {"FIVEDICE_CONFIG": user / "config.toml", "NUMBA_CACHE_DIR": user / "numba"}
        return {name: os.environ[name] for name in kept if name in os.environ} | {
            name: str(value) for name, value in own.items()
        }

    def run(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """`fivedice` with these arguments."""
        return self.python_runs(SCRIPT, *arguments, typed=typed)

    def run_all(self, *commands: list[str]) -> list[tuple[int, str, str]]:
        """Run `fivedice` with each of these, in one process: status, output and errors."""
        done = self.python_runs(SEVERAL, json.dumps(commands))
        assert done.returncode == 0, done.stderr
        return [(status, out, err) for status, out, err in json.loads(done.stdout)]

    def python_runs(self, code: str, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        command = [str(self.python), "-c", code, *arguments]
        environment = self.environment()
        return subprocess.run(command, capture_output=True, text=True, input=typed, env=environment, cwd=self.folder)


def install(wheel: Path, folder: Path, *, extras: tuple[str, ...] = (), dependencies: bool = True) -> Bare:
    """Install the wheel into a new environment."""
    venv.create(folder, with_pip=False, symlinks=True)
    found = Bare(folder)
    for part in unpack(wheel).iterdir():
        (found.site / part.name).symlink_to(part)
    if dependencies:
        (metadata,) = found.site.glob("fivedice-*.dist-info")
        for each in closure(PathDistribution(metadata), extras):
            _link(each, found.site)
    return found


def closure(start: Distribution, extras: tuple[str, ...]) -> list[Distribution]:
    """All packages that a distribution leads to."""
    found: dict[tuple[str, str], Distribution] = {}
    waiting = [(start, extra) for extra in ("", *extras)]
    while waiting:
        package, extra = waiting.pop()
        for needed in _needed(package, extra):
            for other in ("", *needed.extras):
                key = canonicalize_name(needed.name), other
                if key not in found:
                    found[key] = start if key[0] == "fivedice" else distribution(needed.name)
                    waiting.append((found[key], other))
    return list({key[0]: package for key, package in found.items() if key[0] != "fivedice"}.values())


def _needed(package: Distribution, extra: str) -> Iterator[Requirement]:
    for text in package.requires or ():
        needed = Requirement(text)
        if needed.marker is None:
            if not extra:
                yield needed
        elif needed.marker.evaluate({"extra": extra}):
            yield needed


def _link(package: Distribution, site: Path) -> None:
    tops = {path.parts[0] for path in package.files or () if path.parts[0] not in {"..", "__pycache__"}}
    for top in tops:
        here = Path(str(package.locate_file(top)))
        if not (site / top).exists():
            (site / top).symlink_to(here)


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    files = (each for each in path.resolve().rglob("*") if each.is_file() and each.suffix != ".pyc")
    return sum(each.stat().st_size for each in files)


GAMES = Path(__file__).with_name("bare_games.py")
