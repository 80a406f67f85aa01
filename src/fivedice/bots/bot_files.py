"""A bot from a file that no package has: `my_bot.py:Greedy`. Workers read the file for themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass
from pathlib import Path
from typing import cast

from fivedice.bots.levels import NAMES_OF_LEVELS
from fivedice.bots.players import Bot
from fivedice.bots.registry import check_source, register, registered_bot, short
from fivedice.errors import BotError, quote


@dataclass(frozen=True, slots=True)
class BotFile:
    """Makes the bot when it is called, wherever that is."""

    path: str
    name: str

    def __call__(self) -> Bot:
        return bot_from_file(self.path, self.name)


def named_file(text: str) -> BotFile | None:
    """Return the bot that a text such as `my_bot.py:Greedy` names, or None; an error in the file is raised now."""
    file, _, name = text.rpartition(":")
    if not file.endswith(".py") or not name.isidentifier():
        return None
    path = str(Path(file).resolve())
    bot_from_file(path, name)
    return BotFile(path, name)


def registered_file(text: str) -> str:
    """Register the bot of such a text and return its name: that of the class, in the form that names have.

    Other texts are names already. Those of installed packages are loaded.
    """
    found = named_file(text)
    if found is None:
        registered_bot(text)
        return text
    name = re.sub("[^a-z0-9_-]", "", found.name.lower().lstrip("_"))
    name = name if name and name not in NAMES_OF_LEVELS else f"my-{name}"
    register(name, found)
    return name


def bot_from_file(path: str, name: str) -> Bot:
    """What stands in a file under a name: a bot, or a class or function that makes one."""
    place = f"{Path(path).name}:{name}"
    try:
        spec = spec_from_file_location(Path(path).stem, path)
        module = module_from_spec(spec)  # type: ignore[arg-type]
        spec.loader.exec_module(module)  # type: ignore[union-attr]
        found = getattr(module, name)
    except Exception as error:
        raise BotError("bots.not-in-file", place=quote(place), error=short(error)) from error
    check_source(found, place)
    try:
        made = found() if isclass(found) or not hasattr(found, "choose") else found
    except Exception as error:
        raise BotError("bots.not-made", bot=quote(place), error=short(error)) from error
    return cast("Bot", made)
