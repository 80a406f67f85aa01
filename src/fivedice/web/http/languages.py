"""Which language a request is answered in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from litestar.enums import ScopeType
from litestar.types import Scope

from fivedice.words import available
from fivedice.words.language import ENGLISH
from fivedice.words.pseudo import PSEUDO


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
