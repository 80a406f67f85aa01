"""Who plays many games, and how they are asked: levels and bots of one's own alike.

A bot of one's own is made anew, or copied, for every block of games, so that what it remembers cannot depend on how
the blocks are spread over workers. One that draws random numbers may have a second method, `begin(seed)`: it is called
before every game, with a text that belongs to this game and this player alone.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from inspect import isclass
from typing import TYPE_CHECKING, TypeAlias, cast

from fivedice.bots.levels import NAMES_OF_LEVELS, Level, find_level
from fivedice.bots.players import Bot, has_values, player_of
from fivedice.bots.registry import check_source, registered_bot, short, unknown
from fivedice.errors import BotError, FivediceError, IllegalError, quote
from fivedice.game import Hold, Mark, Position
from fivedice.message import Message, message
from fivedice.notation import write_position

if TYPE_CHECKING:
    from fivedice.rules import RuleBook

Given: TypeAlias = "str | Bot | Callable[[], Bot]"  # a name, a bot, or what makes one
_LONGEST_NAME = 40
_OURS = "fivedice.bots."


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of many games. It travels to other processes: a level by its name, a bot as it is."""

    name: str
    level: str | None = None
    source: object = None

    def seated(self, book: RuleBook, salt: str = "") -> Bot:
        """A bot for some games."""
        if self.level is None:
            return _fresh(self.name, self.source)
        return player_of(find_level(self.level), book, salt)

    @property
    def has_moods(self) -> bool:
        """Whether another salt gives it other mistakes."""
        return self.level is not None and find_level(self.level).sight not in {"exact", "win"}


def entrant(given: Given, book: RuleBook) -> Entrant:
    """The player that is meant by a name, or by a bot itself."""
    if not isinstance(given, str):
        name = name_of_bot(given)
        check_source(given, name)
        return Entrant(name, source=given)
    if given in NAMES_OF_LEVELS:
        missing = unavailable_level(find_level(given), book)
        if missing is not None:
            raise IllegalError(missing)
        return Entrant(given, level=given)
    source = registered_bot(given)
    if source is None:
        raise unknown(given)
    return Entrant(given, source=source)


def unavailable_level(level: Level, book: RuleBook) -> Message | None:
    """Why a level cannot play a book; None where it can."""
    if level.sight == "win" and book.save_rolls:
        return message("bots.no-champion", rules=book)
    if level.sight not in {"exact", "win"}:
        return None
    if not has_values(book):
        return message("bots.no-perfect", rules=book)
    return message("bots.needs-extra", bot=level.name, rules=book) if _needs_extra(level, book) else None


def _needs_extra(level: Level, book: RuleBook) -> bool:
    """Return whether a level needs the solver, which is not installed."""
    from fivedice.solver.runtime.compile_watch import has_compiler

    if has_compiler():
        return False
    from fivedice.solver.solution import known

    return level.sight == "win" or known(book) is None


def name_of_bot(bot: object) -> str:
    """What it calls itself (`name`), or what its class or function is called."""
    own = getattr(bot, "name", None)
    kind = bot if isclass(bot) or hasattr(bot, "__name__") else type(bot)
    called = own if isinstance(own, str) and own.strip() else str(getattr(kind, "__name__", "bot"))
    return "".join(letter for letter in called.strip() if letter.isprintable())[:_LONGEST_NAME]


def _fresh(name: str, source: object) -> Bot:
    if type(source).__module__.startswith(_OURS) and hasattr(source, "choose"):
        return cast("Bot", source)  # what they remember changes nothing that they do, and may be large
    try:
        if isclass(source) or not hasattr(source, "choose"):
            made = cast("Callable[[], object]", source)()
        else:
            made = deepcopy(source)
    except FivediceError:
        raise
    except Exception as error:
        raise BotError("bots.not-made", bot=quote(name), error=short(error)) from error
    if not callable(getattr(made, "choose", None)):
        raise BotError("bots.no-choose", bot=quote(name), given=quote(made))
    return cast("Bot", made)


def begin(bot: Bot, name: str, game: int, seed: str) -> None:
    """Tell a bot that a game begins, if it wants to know."""
    told = getattr(bot, "begin", None)
    if not callable(told):
        return
    try:
        told(seed)
    except BotError as error:
        raise BotError("bots.stopped-before", bot=quote(name), game=game, reason=error.message) from error
    except Exception as error:
        raise BotError("bots.raised-before", bot=quote(name), game=game, error=short(error)) from error


def end(bot: Bot) -> None:
    """Let go of a bot that holds something, such as another program."""
    closing = getattr(bot, "close", None)
    if callable(closing):
        closing()


def ask(bot: Bot, name: str, game: int, position: Position) -> Hold | Mark:
    """A legal move of a bot, or an error that says who failed where; games are counted from 1."""
    try:
        move = bot.choose(position)
    except BotError as error:
        raise _failed("bots.stopped", name, game, position, reason=error.message) from error
    except Exception as error:
        raise _failed("bots.raised", name, game, position, error=short(error)) from error
    if not isinstance(move, Hold | Mark):
        raise _failed("bots.no-move", name, game, position, move=quote(move))
    try:
        position.check(move)
    except IllegalError as error:
        raise _failed("bots.illegal", name, game, position, move=quote(move), reason=error.message) from error
    except Exception as error:  # parts of a move that are nothing of ours, such as a number for a box
        raise _failed("bots.no-move", name, game, position, move=quote(move)) from error
    return move


def _failed(kind: str, name: str, game: int, position: Position, **more: object) -> BotError:
    return BotError(kind, bot=quote(name), game=game, position=write_position(position), **more)
