"""The help of a command in the reader's language. It is the docstring of its function, translated piece by piece.

A paragraph is a message of its own, and so is the text of each parameter. Names of parameters and `code` stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import cleandoc

from fivedice.words.language import translations

_HEAD = "\n\nParameters\n----------\n"
_PARAMETER = re.compile(r"^(\w++)\n((?:[ ]{4}.*+\n?)++)", re.MULTILINE)


def is_help(doc: str) -> bool:
    """Whether this docstring is shown to people: that of a command lists its parameters."""
    return _HEAD in cleandoc(doc)


def pieces(doc: str) -> list[str]:
    """What there is to translate, in its order. Each piece is one line, however it is wrapped in the source."""
    found: list[str] = []

    def noted(piece: str) -> str:
        found.append(piece)
        return piece

    _rewritten(doc, noted)
    return found


def translated(doc: str) -> str:
    """The docstring in the language in use, laid out as before."""
    return _rewritten(doc, translations().gettext)


def _rewritten(doc: str, say: Callable[[str], str]) -> str:
    prose, head, parameters = cleandoc(doc).partition(_HEAD)
    told = "\n\n".join(say(_line(paragraph)) for paragraph in prose.split("\n\n"))
    return told + head + _PARAMETER.sub(lambda found: f"{found[1]}\n    {say(_line(found[2]))}\n", parameters)


def _line(text: str) -> str:
    return " ".join(text.split())
