"""Players that need no person: one method each, from careless to perfect, labelled with what they score.

    move = bots.bot("steady", book).choose(position)

Loading this package is cheap; the solver behind the better levels is loaded when one of them first chooses.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Protocol

from fivedice.bots.players import ALL_LEVELS, Chaser, Player, find_level
from fivedice.message import message

if TYPE_CHECKING:
    from fivedice.game import Hold, Mark, Position
    from fivedice.rules import RuleBook
    from fivedice.solver.chase import Chase

__all__ = ["LEVELS", "Bot", "about", "bot", "chaser", "means", "measured", "waits"]

LEVELS: tuple[str, ...] = tuple(each.name for each in ALL_LEVELS)
"""From the weakest to the strongest."""


class Bot(Protocol):
    """Anything that can choose can take a seat."""

    def choose(self, position: Position) -> Hold | Mark:
        """What to do with the dice on the table: hold some and throw the others, or fill a box."""
        ...


@lru_cache(maxsize=48)  # those who know exact values hold on to whole tables of them
def bot(level: str, book: RuleBook, salt: str = "") -> Bot:
    """A player of a level. It always does the same in the same position; another salt gives it other slips.

    Where a book would take minutes to solve, the levels that know exact values plan by par instead, unless the
    solution is already stored.
    """
    return Player(find_level(level), book, salt)


def chaser(book: RuleBook, target: int, hunt: Chase | None = None) -> Bot:
    """A player that wants a final total of `target` or more, and nothing else.

    Give it a finished `chase` of the book to be exact from the first throw; without one it plays for the mean until
    six boxes are left, and exactly for the target from there.
    """
    return Chaser(book, target, hunt)


def waits(level: str, book: RuleBook) -> bool:
    """Whether this level plays by the solution of the book, so that its first move waits until there is one."""
    from fivedice.solver.runtime.solve_limits import takes_long

    return find_level(level).sight == "exact" and not takes_long(book)


def about(level: str) -> str:
    """A level in a few words."""
    return str(message(find_level(level).about))


def means(level: str) -> dict[str, float]:
    """The key of every book where the level was measured, with its mean score there."""
    return {key: entry[0] for key, entry in _measurements().get(find_level(level).name, {}).items()}


def measured(level: str, book_key: str) -> tuple[float, float] | None:
    """Mean and standard deviation of the level's score under a book, if it was measured."""
    return _measurements().get(find_level(level).name, {}).get(book_key)


@cache
def _measurements() -> dict[str, dict[str, tuple[float, float]]]:
    import json
    from importlib.resources import files

    source = files("fivedice.bots") / "measured.json"
    if not source.is_file():
        return {}
    read = json.loads(source.read_text(encoding="utf-8"))["levels"]
    return {name: {key: (each["mean"], each["sd"]) for key, each in books.items()} for name, books in read.items()}
