"""Campaigns have one door, and their last known time is kept."""

import importlib
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    module = importlib.import_module("campaign")
    monkeypatch.setattr(module, "TIMES", tmp_path / "times.json")
    return module


def test_every_campaign_is_listed_with_its_time(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    tool.TIMES.write_text(json.dumps({"crash": {"seconds": 1200, "date": "2026-11-17"}}))
    tool.list_campaigns()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(tool.CAMPAIGNS)
    assert any(line.startswith("crash") and "20 min (2026-11-17)" in line for line in lines)
    assert any("not measured" in line for line in lines)


def test_programs_of_campaigns_find_what_they_import(tool: ModuleType) -> None:
    steps = " ".join(step for campaign in tool.CAMPAIGNS.values() for step in campaign["run"])
    for name in re.findall(r"python (?:-m |tools/)([\w.]+?)(?:\.py)?(?: |$)", steps):
        importlib.import_module(name)


def test_campaigns_keep_the_time_of_passed_runs(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tool.CAMPAIGNS, "small", {"what": "", "run": ["test ${WORD:-none} = none", "true"]})
    assert tool.run_campaign("small") == 0
    assert set(tool.read_times()) == {"small"}
    monkeypatch.setitem(tool.CAMPAIGNS, "broken", {"what": "", "run": ["exit 3", "exit 4"]})
    assert tool.run_campaign("broken") == 3
    assert set(tool.read_times()) == {"small"}


def test_unknown_campaign_is_quoted(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.run_campaign("crush") == 2
    error = capsys.readouterr().err
    assert "'crush'" in error
    assert "crash" in error


def test_campaigns_name_tests_that_exist(tool: ModuleType) -> None:
    commands = [command for campaign in tool.CAMPAIGNS.values() for command in campaign["run"]]
    named = {path for command in commands for path in re.findall(r"\b(?:tests|tools)/[\w/.]+", command)}
    assert named
    assert not [path for path in named if not (ROOT / path).exists()]


def test_solutions_of_another_solver_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    folders = importlib.import_module("solutions_folder")
    monkeypatch.setattr(folders, "KEPT", tmp_path)
    (tmp_path / "older").mkdir()
    folders.main()
    first = Path(capsys.readouterr().out.strip())
    assert [path.name for path in tmp_path.iterdir()] == [first.name]
    monkeypatch.setattr(folders, "LIBRARIES", ("numpy",))
    assert folders.find_digest() != first.name
    assert all(any((folders.PACKAGE / part).rglob("*.py")) for part in folders.PARTS), "a part without a source"
    assert "campaign" in sys.modules
