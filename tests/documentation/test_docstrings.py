"""Examples in docstrings run."""

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import fivedice as fd
from documentation.pages import ROOT

SOURCE = ROOT / "src"
WITH_EXAMPLES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=module_of)
def test_docstring_examples_run(path: Path) -> None:
    tried = doctest.testmod(import_module(module_of(path)), extraglobs={"fd": fd}, optionflags=doctest.ELLIPSIS)
    assert tried.attempted
    assert tried.failed == 0


def test_client_docstring_has_the_program_of_the_page() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert found is not None
    assert found[1].strip() in inspect.getdoc(import_module("fivedice.client")).replace("\n    ", "\n")  # type: ignore[union-attr]
