# mypy: disable-error-code="no-untyped-call, import-untyped"
"""`kernel` compiles a function with numba and stores the result on disk until any of its sources changes.

Numba identifies a stored function by the content of its own file. But the functions that it calls are compiled into it,
and they may be in other files. So here it is identified by the content of its file and of all files of this package
that it imports, directly or not. A changed kernel replaces the stored one, so nothing piles up. Numba decides where to
store it: NUMBA_CACHE_DIR, next to the source, or the user's cache folder. If none of them can be written, every process
compiles anew.
"""

from __future__ import annotations

import ast
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from fivedice.solver.runtime import compile_watch

compile_watch.require_compiler()  # every kernel imports this module, so the error is raised here

import llvmlite
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.event import Event, Listener, register

log = logging.getLogger(__name__)

_BY_OTHERS = 0o022  # write permission of the group and of all others
_KERNELS = "*.nb[ci]"  # numba's cache files


class _Compiling(Listener):
    """Reports when numba compiles; loading from the cache is not reported."""

    def on_start(self, event: Event) -> None:  # noqa: ARG002
        compile_watch.begins()

    def on_end(self, event: Event) -> None:  # noqa: ARG002
        compile_watch.ends()


register("numba:compile", _Compiling())

_ROOT = Path(__file__).parents[3]  # the folder of the package `fivedice`


def kernel_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator like `kernel`, with further options for numba."""

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = njit(nogil=True, error_model="numpy", **options)(function)
        with suppress(RuntimeError, OSError):  # no folder to store it in, or no source to identify it by
            dispatcher._cache = _KernelCache(function)  # noqa: SLF001
        return dispatcher

    return compiled


kernel = kernel_with()  # compiled without the interpreter lock, and stored


class _NamedBySources(CompileResultCacheImpl):
    """Names files by their sources, so that files of other versions, whose types may differ, are never read."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        stamp = source_stamp(Path(self.locator._py_file))  # noqa: SLF001
        return f"{fullname}-{stamp}.py{sys.version_info[0]}{sys.version_info[1]}{abiflags}"


class _KernelCache(FunctionCache):
    """Reads only files that no other user can have written: loading a stored kernel runs its code."""

    _impl_class = _NamedBySources

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not is_ours_alone(Path(self._cache_path)):
            return None
        return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        if not is_ours_alone(Path(self._cache_path)):  # numba reads the list of kernels before it writes it
            return
        super().save_overload(sig, data)
        ours = self._impl.filename_base.rpartition(".py")[0]
        for path in Path(self._cache_path).glob(f"{ours.partition('-')[0]}-*"):
            with suppress(OSError):
                if path.name.startswith(ours):
                    _close(path)
                else:  # of older sources
                    path.unlink()


@cache
def is_ours_alone(folder: Path) -> bool:
    """Return whether only we and root can have written the kernels in a folder.

    Our own folder is closed to others, and kernels that they could have written there before are deleted.
    """
    if sys.platform == "win32" or not folder.exists():  # other permissions, or nothing to read
        return True
    try:
        if folder.stat().st_uid == os.geteuid():
            was_open = not _is_closed(folder)
            _close(folder)
            for path in folder.glob(_KERNELS):
                if was_open or not _is_closed(path):
                    path.unlink(missing_ok=True)
        found = all(map(_is_closed, (folder, *folder.glob(_KERNELS))))
    except OSError:
        found = False
    if not found:
        log.warning("kernels are compiled anew: others can write to %s", folder)
    return found


def _is_closed(path: Path) -> bool:
    found = path.stat()
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & _BY_OTHERS


def _close(path: Path) -> None:
    mode = path.stat().st_mode
    if mode & _BY_OTHERS:
        path.chmod(mode & ~_BY_OTHERS)


@cache
def source_stamp(file: Path) -> str:
    """Return a hash of all sources of a file's kernels, and of the libraries that numba does not check."""
    digest = sha256(f"{np.__version__} {llvmlite.__version__}".encode())
    found, new = {file}, {file}
    while new:
        new = {path for each in new for path in _find_imports(each)} - found
        found |= new
    for path in sorted(found):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _find_imports(file: Path) -> tuple[Path, ...]:
    """Return the files of this package that a file imports, anywhere in it."""
    paths = (_file_of(name) or _file_of(name.rpartition(".")[0]) for name in _names(file))
    return tuple(path for path in paths if path is not None)


def _names(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _file_of(module: str) -> Path | None:
    path = _ROOT.joinpath(*module.split("."))
    files = path.with_name(f"{path.name}.py"), path / "__init__.py"
    return next((each for each in files if each.is_file()), None)
