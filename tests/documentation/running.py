"""Run the code of a page: top to bottom, in one folder, with the names of the blocks above."""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from documentation.pages import Block
from fivedice.cli.command_list import run as run_command

BASH = shutil.which("bash") or "bash"
ANY = "…"  # on its own line: any lines
_SHELL = re.compile(r"[|<>&;$*=(){}\\]")  # a line for a real shell; all others are run here, which is quicker


class Run:
    """One page; `python` and `shell` return what a block prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: dict[str, Any] = {"__name__": "__main__"}

    def python(self, block: Block, text: str) -> str:
        # Padded, so that a traceback has the line of the page.
        code = compile("\n" * block.line + text, block.page, "exec")
        return self._printed(lambda: exec(code, self._names))[1]  # noqa: S102 - our own

    def shell(self, text: str) -> str:
        lines = text.strip("\n").split("\n")
        if all(line.startswith("fivedice ") and not _SHELL.search(line) for line in lines):
            return "".join(map(self._command, lines))
        return self._bash(text)

    def _command(self, line: str) -> str:
        words = shlex.split(line, comments=True)
        code, printed = self._printed(lambda: run_command(words[1:]))
        self._succeeded(line, code, printed)
        return printed

    def _bash(self, command: str) -> str:
        done = subprocess.run(
            [BASH, "-euo", "pipefail", "-c", command],
            cwd=self.folder,
            env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        self._succeeded(command, done.returncode, done.stdout + done.stderr)
        return done.stdout

    def _printed(self, work: Callable[[], Any]) -> tuple[Any, str]:
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with chdir(self.folder), redirect_stdout(printed), redirect_stderr(printed):
            answer = work()
        printed.seek(0)
        return answer, printed.read()

    @staticmethod
    def _succeeded(command: str, code: int, printed: str) -> None:
        if code:
            raise AssertionError(f"status {code}: {command}\n{printed}")


def sessions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a `console` block, each with its expected output."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def agrees(shown: str, printed: str) -> bool:
    """Compare line by line, ignoring trailing spaces; `…` matches any lines."""
    wanted = [".*" if line.strip() == ANY else re.escape(line.rstrip()) for line in shown.strip("\n").split("\n")]
    found = "\n".join(line.rstrip() for line in printed.strip("\n").split("\n"))
    return re.fullmatch("\n".join(wanted), found, re.DOTALL) is not None
