"""Compile the kernels of the solver once, before several processes need them at the same time.

Numba keeps them on disk. The assertions of a test file are rewritten by the one group that collects it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from learning.houses import SAVING, TINY

with tempfile.TemporaryDirectory() as folder:
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
