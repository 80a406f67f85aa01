"""Print the folder of solved books for the tests of this tree, and remove those of other trees.

Its name is a digest of everything that a solution depends on, so a run reuses what an earlier run of the same solver
solved, and nothing else.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "fivedice"
PARTS = ("core", "solver")
LIBRARIES = ("numpy", "numba", "llvmlite")
KEPT = ROOT / "build" / "solutions"


def find_digest() -> str:
    """Return a digest of the sources of the solver and of the versions that compile it."""
    found = hashlib.sha256(repr([sys.version, *map(version, LIBRARIES)]).encode())
    for part in PARTS:
        for path in sorted((PACKAGE / part).rglob("*")):
            if path.suffix in {".py", ".toml"}:
                found.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def main() -> None:
    """Make the folder, remove the others, and print its path."""
    folder = KEPT / find_digest()
    for other in KEPT.glob("*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    print(folder)


if __name__ == "__main__":
    main()
