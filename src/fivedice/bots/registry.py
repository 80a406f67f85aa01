"""Bots of one's own, by name: registered by a program, or brought along by an installed package.

A package names its bots in the group of entry points `fivedice.bots`. They are looked for only when a name is asked for
that nobody else has, or all names are listed; a table that asks `is_registered` never loads one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from inspect import isclass

from fivedice.bots.levels import ALL_LEVELS, PLAYS
from fivedice.errors import BotError, IllegalError, MalformedError, quote
from fivedice.message import Either

GROUP = "fivedice.bots"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}").fullmatch
_TAKEN = frozenset(level.name for levels in PLAYS.values() for level in levels)
_registered: dict[str, object] = {}


def register(name: str, bot: object) -> None:
    """Give a bot a name, by which matches, simulations and games in this program know it.

    `bot` is an object with a method `choose(position)`, or a class or function that makes one without arguments. A name
    may be given again; those of the levels are taken.
    """
    if not _NAME(str(name)):
        raise MalformedError("bots.bad-name", name=quote(name))
    if name in _TAKEN:
        raise IllegalError("bots.name-taken", name=quote(name))
    check_source(bot, name)
    _registered[name] = bot


def unregister(name: str) -> None:
    """Forget a registered bot; one that is not known is no error."""
    _registered.pop(name, None)


def registered() -> tuple[str, ...]:
    """The names of all bots that are no levels: registered here, and those of installed packages."""
    return tuple(sorted({*_registered, *(point.name for point in _installed())}))


def is_registered(name: str) -> bool:
    """Whether this program has registered it, or has loaded it from a package."""
    return name in _registered


def registered_bot(name: str) -> object | None:
    """What was registered under a name, or None; bots of packages are loaded now."""
    if name not in _registered:
        for point in _installed():
            if point.name == name:
                register(name, _loaded(point))
                break
    return _registered.get(name)


def unknown(name: object) -> MalformedError:
    """The error for a name that nobody has."""
    names = tuple(each.name for each in ALL_LEVELS)
    return MalformedError("bots.unknown", bot=quote(name), known=Either((*names, *registered())))


def check_source(bot: object, name: str) -> None:
    """Refuse what can be no bot. What a function makes is looked at when it is made."""
    if callable(getattr(bot, "choose", None)) or (callable(bot) and not isclass(bot)):
        return
    raise IllegalError("bots.no-choose", bot=quote(name), given=quote(bot))


def _installed() -> Iterator[EntryPoint]:
    return (point for point in entry_points(group=GROUP) if point.name not in _TAKEN)


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except Exception as error:
        raise BotError("bots.not-loaded", bot=quote(point.name), place=point.value, error=short(error)) from error


def short(error: BaseException) -> str:
    """An error of somebody else's code, as it may stand in a sentence."""
    return quote(f"{type(error).__name__}: {error}"[:500])
