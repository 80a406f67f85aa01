"""Every sentence, made last and for the one who reads it.

`say(message)` finds the text of a message by its kind: "table.rolled" stands in the table `SENTENCES` of
`words/table.py`. A text names its arguments as {name}. Another language is a catalogue and no code: see `language`.

A text about a player `who` has a second form, `kind + ".you"`, for that player's own screen.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from fivedice.message import Chance, Either, Message, Sentences, Signed, Who, message
from fivedice.words.language import available, current, translations, using
from fivedice.words.marks import Plural, Table, Text
from fivedice.words.values import name_of, percent, player, points, said, shown, signed

__all__ = [
    "Chance",
    "Either",
    "Message",
    "Sentences",
    "Signed",
    "Who",
    "available",
    "current",
    "message",
    "name_of",
    "percent",
    "player",
    "points",
    "said",
    "say",
    "shown",
    "signed",
    "text_of",
    "translated",
    "using",
    "word",
]


def say(said: Message) -> str:
    """The sentence of a message in the reader's language."""
    text = text_of(_variant(said))
    if text is None:  # a sentence of someone else's, such as a bot's own error
        return said.kind
    return translated(text, said.args).format_map({name: shown(value) for name, value in said.args.items()})


def word(kind: str, /, **args: object) -> str:
    """The sentence of a kind and its arguments: for edges that say it at once."""
    return say(Message(kind, args))


def translated(text: Text, args: object = ()) -> str:
    """The text in the language in use, not yet filled in."""
    if isinstance(text, Plural):
        count = args[text.by] if isinstance(args, dict) else 0
        return translations().ngettext(text.one, text.many, count)
    return translations().gettext(text)


def text_of(kind: str) -> Text | None:
    area, dot, _ = kind.partition(".")
    return _table(area).get(kind) if dot and area.isidentifier() else None


def _variant(said: Message) -> str:
    who = said.args.get("who")
    return f"{said.kind}.you" if isinstance(who, Who) and who.you else said.kind


@cache
def _table(area: str) -> Table:
    try:
        table: Table = import_module(f"fivedice.words.{area}").SENTENCES
    except (ModuleNotFoundError, AttributeError):
        return {}
    return table
