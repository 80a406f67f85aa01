"""Types that a shell can complete: rules, levels of bots, papers. Other values are allowed, such as a file name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from cyclopts import Parameter

from fivedice.core.rules import SHIPPED
from fivedice.drawing.paper.paper_model import Paper
from fivedice.players.bots import LEVELS

if TYPE_CHECKING:
    BookName: TypeAlias = str
    LevelName: TypeAlias = str
    PaperName: TypeAlias = str
else:
    _quiet = Parameter(show_choices=False)  # the help text of each command explains them
    BookName = Annotated[Literal[tuple(SHIPPED)] | str, _quiet]
    LevelName = Annotated[Literal[tuple(LEVELS)] | str, _quiet]
    PaperName = Annotated[Literal[tuple(map(str, Paper))] | str, _quiet]
