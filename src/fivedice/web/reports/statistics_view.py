"""Statistics as the page shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from fivedice.web.reports.game_counts import Counted
from fivedice.words import points

if TYPE_CHECKING:
    from fivedice.analysis.game_facts import GameFacts
    from fivedice.analysis.statistics import BookStatistics
    from fivedice.analysis.statistics_lines import BookLines

Books = Callable[["tuple[GameFacts, ...]"], "list[BookStatistics]"]


@dataclass(frozen=True, slots=True)
class Summary:
    """What the database alone knows of a book."""

    name: str
    games: int
    mean: str
    best: int


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """The whole page."""

    names: tuple[str, ...]
    summary: tuple[Summary, ...]
    books: tuple[BookLines, ...]
    games: int
    known: int
    complete: bool

    @property
    def waits(self) -> bool:
        """Whether something is still being worked out."""
        return bool(self.games) and not (self.complete and all(book.perfect_known for book in self.books))

    @classmethod
    def of(cls, counted: Counted, name: str | None, books: Books, names: dict[str, str]) -> StatisticsView:
        from fivedice.analysis.statistics import names_in
        from fivedice.analysis.statistics_lines import book_lines

        facts = tuple(each for each in counted.facts if name is None or each.name == name)
        return cls(
            tuple(names_in(counted.facts)),
            tuple(_summaries(counted, names)),
            tuple(map(book_lines, books(facts))),
            len(counted.results),
            len(counted.facts),
            counted.is_complete,
        )


def _summaries(counted: Counted, names: dict[str, str]) -> Iterator[Summary]:
    totals: dict[str, list[int]] = {}
    for result in counted.results:
        totals.setdefault(result.book, []).append(result.total)
    for key, found in totals.items():
        yield Summary(names.get(key, key), len(found), points(fmean(found)), max(found))
