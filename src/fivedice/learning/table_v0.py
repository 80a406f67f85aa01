"""The table in the layout of PettingZoo's modules.

    from fivedice.learning import table_v0

    env = table_v0.env(book="yatzy", players=3)                # in turn
    all_at_once = table_v0.parallel_env(book="yatzy")          # each player on their own sheet

The options are those of `TableEnv` and `SideBySide`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fivedice.learning.side_by_side_env import SideBySide
from fivedice.learning.table_env import TableEnv, wrap

if TYPE_CHECKING:
    from pettingzoo import AECEnv

__all__ = ["env", "parallel_env", "raw_env"]

raw_env, parallel_env = TableEnv, SideBySide  # PettingZoo's names


def env(**options: Any) -> AECEnv[Any, Any, Any]:
    """Return the table with PettingZoo's usual wrappers. The options are those of `TableEnv`.

    >>> from fivedice.learning import table_v0
    >>> table_v0.env(book="yatzy", players=3, regret=False).possible_agents
    ['player_0', 'player_1', 'player_2']
    """
    return wrap(raw_env(**options))
