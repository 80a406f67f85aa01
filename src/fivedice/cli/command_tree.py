"""The tree of commands. The first page of help does without this module."""

from __future__ import annotations

from cyclopts import App, Parameter

from fivedice import __version__
from fivedice.cli.command_list import COMMANDS

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
