"""Find out which tests run which lines of the package, so that the tests of a mutant's line run first.

`trace_tests` runs the tests once, traced, in several processes. As a plugin of pytest this module names the running
test to the tracer, and records how long it took.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage

TOOLS = Path(__file__).parent
SECONDS = 10.0  # of the tests that run first
_took: dict[str, float] = {}


def pytest_runtest_logstart(nodeid: str) -> None:
    running = coverage.Coverage.current()
    if running is not None:
        running.switch_context(nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    _took[report.nodeid] = _took.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    if "MUTANT_TIMES" in os.environ:
        Path(os.environ["MUTANT_TIMES"]).write_text(json.dumps(_took))


@dataclass(frozen=True)
class Tests:
    """The tests that run each line, and how long each test takes."""

    lines: dict[str, dict[int, set[str]]]  # by file, below the package
    took: dict[str, float]

    def first(self, file: str, line: int, last: int) -> list[str]:
        """Return the quickest tests that run these lines, within the time."""
        here = self.lines.get(file, {})
        found = {test for number in range(line, last + 1) for test in here.get(number, ())}
        chosen, spent = [], 0.0
        for test in sorted(found, key=lambda test: (self.took.get(test, SECONDS), test)):
            spent += self.took.get(test, SECONDS)
            if spent > SECONDS and chosen:
                break
            chosen.append(test)
        return chosen


def trace_tests(root: Path, package: Path, tests: Iterable[str], folder: Path, workers: int) -> Tests:
    """Run these files and folders in several workers. Return which tests run which lines."""
    files = sorted(files_of(root, tests))
    parts = [files[number::workers] for number in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda part: _trace(root, package, parts[part], folder / str(part)), range(workers)))
    return _read(package, [folder / str(part) for part in range(workers)])


def files_of(root: Path, tests: Iterable[str]) -> list[Path]:
    """Return the test files in this order, each once. Pytest skips a folder that comes after one of its files."""
    return list(dict.fromkeys(file for test in tests for file in _files(root / test)))


def _files(place: Path) -> list[Path]:
    return [place] if place.suffix == ".py" else sorted(place.rglob("test_*.py"))


def _trace(root: Path, package: Path, files: Sequence[Path], name: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(TOOLS), "MUTANT_TIMES": str(name.with_suffix(".json"))}
    tracer = [sys.executable, "-m", "coverage", "run", "--rcfile=", f"--source={package}"]
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "mutant_tests", *map(str, files)]
    command = [*tracer, f"--data-file={name.with_suffix('.lines')}", *tests]
    subprocess.run(command, cwd=root, env=environment, stdout=subprocess.DEVNULL, check=False)


def _read(package: Path, names: Sequence[Path]) -> Tests:
    lines: dict[str, dict[int, set[str]]] = {}
    took: dict[str, float] = {}
    for name in names:
        took |= json.loads(name.with_suffix(".json").read_text())
        data = coverage.CoverageData(str(name.with_suffix(".lines")))
        data.read()
        for file in data.measured_files():
            here = lines.setdefault(Path(file).relative_to(package).as_posix(), {})
            for number, contexts in data.contexts_by_lineno(file).items():
                here.setdefault(number, set()).update(filter(None, contexts))
    return Tests(lines, took)
