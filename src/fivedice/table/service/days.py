"""The days and deals of one server: what is played today, until when a deal can be begun, and when it is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cached_property

from fivedice.store.deals import Attempt, Deal
from fivedice.store.table_store import Store
from fivedice.table.daily import GRACE, book_of_day, end_of, read_day, secret_of_day, today
from fivedice.table.refusals import Refusal


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Days:
    """Created once per server process. All its processes have the same key, and so the same days."""

    def __init__(self, store: Store, zone: str = "UTC", clock: Callable[[], datetime] = _utc_now) -> None:
        self.store, self.zone, self.clock = store, zone, clock

    @cached_property
    def _key(self) -> str:
        return self.store.draw_key("daily key")  # no sentence

    def today(self) -> date:
        return today(self.zone, self.clock())

    def secret(self, day: date) -> str:
        """Return the secret of a day, which no page may show before `is_over`."""
        return secret_of_day(day, self._key)

    def of(self, day: date) -> Deal | None:
        """Return the daily game of a date; None before the first day of this server and after today.

        It is stored when it is first asked for, because later versions may choose other rules.
        """
        name = day.isoformat()
        if not self.first() <= day <= self.today():
            return None
        found = self.store.deals.find(name)
        if found is not None:
            return found
        new = Deal(name, book_of_day(day), self.secret(day), closes=name)
        try:
            return self.store.deals.add(new)
        except Refusal:  # the disk is full: the page of the day can be read all the same
            return new

    def first(self) -> date:
        """Return the date of the first daily game; today if the clock of the server was ahead on its first day."""
        found = self.store.deals.first_day()
        return self.today() if found is None else min(self.today(), read_day(found))

    def ends(self, deal: Deal) -> datetime | None:
        """Return until when it can be begun; None without a limit."""
        return None if deal.closes is None else end_of(read_day(deal.closes), self.zone)

    def is_open(self, deal: Deal) -> bool:
        """Return whether an attempt that begins now counts."""
        ends = self.ends(deal)
        return ends is None or self.clock() < ends

    def has_expired(self, deal: Deal) -> bool:
        """Return whether results that are finished now no longer count, whenever they were begun."""
        ends = self.ends(deal)
        return ends is not None and self.clock() >= ends + GRACE

    def is_over(self, name: str) -> bool:
        """Return whether the secret of a deal may be revealed: it is closed, and no one plays it any more."""
        deal = self.store.deals.find(name)
        ends = None if deal is None or deal.table_id is not None else self.ends(deal)
        if deal is None or ends is None or self.clock() < ends:
            return False
        return self.has_expired(deal) or not self.store.deals.is_played(name)

    def counts(self, deal: Deal, attempt: Attempt) -> bool:
        """Return whether an attempt was finished in full, before its dice could be known."""
        if attempt.finished is None or attempt.total is None:
            return False
        ends = self.ends(deal)
        return ends is None or datetime.fromisoformat(attempt.finished) < ends + GRACE
