"""How much one client may ask for. In memory, for this process alone, and forgotten when it ends.

A client is an address, or a network where everybody has many. Larger networks that one customer may have are limited
too, at several times as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from math import ceil
from threading import Lock
from time import monotonic
from typing import Literal

from litestar.types import HTTPScope, Scope

from fivedice.message import Message, message
from fivedice.table.refusals import Refusal
from fivedice.table.service import BoundedMap
from fivedice.web.settings import Settings, networks

LARGEST_HEAD = 16 * 1024  # bytes of the first line and all headers
GONE = 499  # the caller hung up before there was an answer
_FORWARDED = {b"x-forwarded-for", b"forwarded", b"x-real-ip", b"via"}
LONGEST_ADDRESS = 64  # characters; what a proxy passes on may be anything
_ONE_HOME = 64  # bits of an IPv6 address that a provider gives to one customer, who has all the rest
_ONE_SITE = 48  # the same for a company, or anyone who asks: 65,536 homes
SITE_SHARE = 4  # times what one client may have: all homes of a site together


@dataclass(slots=True)
class Visit:
    """One request. What is decided about it on the way is noted here."""

    address: str
    known: bool = True  # False: somebody passed it on whom nobody told us to trust
    free: bool = False  # one of the operator's own programs: no limit is for it
    limit: str | None = None  # that turned it away
    wait: int | None = None  # and for how many seconds
    streaming: bool = False  # holds one of the live streams of its client
    limits: Limits | None = None  # of the server that was asked
    scope: HTTPScope | None = None  # the request as it came
    status: int = GONE  # of the answer
    hung_up: bool = False  # the caller, before there was an answer

    @property
    def client(self) -> str:
        """Who shares the limits: one IPv4 address, or one home of IPv6."""
        return _client(self.address[:LONGEST_ADDRESS])

    @property
    def site(self) -> str | None:
        """The larger network of an IPv6 address; None for all others."""
        return _site(self.address[:LONGEST_ADDRESS])

    def comes_from(self, allowed: tuple[IPv4Network | IPv6Network, ...]) -> bool:
        return self.known and comes_from(self.address, allowed)


def comes_from(address: str, allowed: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    """Say whether an address is in one of these networks."""
    found = _parsed(address)
    return found is not None and any(found in network for network in allowed)


# Set for each request; threads that work for it see it too.
VISIT: ContextVar[Visit | None] = ContextVar("visit", default=None)


def peer_of(scope: Scope) -> str:
    """The other end of the connection, or, once a trusted proxy has been heard, whom it speaks for."""
    return scope["client"][0] if scope["client"] else ""


def was_forwarded(scope: Scope) -> bool:
    return any(name in _FORWARDED for name, _ in scope["headers"])


@lru_cache(maxsize=4096)  # every request asks, and most of them come from the same few
def _client(address: str) -> str:
    found = _parsed(address)
    return _network(found, _ONE_HOME) if isinstance(found, IPv6Address) else str(found or address)


@lru_cache(maxsize=4096)
def _site(address: str) -> str | None:
    found = _parsed(address)
    return _network(found, _ONE_SITE) if isinstance(found, IPv6Address) else None


def _network(address: IPv6Address, bits: int) -> str:
    return str(IPv6Address(int(address) >> (128 - bits) << (128 - bits)))


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


Hourly = Literal["tables", "books"]
Budget = Literal["work", "looks"]
Kind = Literal["reads", "writes", "tables", "books", "bytes", "streams", "work", "looks", "guesses"]

MILLISECONDS = 1000.0
WORK_AT_ONCE = 30.0  # seconds' worth of work: all who sit around a table read its report together
AT_ONCE = 10.0  # seconds' worth of requests that may come in one burst: a roomful of phones opens its pages together
HOUR = 3600.0
DAY = 24 * HOUR
MEGABYTE = 1_000_000
GUESSES_PER_HOUR = 60  # wrong passphrases
MOST_CLIENTS = 10_000  # remembered for each limit; beyond that the one heard of longest ago starts anew
REFUSAL_RATE, REFUSALS_AT_ONCE = 10.0, 100.0  # refusals that are answered at once, a second and in a burst
REFUSAL_PAUSE = 1.0  # seconds that all others wait for theirs: to refuse is work too
STREAM_PATIENCE = 30  # seconds; nobody knows when a page will be closed
READING = {"GET", "HEAD", "OPTIONS"}


class TooMany(Refusal):
    """The client has to wait; the sentence says how long."""

    code = "too-many"
    status = 429

    def __init__(self, kind: Kind, wait: float) -> None:
        self.kind, self.wait = kind, max(1, ceil(wait))
        super().__init__(f"web.too-many-{kind}", wait=duration(self.wait))


def duration(seconds: int) -> Message:
    if seconds > 90:
        return message("web.minutes", count=ceil(seconds / 60))
    return message("web.seconds", count=seconds)


class Buckets:
    """For each client a bucket of tokens that fills again at a steady rate, up to its size."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._size, self._clock = rate, size, clock
        self._left: BoundedMap[str, tuple[float, float]] = BoundedMap(MOST_CLIENTS)  # tokens, and when that was
        self._guard = Lock()

    def __len__(self) -> int:
        return len(self._left)

    def take(self, client: str, count: float = 1) -> float:
        """Take tokens, or say for how many seconds there will be too few. No rate is no limit."""
        if not self._rate:
            return 0.0
        with self._guard:
            tokens = self._tokens(client)
            if tokens < count:
                return (count - tokens) / self._rate
            self._keep(client, tokens - count)
        return 0.0

    def give_back(self, client: str, count: float = 1) -> None:
        with self._guard:
            self._keep(client, min(self._size, self._tokens(client) + count))

    def wait(self, client: str) -> float:
        """For how many seconds there will be no token, taking none."""
        with self._guard:
            return max(0.0, (1 - self._tokens(client)) / self._rate) if self._rate else 0.0

    def spend(self, client: str, tokens: float) -> None:
        """Take as many as something came to, known only afterwards: there may be a debt."""
        if self._rate:
            with self._guard:
                self._keep(client, self._tokens(client) - tokens)

    def _tokens(self, client: str) -> float:
        tokens, when = self._left.get(client, (self._size, self._clock()))
        return min(self._size, tokens + (self._clock() - when) * self._rate)

    def _keep(self, client: str, tokens: float) -> None:
        self._left[client] = (tokens, self._clock())


