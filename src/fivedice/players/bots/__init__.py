"""Bots: players with one method, `choose(position)`, from a beginner to perfect play.

    move = bots.bot("steady", book).choose(position)

Any object with that method is a bot. `register` gives it a name, so that it can play wherever a level can.

Importing this package is cheap: numpy and the solver are loaded when a bot first chooses.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from fivedice.core.rules import AnyBook, book as find_book
from fivedice.errors import IllegalError
from fivedice.message import Message, message
from fivedice.players.bots.entrants import Entrant, why_unavailable
from fivedice.players.bots.levels import ALL_LEVELS, NAMES_OF_LEVELS, PLAY, find_level
from fivedice.players.bots.players import Bot, Chaser, player_of
from fivedice.players.bots.registry import is_registered, register, registered, registered_bot, unknown_bot, unregister

if TYPE_CHECKING:
    from fivedice.core.rules import RuleBook
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
"""The names of the levels on offer, from the weakest to the strongest."""

NAMES: frozenset[str] = NAMES_OF_LEVELS
"""The names of all levels: those on offer, and retired ones that old programs may still use."""


def bot(level: str, book: AnyBook, salt: str = "", play: str = PLAY) -> Bot:
    """Return a bot by name: a level, or a bot that was registered.

    `book` is a rule book, its key or the path of its file. A level always makes the same choice in the same position;
    another `salt` gives it other mistakes. `play` is the version of the way in which levels choose: a game keeps the
    one that it began with.

    Raises `MalformedError` for an unknown name, and `IllegalError` where the level cannot play this book: see
    `unavailable`.

    >>> fd.bots.bot("steady", "crag").choose(fd.read_position("crag - 0 466 1"))
    Hold(keep=Keep.parse('66'))
    """
    rules = find_book(book)
    if level in NAMES_OF_LEVELS:
        return _bot(level, rules, salt, play)
    own = registered_bot(level)
    if own is None:
        raise unknown_bot(level)
    return Entrant(level, source=own).make_bot(rules)


@lru_cache(maxsize=48)  # few, because a bot with exact values keeps a whole table in memory
def _bot(level: str, book: RuleBook, salt: str, play: str) -> Bot:
    found = find_level(level, play)
    missing = why_unavailable(found, book)
    if missing is not None:
        raise IllegalError(missing)
    return player_of(found, book, salt)


def offered(book: AnyBook) -> tuple[str, ...]:
    """Return the names of the levels that can play a book, from the weakest to the strongest.

    `book` is a rule book, its key or the path of its file; the errors are those of `fd.book`.

    >>> fd.bots.offered("yatzy")[0], fd.bots.offered("yatzy")[-1]
    ('newcomer', 'champion')
    """
    return tuple(level for level in LEVELS if unavailable(level, book) is None)


def unavailable(level: str, book: AnyBook) -> Message | None:
    """Return the reason why a level cannot play a book, or None if it can.

    Raises `MalformedError` for an unknown level.

    >>> fd.bots.unavailable("steady", "yatzy") is None
    True
    """
    rules = find_book(book)
    return None if is_registered(level) else why_unavailable(find_level(level), rules)


def chaser(book: AnyBook, target: int, hunt: Chase | None = None) -> Bot:
    """Return a bot that maximises the chance of a final total of at least `target`.

    `hunt` is a finished `fd.chase` of the book that includes the target. Without it, the first choice early in a game
    takes up to half a minute. The errors for `book` are those of `fd.book`.

    >>> fd.bots.chaser("yatzy", 250).target
    250
    """
    return Chaser(find_book(book), target, hunt)


def waits(level: str, book: AnyBook, play: str = PLAY) -> bool:
    """Return whether a level plays by the exact solution of a book, so that its first move may have to wait for it.

    `play` is the version of the levels. Raises `MalformedError` for an unknown level, and as `fd.book` does.

    >>> fd.bots.waits("perfect", "yatzy"), fd.bots.waits("steady", "yatzy")
    (True, False)
    """
    rules = find_book(book)
    if is_registered(level):
        return False
    from fivedice.solver.runtime.solve_limits import takes_long

    sight = find_level(level, play).sight
    return sight in {"exact", "win"} or (sight == "exact-or-par" and not takes_long(rules))


def wants_odds(level: str, play: str = PLAY) -> bool:
    """Return whether a level needs the odds of how every player's card ends, which are prepared once per book.

    `play` is the version of the levels. Raises `MalformedError` for an unknown level.

    >>> fd.bots.wants_odds("champion")
    True
    """
    return not is_registered(level) and find_level(level, play).sight == "win"


def about(level: str) -> str:
    """Return a description of a level in a few words.

    Raises `MalformedError` for an unknown level.

    >>> fd.bots.about("perfect") != ""
    True
    """
    return str(message("bots.own" if is_registered(level) else find_level(level).about))


def means(level: str) -> dict[str, float]:
    """Return the level's mean score for every book in which it was measured, by the key of the book.

    >>> fd.bots.means("perfect")["yatzy"] > 240
    True
    """
    return {key: entry[0] for key, entry in _measurements().get(find_level(level).name, {}).items()}


def measured(level: str, book_key: AnyBook) -> tuple[float, float] | None:
    """Return the mean and standard deviation of a level's scores in a book, or None if it was not measured.

    `book_key` is the key of the book, or the book itself. Raises `MalformedError` for an unknown level.

    >>> mean, sd = fd.bots.measured("steady", "yahtzee")
    >>> 150 < mean < 250
    True
    """
    key = book_key if isinstance(book_key, str) else find_book(book_key).key
    return None if is_registered(level) else _measurements().get(find_level(level).name, {}).get(key)


@cache
def _measurements() -> dict[str, dict[str, tuple[float, float]]]:
    import json
    from importlib.resources import files

    source = files("fivedice.players.bots") / "measured.json"
    if not source.is_file():
        return {}
    read = json.loads(source.read_text(encoding="utf-8"))["levels"]
    return {name: {key: (each["mean"], each["sd"]) for key, each in books.items()} for name, books in read.items()}
