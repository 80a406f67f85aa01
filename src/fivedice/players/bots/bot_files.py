"""Bots from a file outside any package, such as `my_bot.py:Greedy`. Each worker loads the file itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass
from pathlib import Path
from typing import cast

from fivedice.errors import BotError, quote
from fivedice.players.bots.levels import NAMES_OF_LEVELS
from fivedice.players.bots.players import Bot
from fivedice.players.bots.registry import check_source, quote_error, register, registered_bot


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
