"""Environments for programs that learn to play: Gymnasium, PettingZoo and OpenSpiel, for every book.

    import gymnasium as gym
    import fivedice.learning                       # registers fivedice/Solo-v0

    env = gym.make("fivedice/Solo-v0", book="yatzy")

Importing this package is cheap. Its parts need the extras `learning` or `openspiel`, and are loaded when they are used:
`solo_env`, `solo_vector`, `table_v0`, `spiel_game`, and without any extra `grading` and `baseline`.
"""

from __future__ import annotations

from fivedice.learning.extras import is_installed

__all__ = ["SOLO", "register"]

SOLO = "fivedice/Solo-v0"


def register() -> None:
    """Tell Gymnasium about the game for one; done when this package is imported, if Gymnasium is there."""
    from fivedice.learning.extras import need

    need("gymnasium")
    import gymnasium

    if SOLO not in gymnasium.registry:
        gymnasium.register(
            SOLO,
            entry_point="fivedice.learning.solo_env:Solo",
            vector_entry_point="fivedice.learning.solo_vector:SoloVector",
        )


if is_installed("gymnasium"):
    register()
