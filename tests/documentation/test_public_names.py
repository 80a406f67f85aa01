"""Every public name says what it takes, returns and raises, has an example that runs, and stands in docs/api.md."""

import inspect
import re
from importlib import import_module

import api_lines

import fivedice as fd
from documentation.pages import ROOT

API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
LISTED = [name for names in re.findall(r"<!-- api: (.+?) -->", API) for name in names.split()]
MODULES = ("", "bots.", "dice.", "notation.", "rules.", "client.", "learning.")


def public_names() -> list[str]:
    """Return the names of all public modules, each where it is shortest."""
    names = [f"{home}{name}" for home in MODULES for name in import_module(f"fivedice.{home}".rstrip(".")).__all__]
    return [name for name in names if not inspect.ismodule(api_lines.find(name))]


def test_api_page_lists_every_public_name() -> None:
    listed = {id(api_lines.find(name)) for name in LISTED}
    assert [name for name in public_names() if id(api_lines.find(name)) not in listed] == []


def faults(name: str, value: object) -> list[str]:
    """Return what the docstring of a function or a class lacks. An example may stand in that of its public module."""
    text, (home, _, last) = inspect.getdoc(value) or "", f"fivedice.{name}".rpartition(".")
    together = re.findall(r"^(?:>>>|   ) .*$", import_module(home).__doc__ or "", re.MULTILINE)
    shown = any(sign in text for sign in (">>> ", "::\n", ": see `"))
    shown |= any(re.search(rf"\b{last}\b", line) for line in together)
    if inspect.isclass(value):
        shown |= any(">>> " in (inspect.getdoc(part) or "") for _, part in api_lines.members(value))
        return [] if text and shown else [f"{name}: an example"]
    found = [] if shown else [f"{name}: an example"]
    taken = inspect.signature(value).parameters  # type: ignore[arg-type]
    found += [f"{name}: the parameter {each}" for each in taken if not re.search(rf"\b{each}\b", text)]
    returned = getattr(value, "__annotations__", {}).get("return")
    if returned not in (None, "None") and not re.match(r"(Return|Yield|Play|Make|Work out|Derive|Let|Join)\b", text):
        found.append(f"{name}: what it returns")
    if taken and not re.search(r"[Rr]aises?\s|[Ee]rrors", text) and _takes_input(value):
        found.append(f"{name}: what it raises")
    return found


def _takes_input(value: object) -> bool:
    """Return whether a function takes rules, dice or a path that may be wrong."""
    types = " ".join(map(str, getattr(value, "__annotations__", {}).values()))
    return bool(re.search(r"AnyBook|AnyDice|Path", types))


def test_public_docstrings_are_complete() -> None:
    every = {name: api_lines.find(name) for name in [*public_names(), *LISTED]}
    assert [fault for name, value in every.items() if _is_ours(value) for fault in faults(name, value)] == []


def test_members_of_public_classes_have_docstrings() -> None:
    classes = [(name, value) for name in LISTED if inspect.isclass(value := api_lines.find(name))]
    parts = [(f"{name}.{key}", part) for name, value in classes for key, part in api_lines.members(value)]
    assert ("Game.roll", fd.Game.roll) in parts
    assert [name for name, part in parts if not inspect.getdoc(part)] == []


def _is_ours(value: object) -> bool:
    """Return whether a name needs an example: errors and types of arguments do not."""
    error = isinstance(value, type) and issubclass(value, BaseException)
    return api_lines.is_described(value) and str(value.__module__).startswith("fivedice") and not error
