"""Every sentence, made last and for the one who reads it.

`say(message)` finds the text of a message by its kind: "table.rolled" stands in `sentences/table_sentences.py`. A text
names its arguments as {name}. Another language is a catalogue and no code: see `formatting`.

A text about a player `who` has a second form, `kind + ".you"`, for that player's own screen.
"""

from __future__ import annotations

from fivedice.message import Chance, Either, Message, Sentences, Signed, Who, message
from fivedice.words.formatting import (
    available,
    current,
    grouped,
    name_of,
    percent,
    player,
    points,
    said,
    say,
    shown,
    signed,
    spread,
    text_of,
    translated,
    using,
    word,
)

__all__ = [
    "Chance",
    "Either",
    "Message",
    "Sentences",
    "Signed",
    "Who",
    "available",
    "current",
    "grouped",
    "message",
    "name_of",
    "percent",
    "player",
    "points",
    "said",
    "say",
    "shown",
    "signed",
    "spread",
    "text_of",
    "translated",
    "using",
    "word",
]
