"""Your games, book by book, against perfect play. Looking at them reads finished games and touches no running one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from litestar import MediaType
from litestar.response import Response

from fivedice.notation import write_game
from fivedice.table.state import Phase
from fivedice.web.house_rules.book_lookup import book_names
from fivedice.web.http.answers import Page, file, page
from fivedice.web.http.handling import PRESS, get
from fivedice.web.http.identity import Person
from fivedice.web.reports.report_jobs import Counted
from fivedice.web.services import AppServices
from fivedice.words import points

if TYPE_CHECKING:
    from fivedice.analysis.statistics import BookStatistics, GameFacts
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


@get("/statistics", lane=PRESS)
def statistics(services: AppServices, person: Person, name: str | None = None) -> Page:
    """The statistics of this browser's person, or of one of the names that share it."""
    name, store = name or None, services.tables.store  # the form sends nothing for everyone
    counted = services.game_counts.look(person.id)
    names = book_names(store, {result.book for result in counted.results})
    seen = StatisticsView.of(counted, name, services.game_counts.books, names)
    running = [entry for entry in store.own_tables.of(person.id) if entry.phase == Phase.PLAYING]
    return page("reports/statistics.html", seen=seen, running=running, chosen=name)


@get("/statistics.csv", lane=PRESS)
def as_csv(services: AppServices, person: Person) -> Response[Any]:
    """One line a game."""
    from fivedice.analysis.statistics_lines import to_csv

    return file(to_csv(services.game_counts.look(person.id).facts), "text/csv", "fivedice.csv")


@get("/statistics.json", lane=PRESS)
def as_json(services: AppServices, person: Person) -> Response[Any]:
    """Everything that the page says, and every game."""
    from fivedice.analysis.statistics_lines import statistics_to_json

    counted = services.game_counts.look(person.id)
    books = statistics_to_json(services.game_counts.books(counted.facts))
    data = {"complete": counted.is_complete, "games": len(counted.results), **books}
    return file(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "application/json", "fivedice.json")


@get("/statistics.txt", lane=PRESS, media_type=MediaType.TEXT)
def as_records(services: AppServices, person: Person) -> Response[Any]:
    """The records of all games, one after the other."""
    return file("\n".join(map(write_game, services.game_counts.games(person.id))), "text/plain", "fivedice.txt")
