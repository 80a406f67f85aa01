"""Compile what all tests need, once, before several processes need it at the same time.

That is the kernels of the solver, which numba keeps on disk, and the assertions of the tests, which pytest rewrites.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from learning.houses import SAVING, TINY

COLLECT = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
with (
    tempfile.TemporaryDirectory() as folder,
    subprocess.Popen(COLLECT, stdout=subprocess.DEVNULL) as collecting,
):
    os.environ |= {"FIVEDICE_CACHE": folder, "FIVEDICE_TABLES": "no"}  # solved, but only what was compiled is kept

    import fivedice as fd
    from fivedice.solver import endings
    from fivedice.solver.bonus import bonus_chances

    book = fd.book("yahtzee")
    late = fd.Scorecard.of(book, {box.key: 0 for box in book.boxes[2:]})
    fd.solve(book).odds(late)
    fd.chase(book, card=late)
    fd.simulate(book, 1000, seed=1)
    bonus_chances(fd.solve("yatzy-forced"))
    last = fd.Scorecard.of(book, {box.key: 0 for box in book.boxes[1:]})
    for cards in ((late, late), (last, last, last)):
        fd.win(fd.Position(cards, 0, fd.Keep.parse("13455"), 1), patient=True)
    fd.solve(fd.load_book(SAVING))
    endings.QUICK = 0  # so that even a tiny book has endings to prepare
    fd.solve(fd.load_book(TINY)).prepare()
    collecting.wait()
