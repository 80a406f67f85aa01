"""The tree of commands. Only here the parser is loaded: the first page of help does without it."""

from __future__ import annotations

from cyclopts import App, Parameter

from fivedice import __version__
from fivedice.cli.command_list import COMMANDS

app = App(
    name="fivedice",
    version=__version__,
    help_format="markdown",
    default_parameter=Parameter(negative=""),
)
for _name, _path in COMMANDS.items():
    app.command(f"fivedice.cli.{_path}", name=_name)  # loaded when it is called; its help is its own docstring
app.register_install_completion_command()
