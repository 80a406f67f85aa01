"""The mutant campaign: what it breaks, and how it tells whether a test detects it."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from for_each import for_each

ROOT = Path(__file__).parents[2]


mutants, mutant_tests = import_module("mutants"), import_module("mutant_tests")
SOURCE = '''def most(one: int, other: int = 0) -> int:
    """The larger one."""
    return one if one > other else other
'''
GOOD = "from broken.most import most\n\n\ndef test_most() -> None:\n    assert (most(1, 2), most(2, 1)) == (2, 2)\n"
WEAK = "from broken.most import most\n\n\ndef test_most() -> None:\n    assert most(1, 1) == 1\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "copy" / "broken"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "most.py").write_text(SOURCE)
    return folder


def found() -> list[Any]:
    return list(mutants.find_mutants(SOURCE, "most.py", "test_most.py"))


def test_only_executed_code_is_mutated() -> None:
    assert [(one.old, one.new) for one in found()] == [
        ("return one if one > other else other", "return None"),
        ("one if one > other else other", "(other if one > other else one)"),
        ("one > other", "(one >= other)"),
    ]
    assert found()[2].apply(SOURCE.encode()).decode() == SOURCE.replace("one > other", "(one >= other)")


@for_each(
    ("line", "broken"),
    [
        ("return None", []),
        ("return False", ["(True)"]),
        ("raise AssertionError('no table is so')", []),
        ("raise NotImplementedError", []),
        ("raise LookupError(1)", ["pass", "(2)"]),
        ("return zip((), strict=True)", ["return None"]),
    ],
)
def test_equivalent_changes_are_no_mutants(line: str, broken: list[str]) -> None:
    found = mutants.find_mutants(f"def nothing() -> object:\n    {line}\n", "none.py", "")
    assert [one.new for one in found] == broken


@pytest.mark.parametrize(("test", "noticed"), [(GOOD, [True, True, False]), (WEAK, [True, False, False])])
def test_mutant_is_detected_if_a_test_fails(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, test: str, noticed: list[bool]
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # which take longer than these tests
    (tmp_path / "test_most.py").write_text(test)
    assert [mutants.is_noticed(one, package, tmp_path) for one in found()] == noticed
    assert (package / "most.py").read_text() == SOURCE, "restored"


def test_mutant_runs_first_on_the_fastest_tests_of_its_line(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(mutant_tests, "TOOLS", f"{mutant_tests.TOOLS}:{package.parent}")
    (tmp_path / "test_one.py").write_text(f"{GOOD}\n\ndef test_nothing() -> None:\n    pass\n")
    (tmp_path / "test_two.py").write_text(WEAK)
    folder = tmp_path / "known"
    folder.mkdir()
    known = mutant_tests.trace_tests(tmp_path, package, ["test_one.py", "test_two.py"], folder, 2)
    assert set(known.first("most.py", 3, 3)) == {"test_one.py::test_most", "test_two.py::test_most"}
    assert known.first("most.py", 1, 2) == []
    took = {"slow": 9.0, "quick": 0.5, "next": 3.0}
    assert mutant_tests.Tests({"most.py": {3: set(took)}}, took).first("most.py", 2, 4) == ["quick", "next"]
    assert mutant_tests.Tests({"most.py": {3: {"slow"}}}, {"slow": 99.0}).first("most.py", 3, 3) == ["slow"]


def test_undetected_by_the_first_tests_runs_the_others(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "test_most.py").write_text(GOOD)
    (tmp_path / "test_weak.py").write_text(WEAK)
    assert mutants.is_noticed(found()[1], package, tmp_path, ["test_weak.py"]) is True


def test_folder_is_asked_after_its_file(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    room = tmp_path / "room"
    room.mkdir()
    (room / "test_most.py").write_text(GOOD)
    (room / "test_weak.py").write_text(WEAK)
    one = replace(found()[1], tests="room/test_weak.py room")
    assert mutants.is_noticed(one, package, tmp_path) is True


ENDLESS = "import time\n\n\ndef test_most() -> None:\n    time.sleep(3600)\n"
HANGS = GOOD.replace("def test", "from time_limit import Hung\n\n\ndef test").replace(
    "    assert (most(1, 2), most(2, 1)) == (2, 2)", "    if (most(1, 2), most(2, 1)) != (2, 2):\n        raise Hung"
)


@pytest.mark.parametrize(
    ("test", "noticed"),
    [
        ("from time_limit import Hung\n\n\ndef test_most() -> None:\n    raise Hung\n", None),
        (HANGS, True),
        (ENDLESS, None),
        ("", None),
    ],
    ids=["slow by itself", "slow by the mutant", "without end", "no test"],
)
def test_slow_tests_say_nothing(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, test: str, noticed: bool | None
) -> None:
    """A slow test on a busy machine does not count as a noticed mutant."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr(mutants, "PATIENCE", 5 if test == ENDLESS else 300)
    (package.parent / "time_limit.py").write_text("class Hung(Exception):\n    pass\n")
    (tmp_path / "test_most.py").write_text(test)
    assert mutants.is_noticed(found()[1], package, tmp_path) is noticed
    assert (package / "most.py").read_text() == SOURCE, "restored"


def test_sample_is_stable_when_other_lines_change() -> None:
    everything = mutants.list_mutants(mutants.ROOT / "src" / "fivedice")
    some = mutants.draw(everything, 50, 1)
    assert len(set(some)) == 50
    assert some != mutants.draw(everything, 50, 2)
    gone = {one.file for one in some[:5]}
    fewer = [one for one in everything if one.file not in gone]
    kept = [one for one in some if one.file not in gone]
    assert mutants.draw(fewer, 50, 1)[: len(kept)] == kept


def test_every_campaign_file_exists_and_has_mutants() -> None:
    everything = mutants.list_mutants(mutants.ROOT / "src" / "fivedice")
    for room, tests in mutants.ROOMS.items():
        assert any(one.file.startswith(room) for one in everything), room
        assert all((mutants.ROOT / test).exists() for test in tests.split()), tests
    known = {str(one) for one in everything}
    assert mutants.read_equivalent() <= known, "a listed mutant no longer exists"
