"""Dice, keeps and sources of dice: `fivedice.dice.seeded(1)`. Implemented in `fivedice.core.dice`.

>>> as_roll(keep_of((6, 6))) == roll_of((6, 6)), as_keep(roll_of((6, 6))) == keep_of((6, 6))
(True, True)
>>> seeded(7).throw(Place(turn=1, roll=1, throw=0), 5, 6)
(6, 2, 2, 6, 5)
"""

from fivedice.core.dice import *  # noqa: F403
from fivedice.core.dice import __all__ as __all__
