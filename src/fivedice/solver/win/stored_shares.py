"""The share of the first of two players who both play to win, for whole games that take long to solve.

`python tools/solve_duels.py` solves them anew and writes the file.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from importlib.resources import files

from fivedice.core.rules import RuleBook

FILE = "stored_shares.toml"


def stored_share(book: RuleBook) -> float | None:
    """Return the share of the player who begins, or None if it is not stored."""
    if os.environ.get("FIVEDICE_TABLES") == "no":
        return None
    return _shares().get(book.fingerprint)


@cache
def _shares() -> dict[str, float]:
    """Return the shares by the fingerprint of the rules."""
    text = (files("fivedice.solver.win") / FILE).read_text(encoding="utf-8")
    return {each["fingerprint"]: each["share"] for each in tomllib.loads(text)["games"]}
