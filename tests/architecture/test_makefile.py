"""No folder of tests may be forgotten by `make test`."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
MAKEFILE = (TESTS.parent / "Makefile").read_text(encoding="utf-8")


def listed(name: str) -> set[str]:
    """The folders that a variable of the Makefile names."""
    found = re.search(rf"^{name} := ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    assert found is not None, name
    return set(re.findall(r"tests/(\w+)", found[1]))


def is_campaign_alone(folder: Path) -> bool:
    """Run by `-m campaign tests`, wherever it lies."""
    return all("pytestmark = pytest.mark.campaign" in file.read_text("utf-8") for file in folder.glob("test_*.py"))


def test_every_folder_of_tests_is_run() -> None:
    folders = {file.parent for file in TESTS.glob("*/test_*.py")}
    run = listed("CORE") | listed("REST") | {"browser"}
    assert {folder.name for folder in folders if not is_campaign_alone(folder)} == run
    assert "-m campaign tests" in MAKEFILE


def test_every_target_that_is_no_file_is_said_to_be_none() -> None:
    found = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert found is not None
    assert set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE)) == set(found[1].split())
