"""The tree of commands. Only this module loads the parser; the first page of help does without it."""

from __future__ import annotations

from importlib import import_module
from inspect import isfunction

from cyclopts import App, Parameter

from fivedice import __version__
from fivedice.cli.command_list import COMMANDS
from fivedice.text.docstrings import in_language, is_help

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
