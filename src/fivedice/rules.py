"""Rule books and their files: `fivedice.rules.presets_for(book)`. Implemented in `fivedice.core.rules`."""

from fivedice.core.rules import *  # noqa: F403
from fivedice.core.rules import __all__ as __all__
