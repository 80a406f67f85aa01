"""Environments for programs that learn to play: Gymnasium, PettingZoo and OpenSpiel, for all rules.

    import gymnasium as gym
    import fivedice.learning                       # registers fivedice/Solo-v0

    env = gym.make("fivedice/Solo-v0", book="yatzy")

This package imports Gymnasium and PettingZoo if they are installed, to register the environments. The modules need the
extras `learning` or `openspiel`, and say so: `solo_env`, `solo_vector`, `table_v0`, `grading`, `baseline` and
`spiel_game`.
"""

from __future__ import annotations

from importlib.util import find_spec

from fivedice.errors import FivediceError

__all__ = ["SOLO", "TABLE", "register"]

SOLO = "fivedice/Solo-v0"
TABLE = "fivedice/table-v0"
_EXTRAS = {"gymnasium": "learning", "pettingzoo": "learning", "pyspiel": "openspiel"}


def is_installed(package: str) -> bool:
    return find_spec(package) is not None


def require_package(package: str) -> None:
    """Raise FivediceError, which says what to install, if a package is missing."""
    if not is_installed(package):
        raise FivediceError("bots.learning-package", missing=package, package=f"fivedice[{_EXTRAS[package]}]")


def register() -> None:
    """Register the environments with Gymnasium and PettingZoo, if installed. Importing this package does it.

    >>> from fivedice import learning
    >>> learning.register()
    >>> learning.SOLO
    'fivedice/Solo-v0'
    """
    if is_installed("gymnasium"):
        import gymnasium

        if SOLO not in gymnasium.registry:
            gymnasium.register(
                SOLO,
                entry_point="fivedice.learning.solo_env:Solo",
                vector_entry_point="fivedice.learning.solo_vector:SoloVector",
            )
    if is_installed("pettingzoo") and is_installed("pettingzoo.env_registry"):  # older versions have no registry
        from pettingzoo.env_registry import registration

        if TABLE not in registration.aec_registry:
            registration.register("aec", TABLE, entry_point="fivedice.learning.table_v0:env")
            registration.register("parallel", TABLE, entry_point="fivedice.learning.table_v0:parallel_env")


register()
