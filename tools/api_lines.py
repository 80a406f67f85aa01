"""Write the public names into docs/api.md: what each takes, returns and raises, by its docstring.

A list stands between `<!-- api: NAMES -->` and `<!-- /api -->`. `tools/print_figures.py` calls this.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from importlib import import_module

from fivedice.dice import Multiset
from fivedice.rules import Pattern

_BLOCK = re.compile(r"(<!-- api: ([\w. ]+) -->\n)(.*?)(<!-- /api -->)", re.DOTALL)
_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z`])")
_BASES = {Multiset, Pattern}  # the page has their members once
_PLAIN = (property, cached_property)
_BOUND = (classmethod, staticmethod)
_MOST = 6  # fields of a class that its line shows


def renew(page: str) -> str:
    """Return the page with the lists as they are now."""
    return _BLOCK.sub(lambda found: "\n".join([found[1], *_lines(found[2].split()), "", found[4]]), page)


def find(name: str) -> object:
    """Return the value of a name such as `book` or `bots.bot`. Raise AttributeError if there is none."""
    home, _, last = f"fivedice.{name}".rpartition(".")
    return getattr(import_module(home), last)


def members(value: type) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties of a class, with those of its bases in this package."""
    parts: dict[str, object] = {}
    for each in value.__mro__:
        if each.__module__.startswith("fivedice."):
            parts = {**vars(each), **parts}
    for name, part in parts.items():
        if not name.startswith("_") and (inspect.isfunction(part) or isinstance(part, (*_PLAIN, *_BOUND))):
            yield name, part


def is_described(value: object) -> bool:
    """Return whether a name has a docstring of its own: no constants and types of arguments."""
    return inspect.isclass(value) or inspect.isroutine(value) or hasattr(value, "cache_info")


def _lines(names: list[str]) -> Iterator[str]:
    for name in names:
        value = find(name)
        yield _line("- ", name, value)
        if isinstance(value, type) and not issubclass(value, BaseException):
            inherited = {key for base in value.__mro__[1:] if base in _BASES for key, _ in members(base)}
            yield from (_line("  - ", f".{key}", part) for key, part in members(value) if key not in inherited)


def _line(start: str, name: str, value: object) -> str:
    if not is_described(value) and not isinstance(value, (*_PLAIN, *_BOUND)):
        return f"{start}`{name}`" + (f": {value!r}" if isinstance(value, (int, str)) else "")
    text = (inspect.getdoc(value) or "").partition("\n>>>")[0]
    first, *others = _SENTENCE.split(" ".join(text.split()))
    raised = [] if inspect.isclass(value) else [each for each in others if each.startswith("Raise")]
    return f"{start}`{name}{_signature(value)}`: {' '.join([first, *raised])}"


def _signature(value: object) -> str:
    """Return what a call takes and returns, without types; nothing where a type says more."""
    call = value.__func__ if isinstance(value, _BOUND) else value
    if not callable(call) or (isinstance(call, type) and (issubclass(call, BaseException) or _is_long(call))):
        return ""
    taken = list(inspect.signature(call).parameters.values())
    taken = taken[1:] if taken and taken[0].name in {"self", "cls"} else taken
    shown = str(inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in taken]))
    returned = "" if inspect.isclass(call) else str(getattr(call, "__annotations__", {}).get("return", ""))
    return shown + (f" → {returned}" if returned not in {"", "None"} else "")


def _is_long(value: type) -> bool:
    return (
        issubclass(value, Enum)
        or getattr(value, "_is_protocol", False)
        or len(inspect.signature(value).parameters) > _MOST
    )
