"""Texts for players. A message becomes a sentence at the last moment, in the language of its reader.

`say(message)` finds the text of a message by its kind: "table.rolled" is in `sentences/table.toml`. A text
names its arguments as {name}. Another language needs only a catalogue: see `languages`.

A text about a player `who` has a second form, `kind + ".you"`, for that player's own screen.
"""

from __future__ import annotations

from fivedice.message import Chance, Either, Message, Sentences, Signed, Who, message
from fivedice.text.formatting import (
    format_day,
    format_signed,
    format_value,
    group_digits,
    name_of,
    percent,
    player,
    points,
    say,
    text_of,
    translate,
    translate_text,
    word,
)
from fivedice.text.languages import available, current, using
