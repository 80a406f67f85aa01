"""The help of a command is its docstring: taken apart for translators, and put together in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import cleandoc

from fivedice.words.formatting import gettext

_PARAMETERS = "\n\nParameters\n----------\n"
_NAMED = re.compile(r"^(\w+)\n((?:[ ]{4}.*(?:\n|$))+)", re.MULTILINE)


def is_help(docstring: str) -> bool:
    """Whether people see it: the docstring of a command lists its parameters."""
    return _PARAMETERS in cleandoc(docstring)


def pieces(docstring: str) -> Iterator[str]:
    """Every paragraph and every text about a parameter, on one line."""
    found: list[str] = []

    def seen(text: str) -> str:
        found.append(text)
        return text

    _rebuilt(docstring, seen)
    yield from found


def in_language(docstring: str) -> str:
    """The docstring in the language in use."""
    return _rebuilt(docstring, gettext)


def _rebuilt(docstring: str, change: Callable[[str], str]) -> str:
    about, _, rest = cleandoc(docstring).partition(_PARAMETERS)
    text = "\n\n".join(change(_on_one_line(paragraph)) for paragraph in about.split("\n\n"))
    named = [f"{name}\n    {change(_on_one_line(lines))}" for name, lines in _NAMED.findall(rest)]
    return text + _PARAMETERS + "\n".join(named) if named else text


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
