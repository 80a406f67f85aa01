"""Jobs for a background process, in a module that loads quickly."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fivedice.solver.runtime import compile_watch

if TYPE_CHECKING:
    from fivedice.core.rules import RuleBook
    from fivedice.solver.runtime.worker_threads import Progress


def fail(book: RuleBook, _: Progress) -> None:
    raise ZeroDivisionError(book.key)


def die(_book: RuleBook, _: Progress) -> None:
    os._exit(3)


def compile_for_a_while(_: RuleBook, progress: Progress) -> None:
    progress(1, 4)
    compile_watch.begins()
    progress(2, 4)
    compile_watch.ends()
    progress(3, 4)


def die_while_compiling(_: RuleBook, progress: Progress) -> None:
    compile_watch.begins()
    progress(1, 4)
    os._exit(3)


def work_for_ever(_: RuleBook, progress: Progress) -> None:
    progress(os.getpid(), 1 << 40)
    while True:
        pass


def want_memory(_: RuleBook, _progress: Progress) -> None:
    bytearray(1 << 29)
