"""A bot from a file that no package has: `my_bot.py:Greedy`. Workers read the file for themselves."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass
from pathlib import Path
from typing import cast

from fivedice.bots.players import Bot
from fivedice.bots.registry import check_source, short
from fivedice.errors import BotError, quote


@dataclass(frozen=True, slots=True)
class BotFile:
    """Makes the bot when it is called, wherever that is."""

    path: str
    name: str

    def __call__(self) -> Bot:
        return bot_from_file(self.path, self.name)


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
