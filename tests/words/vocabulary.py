"""Words of another language on a page: each word has to stand in the catalogue of the language of the page."""

import re
from functools import cache
from pathlib import Path

from babel import Locale

import fivedice.core.rules
from fivedice.core.rules import SHIPPED, shipped
from fivedice.text import using
from fivedice.text.formatting import name_of
from fivedice.text.languages import CATALOGUES, available
from fivedice.text.po_file import read_texts
from words.unaccented import QUOTED, SAME

LANGUAGES = available()[1:]
NAMES = Path(fivedice.core.rules.__file__).parent / "languages"
_CODE = re.compile(r"<(code|kbd)>.*?</\1>|<[^<>]*>|\{\w*\}|%\(\w+\)s|`[^`]*`|&\w+;")
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")  # no part of a key such as 5b7e


@cache
def vocabulary(language: str) -> frozenset[str]:
    """Return the words of a language: of its catalogue, of names of boxes and games, and of dates."""
    path, locale = CATALOGUES / language / "LC_MESSAGES" / "fivedice.po", Locale.parse(language, sep="-")
    texts = [_CODE.sub(" ", text) for text in read_texts(path.read_text(encoding="utf-8")).values()]
    for names in (locale.months, locale.days):
        texts += [each for widths in names.values() for words in widths.values() for each in words.values()]
    texts += re.findall('"(.*)"', (NAMES / f"{language}.toml").read_text(encoding="utf-8"))
    with using(language):
        texts += [name_of(each) for key in SHIPPED for each in (shipped(key), *shipped(key).boxes)]
    return frozenset(word for text in (*texts, *SAME) for word in _words(text))


def foreign_words(text: str, language: str, same: frozenset[str] = frozenset()) -> list[str]:
    """Return the words of a text that are not of this language."""
    return [word for word in _words(text) if word not in vocabulary(language) and word not in same]


def _words(text: str) -> list[str]:
    return _WORD.findall(QUOTED.sub("", text).lower())
