"""The tree of commands. Only here the parser is loaded: the first page of help does without it."""

from __future__ import annotations

from importlib import import_module
from inspect import isfunction
from typing import Any

from cyclopts import App, Parameter

from fivedice import __version__
from fivedice.cli.command_list import COMMANDS
from fivedice.words.docstrings import is_help, translated
from fivedice.words.language import ENGLISH, current


def _command(path: str) -> Any:
    """Where a command is found when it is called; in another language the command itself, with its help translated."""
    if current() == ENGLISH:
        return path
    module, _, name = path.partition(":")
    loaded = import_module(module)
    for each in vars(loaded).values():
        if isfunction(each) and each.__module__ == module and is_help(each.__doc__ or ""):
            each.__doc__ = translated(each.__doc__ or "")
    return getattr(loaded, name)


app = App(
    name="fivedice",
    version=__version__,
    help_format="markdown",
    default_parameter=Parameter(negative=""),
)
for _name, _path in COMMANDS.items():
    app.command(_command(f"fivedice.cli.{_path}"), name=_name)
app.register_install_completion_command()
