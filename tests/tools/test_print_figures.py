"""Figures on the pages match this tree."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    sys.modules.pop("house_tree", None)
    return importlib.import_module("print_figures")


def test_pages_have_current_figures(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["--check"]) == 0, f"{capsys.readouterr().out}Run: python tools/print_figures.py"


def test_blocks_are_renewed_and_counts_rounded(tool: ModuleType) -> None:
    text = "a <!-- figures:attacks -->33<!-- /figures --> b\n<!-- figures:walks -->\nold\n<!-- /figures -->"
    assert tool.renew(text, {"attacks": lambda: "38"}) == text.replace("33", "38")
    assert tool.renew(text, {"attacks": lambda: "33", "walks": lambda: "new"}).endswith(
        "<!-- figures:walks -->new<!-- /figures -->"
    )
    with pytest.raises(KeyError, match="moons"):
        tool.renew("<!-- figures:moons -->1<!-- /figures -->", {})
    assert [tool._round(number) for number in (7, 38, 123, 379, 52_251)] == ["7", "38", "120", "380", "52,000"]
