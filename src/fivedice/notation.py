"""Games and sheets as text: `fivedice.notation.write_game(game)`. Implemented in `fivedice.core.notation`."""

from fivedice.core.notation import *  # noqa: F403
from fivedice.core.notation import __all__ as __all__
