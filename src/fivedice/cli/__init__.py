"""The command line. A subcommand is loaded only when it is called; those that share much share a file."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run `fivedice`. Bad input ends with a sentence on standard error and exit code 2, never a traceback."""
    from fivedice.cli.command_list import run  # everything heavier than this line waits until it is needed

    sys.exit(run(sys.argv[1:] if arguments is None else arguments))
