"""The one way to the typesetter: a document of ours, and what people wrote as data beside it, never inside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from fivedice.errors import PaperError
from fivedice.tokens import PRINT

if TYPE_CHECKING:
    import typst

# The letters of the typesetter's own fonts reach this far; the signs in general use lie behind U+2000.
_OWN_LETTERS = 0x0590
_OWN_SIGNS = range(0x1E00, 0x2070)


def typeset(package: str, name: str, data: Mapping[str, str], kind: Literal["pdf", "png"], ppi: float = 80) -> Any:
    """Set the document `name` of a package with this data: bytes, or a list of them for several pictures.

    The same data gives the same bytes: no time of day and, as a rule, no font of this machine gets into it.
    """
    compile_document, fonts = _typesetter(system_fonts=not all(map(_own_fonts_suffice, data.values())))
    inputs = {**data, "colors": json.dumps(PRINT)}
    return compile_document(_source(package, name), format=kind, ppi=ppi, font_paths=fonts, sys_inputs=inputs)


@cache
def _source(package: str, name: str) -> bytes:
    return (files(package) / name).read_bytes()


@cache
def _typesetter(*, system_fonts: bool) -> tuple[Any, typst.Fonts]:
    try:
        from typst import Fonts, compile as compile_document
    except ImportError:
        raise PaperError("paper.no-typesetter") from None
    return compile_document, Fonts(include_system_fonts=system_fonts)


def _own_fonts_suffice(text: str) -> bool:
    """Names in other scripts than Latin, Greek and Cyrillic are set in what this machine has, or not at all."""
    return all(ord(letter) < _OWN_LETTERS or ord(letter) in _OWN_SIGNS for letter in text)
