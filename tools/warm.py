"""Compile what all tests need, once, before several processes need it at the same time.

That is the kernels of the solver, which numba keeps on disk, and the assertions of the tests, which pytest rewrites.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

COLLECT = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
with (
    tempfile.TemporaryDirectory() as folder,
    subprocess.Popen(COLLECT, stdout=subprocess.DEVNULL) as collecting,
):
    os.environ["FIVEDICE_CACHE"] = folder  # values are not kept, only what was compiled

    import fivedice as fd
    from fivedice.solver.bonus import bonus_chances

    book = fd.book("yahtzee")
    late = fd.Scorecard.of(book, {box.key: 0 for box in book.boxes[2:]})
    fd.solve(book).odds(late)
    fd.chase(book, card=late)
    fd.simulate(book, 1000, seed=1)
    bonus_chances(fd.solve(fd.book("yatzy-forced")))
    collecting.wait()
