"""User-made bots, by name: registered by a program, provided by an installed package, or from a file.

A package names its bots in the entry point group `fivedice.bots`. They are looked up only for an unknown name, or when
all names are listed; `is_registered` never loads a package. A file is named as `my_bot.py:Greedy`; each worker loads it
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass
from pathlib import Path
from typing import cast

from fivedice.errors import BotError, IllegalError, MalformedError, quote
from fivedice.message import Either
from fivedice.players.bots.levels import ALL_LEVELS, NAMES_OF_LEVELS, PLAYS
from fivedice.players.bots.players import Bot

GROUP = "fivedice.bots"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}").fullmatch
_TAKEN = frozenset(level.name for levels in PLAYS.values() for level in levels)
_registered: dict[str, object] = {}


def register(name: str, bot: object) -> None:
    """Give a bot a name, so that matches, simulations and games in this program can use it.

    `bot` is an object with a method `choose(position)`, or a class or function that makes one without arguments. A name
    can be registered again; the names of levels are taken.

    Raises `MalformedError` for a bad name, and `IllegalError` for a name that is taken or an object that is not a bot.

    >>> class First:
    ...     def choose(self, position):
    ...         return next(choice for choice in position.choices() if isinstance(choice, fd.Mark))
    >>> fd.bots.register("first", First)
    >>> "first" in fd.bots.registered()
    True
    >>> fd.bots.unregister("first")
    """
    if not _NAME(str(name)):
        raise MalformedError("bots.bad-name", name=quote(name))
    if name in _TAKEN:
        raise IllegalError("bots.name-taken", name=quote(name))
    check_source(bot, name)
    _registered[name] = bot


def unregister(name: str) -> None:
    """Remove a registered bot; an unknown name is ignored.

    >>> fd.bots.unregister("first")
    """
    _registered.pop(name, None)


def registered() -> tuple[str, ...]:
    """Return the names of all bots that are not levels: registered ones, and those of installed packages.

    >>> "steady" in fd.bots.registered()
    False
    """
    return tuple(sorted({*_registered, *(point.name for point in _installed_bots())}))


def is_registered(name: str) -> bool:
    """Return whether this program has registered a bot of this name, or has loaded it from a package.

    >>> fd.bots.is_registered("steady")
    False
    """
    return name in _registered


def registered_bot(name: str) -> object | None:
    """Return the bot registered under a name, or None; bots of packages are loaded now."""
    if name not in _registered:
        for point in _installed_bots():
            if point.name == name:
                register(name, _load(point))
                break
    return _registered.get(name)


def unknown_bot(name: object) -> MalformedError:
    """Return the error for an unknown name."""
    names = tuple(each.name for each in ALL_LEVELS)
    return MalformedError("bots.unknown", bot=quote(name), known=Either((*names, *registered())))


def check_source(bot: object, name: str) -> None:
    """Raise `IllegalError` for an object that cannot be a bot. The result of a function is checked when it is made."""
    if callable(getattr(bot, "choose", None)) or (callable(bot) and not isclass(bot)):
        return
    raise IllegalError("bots.no-choose", bot=quote(name), given=quote(bot))


def _installed_bots() -> Iterator[EntryPoint]:
    return (point for point in entry_points(group=GROUP) if point.name not in _TAKEN)


def _load(point: EntryPoint) -> object:
    try:
        return point.load()
    except Exception as error:
        raise BotError("bots.not-loaded", bot=quote(point.name), place=point.value, error=quote_error(error)) from error


def quote_error(error: BaseException) -> str:
    """Return an error of user-made code as a short quotation."""
    return quote(f"{type(error).__name__}: {error}"[:500])


@dataclass(frozen=True, slots=True)
class BotFile:
    """A function that makes the bot of a file. It can be pickled, so it works in other processes."""

    path: str
    name: str

    def __call__(self) -> Bot:
        return bot_from_file(self.path, self.name)


def parse_bot_file(text: str) -> BotFile | None:
    """Return the bot that a text such as `my_bot.py:Greedy` names, or None if it names no file.

    Raises `BotError` if the file has an error.
    """
    file, _, name = text.rpartition(":")
    if not file.endswith(".py") or not name.isidentifier():
        return None
    path = str(Path(file).resolve())
    bot_from_file(path, name)
    return BotFile(path, name)


def register_file(text: str) -> str:
    """Register the bot of a text such as `my_bot.py:Greedy` and return its name, made from that of the class.

    Return any other text unchanged: it is a name already. Bots of installed packages are loaded.
    """
    found = parse_bot_file(text)
    if found is None:
        registered_bot(text)
        return text
    name = re.sub("[^a-z0-9_-]", "", found.name.lower().lstrip("_"))
    name = name if name and name not in NAMES_OF_LEVELS else f"my-{name}"
    register(name, found)
    return name


def bot_from_file(path: str, name: str) -> Bot:
    """Return the bot that a file has under a name: a bot, or a class or function that makes one.

    Raises `BotError` if the file cannot be loaded, or does not have it.
    """
    place = f"{Path(path).name}:{name}"
    try:
        spec = spec_from_file_location(Path(path).stem, path)
        module = module_from_spec(spec)  # type: ignore[arg-type]
        spec.loader.exec_module(module)  # type: ignore[union-attr]
        found = getattr(module, name)
    except Exception as error:
        raise BotError("bots.not-in-file", place=quote(place), error=quote_error(error)) from error
    check_source(found, place)
    try:
        made = found() if isclass(found) or not hasattr(found, "choose") else found
    except Exception as error:
        raise BotError("bots.not-made", bot=quote(place), error=quote_error(error)) from error
    return cast("Bot", made)
