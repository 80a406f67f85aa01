"""The tree of commands, and their help in other languages. The first page of help does without this module.

A docstring is split for translators and put together again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import cleandoc, isfunction

from cyclopts import App, Parameter

from fivedice import __version__
from fivedice.cli.command_list import COMMANDS
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


app = App(
    name="fivedice",
    version=__version__,
    help_format="markdown",
    default_parameter=Parameter(negative=""),
    suppress_keyboard_interrupt=False,  # `command_list` handles Ctrl-C
)
for _name, _path in COMMANDS.items():
    app.command(f"fivedice.cli.{_path}", name=_name)  # loaded when it is called; its docstring is its help
app.register_install_completion_command()


def translate_help(command: str) -> None:
    """Translate the docstrings of a command into the reader's language, before the parser reads them."""
    module = import_module(f"fivedice.cli.{COMMANDS[command].partition(':')[0]}")
    for function in filter(isfunction, vars(module).values()):
        if function.__module__ == module.__name__ and is_help(function.__doc__ or ""):
            function.__doc__ = in_language(function.__doc__ or "")
