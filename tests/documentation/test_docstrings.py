"""Examples in docstrings run, and public names have docstrings."""

import doctest
import inspect
import re
from functools import cached_property
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


def _documented() -> list[tuple[str, object]]:
    """Return the functions, classes and members that docs/api.md names."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    found: list[tuple[str, object]] = []
    for names in re.findall(r"<!-- api: (.+?) -->", page):
        for name in names.split():
            home, _, last = f"fivedice.{name}".rpartition(".")
            value = getattr(import_module(home), last)
            if callable(value):
                found += [(name, value), *_members(name, value)]
    return found


def _members(name: str, value: object) -> list[tuple[str, object]]:
    own = vars(value).items() if inspect.isclass(value) else ()
    kinds = (property, cached_property, classmethod, staticmethod)
    return [
        (f"{name}.{key}", part) for key, part in own if key[0] != "_" and (callable(part) or isinstance(part, kinds))
    ]


def test_public_names_have_docstrings() -> None:
    named = _documented()
    assert ("Game.roll", fd.Game.roll) in named
    assert [name for name, value in named if not inspect.getdoc(value)] == []


def test_api_page_lists_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = {name.split(".")[0] for names in re.findall(r"<!-- api: (.+?) -->", page) for name in names.split()}
    modules = {name for name in fd.__all__ if inspect.ismodule(getattr(fd, name))}
    assert set(fd.__all__) - listed == modules - listed


def test_client_docstring_has_the_program_of_the_page() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert found is not None
    assert found[1].strip() in inspect.getdoc(import_module("fivedice.client")).replace("\n    ", "\n")  # type: ignore[union-attr]
