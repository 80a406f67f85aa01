"""Players that need no person: one method each, from somebody's first game to perfect, labelled with what they score.

    move = bots.bot("steady", book).choose(position)

Anything with that method is a bot. `register` gives one a name, by which it plays like a level.

Loading this package is cheap; the arrays behind the bots are loaded when one of them first chooses.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from fivedice.bots.entrants import Entrant, unavailable_level
from fivedice.bots.levels import ALL_LEVELS, NAMES_OF_LEVELS, PLAY, find_level
from fivedice.bots.players import Bot, Chaser, player_of
from fivedice.bots.registry import is_registered, register, registered, registered_bot, unknown, unregister
from fivedice.errors import IllegalError
from fivedice.message import Message, message
from fivedice.rules import AnyBook, book as find_book

if TYPE_CHECKING:
    from fivedice.rules import RuleBook
    from fivedice.solver.chase import Chase

__all__ = [
    "LEVELS",
    "NAMES",
    "Bot",
    "about",
    "bot",
    "chaser",
    "is_registered",
    "means",
    "measured",
    "offered",
    "register",
    "registered",
    "unavailable",
    "unregister",
    "waits",
    "wants_odds",
]

LEVELS: tuple[str, ...] = tuple(each.name for each in ALL_LEVELS)
"""From the weakest to the strongest."""

NAMES: frozenset[str] = NAMES_OF_LEVELS
"""All levels that can be asked for: those, and names that programs still use."""


def bot(level: str, book: AnyBook, salt: str = "", play: str = PLAY) -> Bot:
    """A player of a level. It always does the same in the same position; another salt gives it other mistakes.

    A registered bot is found by its name, too.

    `play` is the way in which bots choose; a game keeps the one that it began with. Perfect play of a book whose exact
    values would take minutes is refused, unless they are stored: see `offered`.
    """
    rules = find_book(book)
    if level in NAMES_OF_LEVELS:
        return _bot(level, rules, salt, play)
    own = registered_bot(level)
    if own is None:
        raise unknown(level)
    return Entrant(level, source=own).seated(rules)


@lru_cache(maxsize=48)  # those who know exact values hold on to whole tables of them
def _bot(level: str, book: RuleBook, salt: str, play: str) -> Bot:
    found = find_level(level, play)
    missing = unavailable_level(found, book)
    if missing is not None:
        raise IllegalError(missing)
    return player_of(found, book, salt)


def offered(book: AnyBook) -> tuple[str, ...]:
    """The levels for a game by this book, from the weakest to the strongest."""
    return tuple(level for level in LEVELS if unavailable(level, book) is None)


def unavailable(level: str, book: AnyBook) -> Message | None:
    """Why a level is not offered for a book; None where it is."""
    return None if is_registered(level) else unavailable_level(find_level(level), find_book(book))


def chaser(book: AnyBook, target: int, hunt: Chase | None = None) -> Bot:
    """A player that wants a final total of `target` or more, and nothing else.

    It is exact from the first throw. Give it a finished `chase` of the book, or its first choice early in a game takes
    up to half a minute.
    """
    return Chaser(find_book(book), target, hunt)


def waits(level: str, book: RuleBook, play: str = PLAY) -> bool:
    """Whether this level plays by the solution of the book, so that its first move waits until there is one."""
    if is_registered(level):
        return False
    from fivedice.solver.runtime.solve_limits import takes_long

    sight = find_level(level, play).sight
    return sight in {"exact", "win"} or (sight == "exact-or-par" and not takes_long(book))


def wants_odds(level: str, play: str = PLAY) -> bool:
    """Whether this level asks how the cards of all players may end, which is prepared once a book."""
    return not is_registered(level) and find_level(level, play).sight == "win"


def about(level: str) -> str:
    """A level in a few words."""
    return str(message("bots.own" if is_registered(level) else find_level(level).about))


def means(level: str) -> dict[str, float]:
    """The key of every book where the level was measured, with its mean score there."""
    return {key: entry[0] for key, entry in _measurements().get(find_level(level).name, {}).items()}


def measured(level: str, book_key: str) -> tuple[float, float] | None:
    """Mean and standard deviation of the level's score under a book, if it was measured."""
    return None if is_registered(level) else _measurements().get(find_level(level).name, {}).get(book_key)


@cache
def _measurements() -> dict[str, dict[str, tuple[float, float]]]:
    import json
    from importlib.resources import files

    source = files("fivedice.bots") / "measured.json"
    if not source.is_file():
        return {}
    read = json.loads(source.read_text(encoding="utf-8"))["levels"]
    return {name: {key: (each["mean"], each["sd"]) for key, each in books.items()} for name, books in read.items()}
