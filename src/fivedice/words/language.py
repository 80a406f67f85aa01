"""The language of the reader: a gettext catalogue, chosen per context (a request, a terminal)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from fivedice.words.pseudo import PSEUDO, PseudoTranslations

ENGLISH = "en"
CATALOGUES = Path(__file__).parent / "catalogues"
VARIABLE = "FIVEDICE_LANGUAGE"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}

_chosen: ContextVar[str | None] = ContextVar("fivedice_language", default=None)


def current() -> str:
    """The language in use: the one of this context, or what the environment asks for."""
    return _chosen.get() or _from_environment()


@contextmanager
def using(language: str) -> Iterator[None]:
    """Speak another language for a while. One that has no catalogue is spoken as English."""
    token = _chosen.set(language)
    try:
        yield
    finally:
        _chosen.reset(token)


def available() -> tuple[str, ...]:
    """English, and every language that has a catalogue. The pseudo-language is not offered to people."""
    return (ENGLISH, *sorted(path.parts[-3] for path in CATALOGUES.glob("*/LC_MESSAGES/fivedice.mo")))


def direction() -> str:
    """Which way the language in use is written, as pages say it."""
    return "rtl" if current().partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def translations() -> NullTranslations:
    """The catalogue of the language in use."""
    return _catalogue(current())


def gettext(text: str) -> str:
    """In the language in use, which changes from one request to the next."""
    return translations().gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    return translations().ngettext(one, many, count)


@cache
def _from_environment() -> str:
    return os.environ.get(VARIABLE) or ENGLISH


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == PSEUDO:
        return PseudoTranslations()
    if language == ENGLISH or language not in available():
        return NullTranslations()
    with (CATALOGUES / language / "LC_MESSAGES" / "fivedice.mo").open("rb") as file:
        return GNUTranslations(file)
