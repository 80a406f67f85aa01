"""The table as PettingZoo's modules are laid out.

from fivedice.learning import table_v0

env = table_v0.env(book="yatzy", players=3)                # in turn
all_at_once = table_v0.parallel_env(book="yatzy")          # everybody on their own sheet
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fivedice.learning.side_by_side_env import SideBySide
from fivedice.learning.table_env import TableEnv, wrapped

if TYPE_CHECKING:
    from pettingzoo import AECEnv

__all__ = ["env", "parallel_env", "raw_env"]

raw_env, parallel_env = TableEnv, SideBySide  # as PettingZoo calls them


def env(**options: Any) -> AECEnv[Any, Any, Any]:
    """The table with PettingZoo's usual wrappers; the options are those of `TableEnv`."""
    return wrapped(raw_env(**options))
