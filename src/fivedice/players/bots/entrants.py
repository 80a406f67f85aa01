"""The players of many games, levels and user-made bots alike, and how they are asked for moves.

A user-made bot is made anew, or copied, for every block of games, so that its memory cannot depend on how the blocks
are spread over workers. A bot that draws random numbers may have a second method, `begin(seed)`. It is called before
every game with a text that is unique to this game and player.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from inspect import isclass
from typing import TYPE_CHECKING, TypeAlias, cast

from fivedice.core.game import Hold, Mark, Position
from fivedice.core.notation import write_position
from fivedice.errors import BotError, FivediceError, IllegalError, quote
from fivedice.message import Message, message
from fivedice.players.bots.levels import NAMES_OF_LEVELS, Level, find_level
from fivedice.players.bots.players import Bot, has_values, player_of
from fivedice.players.bots.registry import check_source, quote_error, registered_bot, unknown_bot

if TYPE_CHECKING:
    from fivedice.core.rules import RuleBook

Given: TypeAlias = "str | Bot | Callable[[], Bot]"  # a name, a bot, or a function that makes one
_LONGEST_NAME = 40
_OURS = "fivedice.players.bots."


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of many games. Other processes receive a level by its name, and a user-made bot pickled."""

    name: str
    level: str | None = None
    source: object = None

    def make_bot(self, book: RuleBook, salt: str = "") -> Bot:
        """Return a bot for some games."""
        if self.level is None:
            return _make_bot(self.name, self.source)
        return player_of(find_level(self.level), book, salt)

    @property
    def has_moods(self) -> bool:
        """Return whether another salt gives it other mistakes."""
        return self.level is not None and find_level(self.level).sight not in {"exact", "win"}


def entrant(given: Given, book: RuleBook) -> Entrant:
    """Return the player for a name or a bot.

    Raises `MalformedError` for an unknown name, and `IllegalError` for a level that cannot play the book or an object
    that cannot be a bot.
    """
    if not isinstance(given, str):
        name = name_of_bot(given)
        check_source(given, name)
        return Entrant(name, source=given)
    if given in NAMES_OF_LEVELS:
        missing = why_unavailable(find_level(given), book)
        if missing is not None:
            raise IllegalError(missing)
        return Entrant(given, level=given)
    source = registered_bot(given)
    if source is None:
        raise unknown_bot(given)
    return Entrant(given, source=source)


def why_unavailable(level: Level, book: RuleBook) -> Message | None:
    """Return the reason why a level cannot play a book, or None if it can."""
    if level.sight == "win" and book.save_rolls:
        return message("bots.no-champion", rules=book)
    if level.sight not in {"exact", "win"}:
        return None
    if not has_values(book):
        return message("bots.no-perfect", rules=book)
    return message("bots.needs-extra", bot=level.name, rules=book) if _needs_extra(level, book) else None


def _needs_extra(level: Level, book: RuleBook) -> bool:
    """Return whether a level needs the solver while it is not installed."""
    from fivedice.solver.runtime.compile_watch import has_compiler

    if has_compiler():
        return False
    from fivedice.solver.solution import known

    return level.sight == "win" or known(book) is None


def name_of_bot(bot: object) -> str:
    """Return the bot's own `name`, or the name of its class or function."""
    own = getattr(bot, "name", None)
    kind = bot if isclass(bot) or hasattr(bot, "__name__") else type(bot)
    called = own if isinstance(own, str) and own.strip() else str(getattr(kind, "__name__", "bot"))
    return "".join(letter for letter in called.strip() if letter.isprintable())[:_LONGEST_NAME]


def _make_bot(name: str, source: object) -> Bot:
    if type(source).__module__.startswith(_OURS) and hasattr(source, "choose"):
        return cast("Bot", source)  # our bots need no copy: their caches may be large and never change a choice
    try:
        if isclass(source) or not hasattr(source, "choose"):
            made = cast("Callable[[], object]", source)()
        else:
            made = deepcopy(source)
    except FivediceError:
        raise
    except Exception as error:
        raise BotError("bots.not-made", bot=quote(name), error=quote_error(error)) from error
    if not callable(getattr(made, "choose", None)):
        raise BotError("bots.no-choose", bot=quote(name), given=quote(made))
    return cast("Bot", made)


def begin(bot: Bot, name: str, game: int, seed: str) -> None:
    """Call the bot's `begin(seed)`, if it has one. Raises `BotError` if that fails; games are counted from 1."""
    method = getattr(bot, "begin", None)
    if not callable(method):
        return
    try:
        method(seed)
    except BotError as error:
        raise BotError("bots.stopped-before", bot=quote(name), game=game, reason=error.message) from error
    except Exception as error:
        raise BotError("bots.raised-before", bot=quote(name), game=game, error=quote_error(error)) from error


def end(bot: Bot) -> None:
    """Close a bot that holds something, such as another program."""
    closing = getattr(bot, "close", None)
    if callable(closing):
        closing()


def ask(bot: Bot, name: str, game: int, position: Position) -> Hold | Mark:
    """Return a legal move of a bot. Raises `BotError` with the player, game and position; games are counted from 1."""
    try:
        move = bot.choose(position)
    except BotError as error:
        raise _bot_error("bots.stopped", name, game, position, reason=error.message) from error
    except Exception as error:
        raise _bot_error("bots.raised", name, game, position, error=quote_error(error)) from error
    if not isinstance(move, Hold | Mark):
        raise _bot_error("bots.no-move", name, game, position, move=quote(move))
    try:
        position.check(move)
    except IllegalError as error:
        raise _bot_error("bots.illegal", name, game, position, move=quote(move), reason=error.message) from error
    except Exception as error:  # a move with parts of the wrong type, such as a number for a box
        raise _bot_error("bots.no-move", name, game, position, move=quote(move)) from error
    return move


def _bot_error(kind: str, name: str, game: int, position: Position, **more: object) -> BotError:
    return BotError(kind, bot=quote(name), game=game, position=write_position(position), **more)
