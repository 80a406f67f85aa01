"""Jinja as the pages use it: texts in the language of the request, and values as `words` shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from litestar.enums import ScopeType
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.types import Scope

from fivedice import words
from fivedice.words import available
from fivedice.words.language import ENGLISH, direction, translations
from fivedice.words.pseudo import PSEUDO
from fivedice.words.sentences.script_sentences import script_words

FOLDER = Path(__file__).parents[1] / "templates"


def template_engine() -> JinjaTemplateEngine:
    return JinjaTemplateEngine.from_environment(environment())


def environment() -> Environment:
    found = Environment(loader=FileSystemLoader(FOLDER), autoescape=True, extensions=["jinja2.ext.i18n"])
    found.policies["ext.i18n.trimmed"] = True
    found.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    found.globals |= {"language": words.current, "direction": direction, "script_words": script_words}
    found.filters |= {
        "grouped": words.grouped,
        "name": words.name_of,
        "percent": words.percent,
        "points": words.points,
        "said": words.said,
        "shown": words.shown,
        "signed": words.signed,
        "spread": words.spread,
    }
    return found


def gettext(text: str) -> str:
    """In the language of the request, which changes from one to the next."""
    return translations().gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    return translations().ngettext(one, many, count)


def language_of(scope: Scope, chosen: str) -> str:
    """The one that was chosen for this server, or else what the browser likes best of those that there are."""
    if chosen or scope["type"] != ScopeType.HTTP:
        return chosen or ENGLISH
    return _liked(next((value for name, value in scope["headers"] if name == b"accept-language"), b""))


@lru_cache(maxsize=256)  # every request asks, browsers say the same few things, and catalogues are looked for on disk
def _liked(header: bytes) -> str:
    return negotiated(header.decode("latin-1"), (*available(), PSEUDO))


def negotiated(header: str, there_are: Sequence[str]) -> str:
    """The best match for an Accept-Language header such as "de-AT, de;q=0.9, en;q=0.5"."""
    known = {language.lower(): language for language in there_are}
    for wanted in _by_liking(header.lower().split(",")):
        for name in (wanted, wanted.partition("-")[0]):
            if name in known:
                return known[name]
    return ENGLISH


def _by_liking(entries: Iterable[str]) -> list[str]:
    liked = [(_quality(quality), name.strip()) for name, _, quality in (entry.partition(";") for entry in entries)]
    return [name for quality, name in sorted(liked, key=lambda each: -each[0]) if quality > 0]


def _quality(text: str) -> float:
    """From 0 to 1; what cannot be read is not wanted."""
    try:
        return float(text.strip().removeprefix("q=")) if text.strip() else 1.0
    except ValueError:
        return 0.0
