"""The language of the reader, chosen per context (a request, a terminal), and its catalogue.

The pseudo-language, English with accents and a third longer, shows which texts bypass the catalogue.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from fivedice.text.marks import MARKS, Marks

PSEUDO = "en-XA"
_ACCENTS = str.maketrans(
    "AEIOUYaeiouyCcDdGgHhJjLlNnRrSsTtWwZzKkBbPpMmFfVvQqXx",
    "ÅÉÎÖÛÝåéîöûýÇçÐđĜĝĤĥĴĵĻļÑñŔŕŠšŢţŴŵŽžĶķßƀÞþṀṁƑƒṼṽǪǫẊẋ",
)
# Parts that are not translated: {name}, %(name)s, %%, `code`, tags with the code and keys in them, and entities.
_FIXED = re.compile(
    r"(\{[^{}]*+\}|%\([^()]*+\)s|%%|`[^`]*+`|<(?:code|kbd)>[^<>]*+</(?:code|kbd)>|<[^<>]*+>|&[a-z#0-9]++;)"
)


class PseudoTranslations(NullTranslations):
    """A catalogue that returns every text with accents and longer."""

    def gettext(self, message: str) -> str:
        return add_accents(message)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - as gettext calls it
        return add_accents(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return add_accents(msgid1 if n == 1 else msgid2)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002
        return add_accents(msgid1 if n == 1 else msgid2)


def add_accents(text: str) -> str:
    """Return the text in the pseudo-language. Placeholders and tags stay as they are."""
    parts = _FIXED.split(text)
    letters = sum(map(str.isalpha, "".join(parts[::2])))
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    return "".join(parts) + "·" * -(-letters // 3)


ENGLISH = "en"
CATALOGUES = Path(__file__).parent / "catalogues"
VARIABLE = "FIVEDICE_LANGUAGE"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}
_NEAR = {"nn": "nb", "no": "nb"}  # languages whose readers read another one

_chosen: ContextVar[str | None] = ContextVar("fivedice_language", default=None)


def current() -> str:
    """Return the current language: that of this context, or the one in the environment."""
    return _chosen.get() or _from_environment()


def chosen() -> str | None:
    """Return the language that `using` has set, or None."""
    return _chosen.get()


@contextmanager
def using(language: str) -> Iterator[None]:
    """Use another language inside the block. English is used for one without a catalogue."""
    token = _chosen.set(language)
    try:
        yield
    finally:
        _chosen.reset(token)


def available() -> tuple[str, ...]:
    """Return English and every language with a catalogue. The pseudo-language is not offered to people."""
    return (ENGLISH, *sorted(path.parts[-3] for path in CATALOGUES.glob("*/LC_MESSAGES/fivedice.[mp]o")))


@cache
def menu() -> Mapping[str, str]:
    """Return the available languages with their own names, in the order of those. Read once per process."""
    return dict(sorted(((each, MARKS[each].name) for each in available()), key=lambda each: each[1]))


def find_language(wanted: str, there_are: Iterable[str] | None = None) -> str | None:
    """Return the nearest language for a name such as "pt-PT", "de_AT.UTF-8" or "nn"; None if none is near.

    Without `there_are`, look among all that people may choose, and the pseudo-language.
    """
    known = {each.lower(): each for each in ((*menu(), PSEUDO) if there_are is None else there_are)}
    name = re.split("[.@]", wanted.strip().lower())[0].replace("_", "-")
    base = name.partition("-")[0]
    regions = (each for each in known if each.startswith(f"{base}-"))
    return next((known[each] for each in (name, base, _NEAR.get(base), *regions) if each in known), None)


def direction() -> str:
    """Return the writing direction of the current language, as HTML names it."""
    return "rtl" if current().partition("-")[0] in _RIGHT_TO_LEFT else "ltr"


def translations() -> NullTranslations:
    """Return the catalogue of the current language."""
    return _catalogue(current())


def marks() -> Marks:
    """Return the marks of numbers and lists in the current language."""
    return _pseudo_marks() if current() == PSEUDO else MARKS.get(current(), MARKS[ENGLISH])


@cache
def _pseudo_marks() -> Marks:
    english = MARKS[ENGLISH]
    return english._replace(both=add_accents(english.both), either=add_accents(english.either))


def gettext(text: str) -> str:
    """Translate a text into the current language, which may differ between requests."""
    return translations().gettext(text)


def pgettext(context: str, text: str) -> str:
    return translations().pgettext(context, text)


def ngettext(one: str, many: str, count: int) -> str:
    return translations().ngettext(one, many, count)


def npgettext(context: str, one: str, many: str, count: int) -> str:
    return translations().npgettext(context, one, many, count)


@cache
def _from_environment() -> str:
    return os.environ.get(VARIABLE) or ENGLISH


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == PSEUDO:
        return PseudoTranslations()
    if language == ENGLISH or language not in available():
        return NullTranslations()
    path = CATALOGUES / language / "LC_MESSAGES" / "fivedice.mo"
    if path.exists():
        return GNUTranslations(io.BytesIO(path.read_bytes()))
    from fivedice.text.po_file import compile_catalogue  # a late import: a wheel needs none

    return GNUTranslations(io.BytesIO(compile_catalogue(path.with_suffix(".po").read_text(encoding="utf-8"))))
