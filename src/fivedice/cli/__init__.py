"""The command line. A subcommand is loaded only when it is called; those that share much share a file."""

from __future__ import annotations

import os
import sys
from threading import active_count

INTERRUPTED, TERMINATED = 130, 143  # what a shell calls Ctrl-C and SIGTERM


def main(arguments: list[str] | None = None) -> None:
    """Run `fivedice`. Bad input ends with a sentence on standard error and exit code 2, never a traceback."""
    try:
        from fivedice.cli.command_list import run  # everything heavier than this line waits until it is needed

        code = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # while our own modules are being loaded
        code = INTERRUPTED
    ended = code in (INTERRUPTED, TERMINATED)
    if (ended or _still_compiles()) and active_count() > 1:  # Python would wait for a thread that compiles
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _still_compiles() -> bool:
    """Whoever left a screen meanwhile does not wait for it either."""
    watch = sys.modules.get("fivedice.solver.runtime.compile_watch")
    return watch is not None and watch.is_compiling()
