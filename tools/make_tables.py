"""Solve the shipped books and write what the package brings along of them: `make tables`.

Values and the odds of the empty sheet, one file each, named by the fingerprint of the book. Files of books that are no
more are removed. campaign `shipped` holds them against a fresh solve; so does `make test`, for one book.

Left out are six dice, whose tables are hundreds of megabytes or gigabytes, and two variants: together the files
should stay about 12 MB.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "src" / "fivedice" / "solver" / "shipped"
LEFT_OUT = {"maxi-yatzy", "maxi-yatzy-plain", "yahtzee-free-choice", "yahtzee-plain"}
WITHOUT_ODDS = {"maxi-yatzy", "maxi-yatzy-plain"}
MOST = 12_500_000  # bytes


def made() -> dict[str, bytes]:
    """All files by name, from books that are solved anew."""
    from fivedice.core.game import Scorecard
    from fivedice.core.rules import SHIPPED, book
    from fivedice.solver import solve
    from fivedice.solver.odds import KIND as ODDS, packed_odds
    from fivedice.solver.runtime.solution_files import file_name
    from fivedice.solver.values.shipped_values import KIND as VALUES, packed_values

    found: dict[str, bytes] = {}
    for key in SHIPPED:
        rules = book(key)
        name = rules.fingerprint
        if key in WITHOUT_ODDS or file_name(name, ODDS) in found:
            continue
        solution = solve(rules, cache=False)
        if key not in LEFT_OUT:
            table = np.asarray(solution.table)
            found[file_name(name, VALUES)] = packed_values(solution.compiled, table, name)
        end = solution.finish(Scorecard.empty(rules))
        found[file_name(name, ODDS)] = packed_odds(solution.compiled, end, name)
        print(f"{key}: {sum(len(file) for title, file in found.items() if title.startswith(name)):,} bytes", flush=True)
    return found


def write(found: dict[str, bytes]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.name not in found:
            path.unlink()
    for name, content in found.items():
        (FOLDER / name).write_bytes(content)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"FIVEDICE_CACHE": folder, "FIVEDICE_TABLES": "no"}
        found = made()
    size = sum(map(len, found.values()))
    print(f"{len(found)} files, {size:,} bytes")
    if size > MOST:
        print(f"That is more than {MOST:,} bytes: leave a book out.", file=sys.stderr)
        return 1
    write(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
