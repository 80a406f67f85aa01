"""The dice that several people play, each alone: those of a day, of a group, or of a finished game.

The secret of a day follows from its date and a key that never leaves the server, so two servers have different days.
Its commitment is published when the day begins. The secret is revealed when the day is over and every game that was
begun on it has ended, at most `GRACE` later: a game that goes on past midnight must not be played with known dice.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from fivedice.core.dice import DiceSource, Place
from fivedice.core.rules import SHIPPED, shipped
from fivedice.errors import MalformedError, quote

GRACE = timedelta(hours=12)
MOST_DICE = 5  # rules with more dice take minutes to solve and an hour to play
_is_date = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


def today(zone: str = "UTC", now: datetime | None = None) -> date:
    """Return the date in a time zone."""
    return (now or datetime.now(UTC)).astimezone(ZoneInfo(zone)).date()


def end_of(day: date, zone: str = "UTC") -> datetime:
    """Return when a day is over in a time zone."""
    return datetime.combine(day + timedelta(days=1), time(), ZoneInfo(zone)).astimezone(UTC)


def read_day(text: str) -> date:
    """Return the date of a text such as 2026-11-17. Raise MalformedError if it is not a date."""
    try:
        if is_day(text):
            return date.fromisoformat(text)
    except ValueError:  # such as 30 February
        pass
    raise MalformedError("home.daily-not-a-date", text=quote(text))


def is_day(name: str) -> bool:
    """Return whether a deal is that of a day: other names do not look like a date."""
    return bool(_is_date(name))


def book_of_day(day: date) -> str:
    """Return the key of the rules of a day: every set of shipped rules has its turn.

    >>> book_of_day(date(2026, 11, 18)), book_of_day(date(2026, 11, 19))
    ('yahtzee', 'yatzy')
    """
    books = [key for key in SHIPPED if shipped(key).dice <= MOST_DICE]
    return books[day.toordinal() % len(books)]


def secret_of_day(day: date, key: str) -> str:
    """Return the secret of a day on the server with this key."""
    return hmac.digest(bytes.fromhex(key), f"fivedice/daily/{day.isoformat()}".encode(), "sha256").hex()


@dataclass(frozen=True, slots=True)
class DealtDice:
    """The dice of some turns of another game, in their order."""

    source: DiceSource
    turns: tuple[int, ...]
    decides_start: bool = field(default=False, init=False)

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        return self.source.throw(place._replace(turn=self.turns[place.turn - 1]), count, faces)
