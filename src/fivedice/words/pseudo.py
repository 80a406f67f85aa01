"""A language that nobody speaks: English with accents and a third longer, to see what bypasses the catalogue."""

from __future__ import annotations

import re
from gettext import NullTranslations

PSEUDO = "en-XA"
_ACCENTS = str.maketrans(
    "AEIOUYaeiouyCcDdGgHhJjLlNnRrSsTtWwZzKkBbPpMmFfVvQqXx",
    "ÅÉÎÖÛÝåéîöûýÇçÐđĜĝĤĥĴĵĻļÑñŔŕŠšŢţŴŵŽžĶķßƀÞþṀṁƑƒṼṽǪǫẊẋ",
)
# What is not text: {name}, %(name)s, %%, `code`, tags with the code and keys in them, and entities.
_FIXED = re.compile(
    r"(\{[^{}]*+\}|%\([^()]*+\)s|%%|`[^`]*+`|<(?:code|kbd)>[^<>]*+</(?:code|kbd)>|<[^<>]*+>|&[a-z#0-9]++;)"
)


class PseudoTranslations(NullTranslations):
    """Every text that goes through the catalogue comes back accented and longer."""

    def gettext(self, message: str) -> str:
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return accented(msgid1 if n == 1 else msgid2)


def accented(text: str) -> str:
    """The text in the pseudo-language; placeholders and tags stay as they are."""
    parts = _FIXED.split(text)
    letters = sum(map(str.isalpha, "".join(parts[::2])))
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    return "".join(parts) + "·" * -(-letters // 3)
