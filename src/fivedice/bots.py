"""Bots by name: `fivedice.bots.bot("steady", "yahtzee")`. Implemented in `fivedice.players.bots`."""

from fivedice.players.bots import *  # noqa: F403
from fivedice.players.bots import __all__ as __all__