class Allowance:
    """What each client may use, and all clients of one site together."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float]) -> None:
        self._clients = Buckets(rate, size, clock)
        self._sites = Buckets(SITE_SHARE * rate, SITE_SHARE * size, clock)

    def take(self, visit: Visit, count: float = 1) -> float:
        """Take tokens of both, or none and return for how many seconds there will be too few."""
        wait = self._clients.take(visit.client, count)
        if wait or visit.site is None:
            return wait
        wait = self._sites.take(visit.site, count)
        if wait:
            self._clients.give_back(visit.client, count)
        return wait

    def give_back(self, visit: Visit) -> None:
        self._clients.give_back(visit.client)
        if visit.site is not None:
            self._sites.give_back(visit.site)

    def wait(self, visit: Visit) -> float:
        """Return for how many seconds there will be no token, taking none."""
        alone = self._clients.wait(visit.client)
        return alone if visit.site is None else max(alone, self._sites.wait(visit.site))

    def spend(self, visit: Visit, tokens: float) -> None:
        self._clients.spend(visit.client, tokens)
        if visit.site is not None:
            self._sites.spend(visit.site, tokens)


class Limits:
    """All limits of a process."""

    def __init__(self, settings: Settings | None = None, clock: Callable[[], float] = monotonic) -> None:
        set_to = settings or Settings()
        self._free = networks(set_to.unlimited_from)
        self._reads = Allowance(set_to.read_rate, max(1.0, set_to.read_rate * AT_ONCE), clock)
        self._writes = Allowance(set_to.write_rate, max(1.0, set_to.write_rate * AT_ONCE), clock)
        self._hourly: dict[Hourly, Allowance] = {
            "tables": Allowance(set_to.tables_per_hour / HOUR, set_to.tables_per_hour, clock),
            "books": Allowance(set_to.books_per_hour / HOUR, set_to.books_per_hour, clock),
        }
        daily = set_to.megabytes_per_day * MEGABYTE
        self._bytes = Allowance(daily / DAY, daily, clock)
        self._budgets: dict[Budget, Allowance] = {
            "work": Allowance(set_to.work_rate, max(1.0, set_to.work_rate * WORK_AT_ONCE), clock),
            "looks": Allowance(set_to.look_rate, max(1.0, set_to.look_rate * AT_ONCE), clock),
        }
        self._refusals = Allowance(REFUSAL_RATE, REFUSALS_AT_ONCE, clock)
        self._guesses = Allowance(GUESSES_PER_HOUR / HOUR, GUESSES_PER_HOUR, clock)
        self._most_streams = set_to.streams_at_once
        self._streams: Counter[str] = Counter()  # as many entries as there are open connections, at most
        self._site_streams: Counter[str] = Counter()

    @property
    def streams(self) -> int:
        """Live streams that are open now, of all clients."""
        return self._streams.total()

    def request(self, visit: Visit, method: str) -> None:
        """Let a request in, or refuse it."""
        visit.free = bool(self._free) and visit.comes_from(self._free)
        reads = method in READING
        if not visit.free:
            _refuse(visit, "reads" if reads else "writes", (self._reads if reads else self._writes).take(visit))

    def afford(self, visit: Visit, budget: Budget) -> None:
        """Refuse whoever has used up more processor time than one client may."""
        if not visit.free:
            _refuse(visit, budget, self._budgets[budget].wait(visit))

    def charge(self, visit: Visit, budget: Budget, seconds: float) -> None:
        """Something has been done, and took so long on a processor."""
        if visit.free:
            return
        self._budgets[budget].spend(visit, MILLISECONDS * seconds)

    def refusal_pause(self, visit: Visit) -> float:
        """Return how many seconds a client waits to hear that a limit turned it away."""
        return REFUSAL_PAUSE if not visit.free and self._refusals.take(visit) else 0.0

    @contextmanager
    def one_more(self, kind: Hourly, forgiven: type[Refusal] = Refusal) -> Iterator[None]:
        """Around keeping something new; what is refused for another reason, one of the forgiven, does not count."""
        visit = VISIT.get()
        if visit is None or visit.free:  # nobody from outside
            yield
            return
        _refuse(visit, kind, self._hourly[kind].take(visit))
        try:
            yield
        except forgiven:
            self._hourly[kind].give_back(visit)
            raise

    @contextmanager
    def one_guess(self) -> Iterator[None]:
        """Around comparing a passphrase: only so many wrong ones are taken from one client, whoever it is."""
        visit = VISIT.get() or Visit("")
        _refuse(visit, "guesses", self._guesses.wait(visit))
        try:
            yield
        except Refusal:
            self._guesses.spend(visit, 1)
            raise

    def saves(self, size: int) -> None:
        """The request at hand is going to keep so many bytes for good."""
        visit = VISIT.get()
        if visit is not None and not visit.free:
            _refuse(visit, "bytes", self._bytes.take(visit, size))

    def hold_stream(self) -> None:
        """The request at hand is going to stay open. It is let go by `leave`."""
        visit = VISIT.get()
        if visit is None or visit.streaming:
            return
        client, site = self._streams[visit.client], self._site_streams[visit.site or ""]
        most = self._most_streams
        if most and (client >= most or (visit.site and site >= SITE_SHARE * most)) and not visit.free:
            _refuse(visit, "streams", STREAM_PATIENCE)
        visit.streaming = True
        self._streams[visit.client] += 1
        self._site_streams[visit.site or ""] += 1

    def leave(self, visit: Visit) -> None:
        """The request is over."""
        if visit.streaming:
            visit.streaming = False
            count_down(self._streams, visit.client)
            count_down(self._site_streams, visit.site or "")


def count_down(counts: Counter[str], name: str) -> None:
    """Count one less, and forget the name where none is left."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]


def _refuse(visit: Visit, kind: Kind, wait: float) -> None:
    if wait > 0:
        refusal = TooMany(kind, wait)
        visit.limit, visit.wait = kind, refusal.wait
        raise refusal
