"""Compile the solver's kernels once, before several processes need them at the same time: numba keeps them on disk."""

from __future__ import annotations

import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    os.environ["FIVEDICE_CACHE"] = folder  # values are not kept, only what was compiled

    import fivedice as fd
    from fivedice.solver.bonus import bonus_chances

    book = fd.book("yahtzee")
    late = fd.Scorecard.of(book, {box.key: 0 for box in book.boxes[2:]})
    fd.solve(book).odds(late)
    fd.chase(book, card=late)
    fd.simulate(book, 1000, seed=1)
    bonus_chances(fd.solve(fd.book("yatzy-forced")))
