"""The command line. A subcommand is loaded only when it is called; those that share much share a file."""

from __future__ import annotations

import os
import sys
from threading import active_count


def main(arguments: list[str] | None = None) -> None:
    """Run `fivedice`. Bad input ends with a sentence on standard error and exit code 2, never a traceback."""
    from fivedice.cli.command_list import INTERRUPTED, run  # everything heavier than this line waits until it is needed

    code = run(sys.argv[1:] if arguments is None else arguments)
    if code == INTERRUPTED and active_count() > 1:  # Python would wait for a thread that compiles
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
