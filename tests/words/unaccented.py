"""Words that were not translated: in the pseudo-language every letter of a text has an accent."""

import re
from collections.abc import Callable, Collection
from html.parser import HTMLParser

from fivedice.core.rules import SHIPPED, shipped

# Names of ours, of files and of the people of the tests.
SAME = frozenset({"Fivedice", "PDF", "JSON", "CSV", "Ann", "Bob", "Cleo", "Eve", "Ours", "Whatever"})
CODES = frozenset(box.code for key in SHIPPED for box in shipped(key).boxes)  # of the notation
QUOTED = re.compile(r"'[^']*'")  # as it was entered
_PLAIN = re.compile(r"(?<![^\W_])[A-Za-z]{2,}(?![^\W_])")


def unaccented(text: str, same: Collection[str] = SAME) -> list[str]:
    return [word for word in _PLAIN.findall(QUOTED.sub("", text)) if word not in same and word not in CODES]


class Unaccented(HTMLParser):
    """Collect the texts and attributes of a page with an untranslated word, or what else a check finds wrong.

    Names and code are marked as such.
    """

    READ = ("alt", "aria-label", "placeholder", "title", "data-announce", "data-offline", "data-title")
    FIXED = ("bdi", "code", "kbd", "pre", "script", "style", "textarea")

    def __init__(self, page: str, find_wrong: Callable[[str], list[str]] = unaccented) -> None:
        super().__init__()
        self._find_wrong = find_wrong
        self.found: list[str] = []
        self._fixed: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in self.FIXED or ("translate", "no") in attributes:
            self._fixed.append(tag)
        for name, value in attributes:
            if name in self.READ and not self._fixed:
                self._look(value or "")

    def handle_endtag(self, tag: str) -> None:
        if self._fixed and tag == self._fixed[-1]:
            self._fixed.pop()

    def handle_data(self, data: str) -> None:
        if not self._fixed:
            self._look(data)

    def _look(self, text: str) -> None:
        if self._find_wrong(text):
            self.found.append(" ".join(text.split()))
