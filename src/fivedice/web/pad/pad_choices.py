"""What is chosen for a score pad, from a form or from the last time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fivedice.rules import DEFAULT, Layout, RuleBook
from fivedice.table import commands as cmd
from fivedice.web.http.forms import Form, whole
from fivedice.words import Who, player

QUICK, ROLLS = "quick", "rolls"


@dataclass(frozen=True, slots=True)
class PadChoices:
    """What was chosen for a score pad, as it is remembered for the next time."""

    book: str = DEFAULT
    names: list[str] = field(default_factory=lambda: [player(Who(1)), player(Who(2))])
    first: int = 0
    games: int | None = None  # None: as many as the sheet of the book has columns for
    match_total: bool = True
    entry: str = QUICK

    def commands(self, player: str) -> list[cmd.Command]:
        """Everyone to their seats, all written by one pencil; then the game begins."""
        return [*(cmd.SitDown(player, name) for name in self.names), cmd.StartGame(player, first=self.first)]


def games_of(book: RuleBook) -> int:
    """How many games the document's own sheet has side by side."""
    return book.sheet.columns if book.sheet.layout is Layout.GAMES else 1


def remembered(choices: Mapping[str, Any]) -> PadChoices:
    """The last score pad of this person; before the first one, the book they play otherwise."""
    kept = choices.get("pad") or {}
    return PadChoices(**({"book": choices.get("book", DEFAULT)} | kept))


def choices_from(form: Form) -> PadChoices:
    """The form as it was sent; empty lines between names are left out, and whoever begins still does."""
    written = [name.strip() for name in form.all("name")]
    begins = whole(form.last("first", "0"), "first")
    games = form.last("games")
    return PadChoices(
        book=form.last("book", DEFAULT),
        names=[name for name in written if name] or [player(Who(1))],
        first=_first(written, begins),
        games=whole(games, "games") if games else None,
        match_total=form.ticked("match"),
        entry=ROLLS if form.last("entry") == ROLLS else QUICK,
    )


def _first(written: list[str], begins: int) -> int:
    if begins < len(written) and written[begins]:
        return sum(1 for name in written[:begins] if name)
    return 0
