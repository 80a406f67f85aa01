"""Translate the help of commands: their docstrings are split for translators and put together again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import cleandoc

from fivedice.text.formatting import gettext

_PARAMETERS = "\n\nParameters\n----------\n"
_NAMED = re.compile(r"^(\w+)\n((?:[ ]{4}.*(?:\n|$))+)", re.MULTILINE)


def is_help(docstring: str) -> bool:
    """Return whether a docstring is shown as help: that of a command lists its parameters."""
    return _PARAMETERS in cleandoc(docstring)


def pieces(docstring: str) -> Iterator[str]:
    """Yield every paragraph and the text of every parameter, each on one line."""
    found: list[str] = []

    def collect(text: str) -> str:
        found.append(text)
        return text

    _rebuild(docstring, collect)
    yield from found


def in_language(docstring: str) -> str:
    """Return the docstring in the current language."""
    return _rebuild(docstring, gettext)


def _rebuild(docstring: str, change: Callable[[str], str]) -> str:
    about, _, rest = cleandoc(docstring).partition(_PARAMETERS)
    text = "\n\n".join(change(_on_one_line(paragraph)) for paragraph in about.split("\n\n"))
    named = [f"{name}\n    {change(_on_one_line(lines))}" for name, lines in _NAMED.findall(rest)]
    return text + _PARAMETERS + "\n".join(named) if named else text


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
