"""The command line. A subcommand is loaded only when it is called; similar commands share a file."""

from __future__ import annotations

import os
import signal
import sys
from threading import active_count
from types import FrameType

INTERRUPTED, TERMINATED = 130, 143  # the exit codes of a shell after Ctrl-C and SIGTERM


def main(arguments: list[str] | None = None) -> None:
    """Run `fivedice`. Bad input ends with a message on standard error and exit code 2, never with a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from fivedice.cli.command_list import run  # late, so that Ctrl-C works while it is loaded

        code = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    ended = code in (INTERRUPTED, TERMINATED)
    if (ended or _is_compiling()) and active_count() > 1:  # Python would wait for the compiler's thread
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; while a module is loaded, exit at once, because importlib may swallow the exception."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os._exit(INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


def _is_compiling() -> bool:
    watch = sys.modules.get("fivedice.solver.runtime.compile_watch")
    return watch is not None and watch.is_compiling()
