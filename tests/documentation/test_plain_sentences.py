"""Sentences on pages are short, and free of words that make them hard to read."""

import re
from collections.abc import Iterator
from pathlib import Path

from documentation.pages import PAGES, name_of, without_blocks

_MOST_WORDS = 25
_AVOIDED = re.compile(r"(?i)\b(told|beside|nobody|whoever|somebody|those that|as many as|is no|of old|gone)\b")
_PRINTED = re.compile(r"<!-- (?:figures:house|figures:walks|times) -->.*?<!-- /\w+ -->", re.DOTALL)
_PART = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=[|#<*])|(?<!\\)\|")
_END = re.compile(r"(?<=[.!?])[”’)*]*\s+(?=[A-Z“(\[*`\d_=…])")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of paragraphs, items and cells; code, a link's address and a comment are no words."""
    prose = _PRINTED.sub("", without_blocks(text))
    prose = re.sub(r"\]\([^)]*\)|<[^>]*>", "", re.sub(r"`[^`]*`", "`code`", prose))
    for part in _PART.split(prose):
        yield from (" ".join(sentence.split()) for sentence in _END.split(part))


def too_hard(text: str) -> list[str]:
    """Return the sentences with more than 25 words or with a word that makes them hard to read."""
    return [said for said in sentences(text) if _count_words(said) > _MOST_WORDS or _AVOIDED.search(said)]


def _count_words(sentence: str) -> int:
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_sentences_of_every_page_are_short_and_plain() -> None:
    assert [f"{name_of(page)}: {said}" for page in PAGES for said in too_hard(_read(page))] == []


def test_long_sentence_and_avoided_word_are_found() -> None:
    short = " ".join(["word"] * _MOST_WORDS)
    assert too_hard(f"{short}. {short.capitalize()}.\n- {short}\n- {short}\n| {short} | {short} |") == []
    assert too_hard(f"{short} more.") == [f"{short} more."]
    assert too_hard("Fine. There `is no` such (word).\nThere is\nno word.") == ["There is no word."]
