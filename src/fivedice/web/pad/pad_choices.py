"""What is chosen for a score pad, from a form or from the last time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fivedice.rules import Layout, RuleBook
from fivedice.table import commands as ask
from fivedice.web.http.command_forms import Fields, whole

QUICK, ROLLS = "quick", "rolls"


@dataclass(frozen=True, slots=True)
class PadChoices:
    """What was chosen for a score pad, as it is remembered for the next time."""

    book: str = "yahtzee"
    names: list[str] = field(default_factory=lambda: ["Player 1", "Player 2"])
    first: int = 0
    games: int | None = None  # None: as many as the sheet of the book has columns for
    match_total: bool = True
    entry: str = QUICK

    def commands(self, player: str) -> list[ask.Command]:
        """Everyone to their seats, all written by one pencil; then the game begins."""
        return [*(ask.SitDown(player, name) for name in self.names), ask.StartGame(player, first=self.first)]


def games_of(book: RuleBook) -> int:
    """How many games the document's own sheet has side by side."""
    return book.sheet.columns if book.sheet.layout is Layout.GAMES else 1


def remembered(choices: Mapping[str, Any]) -> PadChoices:
    """The last score pad of this person; before the first one, the book they play otherwise."""
    kept = choices.get("pad") or {}
    return PadChoices(**({"book": choices.get("book", "yahtzee")} | kept))


def choices_from(form: Fields) -> PadChoices:
    """The form as it was sent; empty lines between names are left out, and whoever begins still does."""
    written = [name.strip() for name in form.get("name", [])]
    begins = whole(form.get("first", ["0"])[-1], "first")
    games = form.get("games", [""])[-1]
    return PadChoices(
        book=form.get("book", ["yahtzee"])[-1],
        names=[name for name in written if name] or ["Player 1"],
        first=_first(written, begins),
        games=whole(games, "games") if games else None,
        match_total=form.get("match") == ["yes"],
        entry=ROLLS if form.get("entry") == [ROLLS] else QUICK,
    )


def _first(written: list[str], begins: int) -> int:
    if begins < len(written) and written[begins]:
        return sum(1 for name in written[:begins] if name)
    return 0
