"""The public names: written down, resolvable, explained; and the version that the changelog knows."""

import inspect
import re
from pathlib import Path

import pytest

import fivedice as fd
from fivedice import errors
from for_each import for_each

REPOSITORY = Path(__file__).parents[2]


@for_each("name", fd.__all__)
def test_every_public_name_resolves_and_is_explained(name: str) -> None:
    value = getattr(fd, name)
    assert name in dir(fd)
    if callable(value) or inspect.ismodule(value):
        assert inspect.getdoc(value), f"{name} has no docstring"


def test_the_list_of_names_is_sorted_and_complete() -> None:
    assert len(set(fd.__all__)) == len(fd.__all__)
    assert set(fd.__all__) == set(fd._HOME_OF)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fivedice' has no attribute 'dise'"):
        _ = fd.dise  # type: ignore[attr-defined]


def test_the_names_of_the_first_day_are_there() -> None:
    promised = {"book", "Scorecard", "Roll", "Game", "dice", "read_game", "write_game", "apply", "SHIPPED"}
    assert promised <= set(fd.__all__)


@for_each("package", ["dice", "rules", "game", "notation"])
def test_every_name_of_a_package_is_explained(package: str) -> None:
    module = __import__(f"fivedice.{package}", fromlist=["*"])
    assert module.__doc__
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), f"{package}.{name} has no docstring"


def test_the_tree_of_errors_is_drawn_as_it_grows() -> None:
    drawn = re.findall(r"(\w+) {2,}|^    (\w+)$", errors.__doc__ or "", flags=re.MULTILINE)
    names = {first or second for first, second in drawn}
    own = ((name, value) for name, value in vars(errors).items() if getattr(value, "__module__", "") == errors.__name__)
    classes = {name for name, value in own if inspect.isclass(value)}
    assert names == classes
    assert all(issubclass(getattr(errors, name), fd.FivediceError) for name in classes)


def test_errors_can_be_caught_as_the_kind_that_python_has() -> None:
    for name in ("MalformedError", "IllegalError", "IllegalMove", "IllegalCard", "IllegalRecord", "BookError"):
        assert issubclass(getattr(fd, name), ValueError)
    assert issubclass(fd.UnknownBook, LookupError)
    assert issubclass(fd.MissingExtra, ModuleNotFoundError)
    assert not issubclass(fd.IllegalError, fd.MalformedError)
    assert not issubclass(fd.MalformedError, fd.IllegalError)


def test_the_changelog_begins_with_what_is_unreleased_and_this_version() -> None:
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (\S+)", changelog, flags=re.MULTILINE)
    assert next(each for each in found if each != "Unreleased") == fd.__version__
    assert found[1:].count("Unreleased") == 0
    assert f'version = "{fd.__version__}"' in (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
