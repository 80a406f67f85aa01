"""Who is at a table: everybody whose screen asked for something lately."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from time import monotonic

SEEN_LATELY = 40.0  # seconds; a little more than two heartbeats: a screen that misses both has gone
TIDY = 512  # tables; whoever was last seen long ago is forgotten when there are more, then twice as many, and so on


class Presence:
    """Lives in memory only: after a restart everybody counts as present until they had time to come back.

    Asked and told from any thread. Processes that share a database tell each other whom they saw: `take_news` and
    `heard`.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._seen: dict[str, dict[str, float]] = {}
        self._tidy_at = TIDY
        self._news: dict[str, set[str]] | None = None  # kept only for those who ask for them
        self._guard = Lock()

    def saw(self, table: str, player: str) -> None:
        """Somebody's screen, or program, asked for something."""
        with self._guard:
            self._note(table, player)
            if self._news is not None:
                self._news.setdefault(table, set()).add(player)

    def heard(self, seen: Iterable[tuple[str, str]]) -> None:
        """Another process saw these people, each at a table."""
        with self._guard:
            for table, player in seen:
                self._note(table, player)

    def take_news(self) -> dict[str, set[str]]:
        """Whom we saw since we were asked last."""
        with self._guard:
            news, self._news = self._news or {}, {}
        return news

    def start_over(self) -> None:
        """We may have missed what others saw: nobody can be called absent for a while."""
        self._since = self._clock()

    def _note(self, table: str, player: str) -> None:
        self._seen.setdefault(table, {})[player] = self._clock()
        if len(self._seen) > self._tidy_at:
            self._tidy()

    def at(self, table: str) -> frozenset[str] | None:
        """Everyone who was heard of lately; None while we have not listened long enough to tell."""
        oldest = self._clock() - SEEN_LATELY
        if oldest < self._since:
            return None
        with self._guard:
            return frozenset(player for player, when in self._seen.get(table, {}).items() if when > oldest)

    def _tidy(self) -> None:
        oldest = self._clock() - SEEN_LATELY
        for table, seen in list(self._seen.items()):
            kept = {player: when for player, when in seen.items() if when > oldest}
            if kept:
                self._seen[table] = kept
            else:
                del self._seen[table]
        self._tidy_at = max(TIDY, 2 * len(self._seen))
