"""Dice, keeps and sources of dice: `fivedice.dice.seeded(1)`. Implemented in `fivedice.core.dice`."""

from fivedice.core.dice import *  # noqa: F403
from fivedice.core.dice import __all__ as __all__
