"""Rate limits per client, kept in the memory of this process.

A client is one IPv4 address or one IPv6 /64 network. An IPv6 /48 network, which one customer may own, is a site: its
clients together may use `SITE_SHARE` times as much as one client.
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
from fivedice.web.http.settings import Settings, networks

LARGEST_HEAD = 16 * 1024  # bytes of the first line and all headers
GONE = 499  # the caller disconnected before the response
_FORWARDED = {b"x-forwarded-for", b"forwarded", b"x-real-ip", b"via"}
LONGEST_ADDRESS = 64  # characters; a proxy may forward any text
_ONE_HOME = 64  # bits of the IPv6 network that a provider gives to one customer
_ONE_SITE = 48  # the same for a company: it holds 65,536 homes
SITE_SHARE = 4  # a site may use this many times the limit of one client


@dataclass(slots=True)
class RequestContext:
    """One request and what has been decided about it."""

    address: str
    known: bool = True  # False: forwarded by a proxy that is not trusted
    free: bool = False  # one of the operator's own programs, which have no limits
    limit: str | None = None  # that refused it
    wait: int | None = None  # seconds until the client may retry
    streaming: bool = False  # holds one of the live streams of its client
    limits: Limits | None = None  # of this server
    scope: HTTPScope | None = None  # the request as received
    status: int = GONE  # of the response
    hung_up: bool = False  # the caller disconnected before the response

    @property
    def client(self) -> str:
        """Return the client that the limits count for: an IPv4 address or an IPv6 /64 network."""
        return _client(self.address[:LONGEST_ADDRESS])

    @property
    def site(self) -> str | None:
        """Return the /48 network of an IPv6 address; None for all others."""
        return _site(self.address[:LONGEST_ADDRESS])

    def comes_from(self, allowed: tuple[IPv4Network | IPv6Network, ...]) -> bool:
        return self.known and comes_from(self.address, allowed)


def comes_from(address: str, allowed: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    """Return whether an address is in one of these networks."""
    found = _parse_address(address)
    return found is not None and any(found in network for network in allowed)


# Set for each request, and visible in the threads that work for it.
CONTEXT: ContextVar[RequestContext | None] = ContextVar("context", default=None)


def peer_of(scope: Scope) -> str:
    """Return the address of the caller, as a trusted proxy names it; "" if unknown."""
    return scope["client"][0] if scope["client"] else ""


def was_forwarded(scope: Scope) -> bool:
    return any(name in _FORWARDED for name, _ in scope["headers"])


@lru_cache(maxsize=4096)  # used by every request, mostly for the same few addresses
def _client(address: str) -> str:
    found = _parse_address(address)
    return _network(found, _ONE_HOME) if isinstance(found, IPv6Address) else str(found or address)


@lru_cache(maxsize=4096)
def _site(address: str) -> str | None:
    found = _parse_address(address)
    return _network(found, _ONE_SITE) if isinstance(found, IPv6Address) else None


def _network(address: IPv6Address, bits: int) -> str:
    return str(IPv6Address(int(address) >> (128 - bits) << (128 - bits)))


def _parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


Hourly = Literal["tables", "books", "links"]
Budget = Literal["work", "looks"]
Kind = Literal["reads", "writes", "tables", "books", "links", "bytes", "streams", "work", "looks", "guesses"]

MILLISECONDS = 1000.0
WORK_AT_ONCE = 30.0  # seconds' worth of work in one burst: all players of a game open its report together
AT_ONCE = 10.0  # seconds' worth of requests in one burst: many phones in one room open their pages together
HOUR = 3600.0
DAY = 24 * HOUR
MEGABYTE = 1_000_000
GUESSES_PER_HOUR = 60  # wrong passphrases
LINKS_PER_HOUR = 60  # links between devices, and subscriptions to notices
MOST_CLIENTS = 10_000  # per limit; beyond that the least recently seen client is forgotten
REFUSAL_RATE, REFUSALS_AT_ONCE = 10.0, 100.0  # refusals sent without delay: per second, and in one burst
REFUSAL_PAUSE = 1.0  # seconds by which further refusals are delayed: each costs work
STREAM_PATIENCE = 30  # seconds; when a page will be closed is unknown
READING = {"GET", "HEAD", "OPTIONS"}


class TooMany(Refusal, code="too-many", status=429):
    """The client has reached a limit; the message says how long to wait."""

    def __init__(self, kind: Kind, wait: float) -> None:
        self.kind, self.wait = kind, max(1, ceil(wait))
        super().__init__(f"web.too-many-{kind}", wait=duration(self.wait))


def duration(seconds: int) -> Message:
    if seconds > 90:
        return message("web.minutes", count=ceil(seconds / 60))
    return message("web.seconds", count=seconds)


class Buckets:
    """A token bucket per client, refilled at a steady rate up to its size."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._size, self._clock = rate, size, clock
        self._left: BoundedMap[str, tuple[float, float]] = BoundedMap(MOST_CLIENTS)  # tokens, and when counted
        self._guard = Lock()

    def __len__(self) -> int:
        return len(self._left)

    def take(self, client: str, count: float = 1) -> float:
        """Take tokens and return 0, or take none and return the seconds to wait. A rate of 0 means no limit."""
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
        """Return the seconds until a token is available, without taking one."""
        with self._guard:
            return max(0.0, (1 - self._tokens(client)) / self._rate) if self._rate else 0.0

    def spend(self, client: str, tokens: float) -> None:
        """Take tokens for work that is already done; the balance may become negative."""
        if self._rate:
            with self._guard:
                self._keep(client, self._tokens(client) - tokens)

    def _tokens(self, client: str) -> float:
        tokens, when = self._left.get(client, (self._size, self._clock()))
        return min(self._size, tokens + (self._clock() - when) * self._rate)

    def _keep(self, client: str, tokens: float) -> None:
        self._left[client] = (tokens, self._clock())


class Allowance:
    """The buckets of a limit: one per client and one per site."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float]) -> None:
        self._clients = Buckets(rate, size, clock)
        self._sites = Buckets(SITE_SHARE * rate, SITE_SHARE * size, clock)

    def take(self, context: RequestContext, count: float = 1) -> float:
        """Take tokens from both buckets and return 0, or take none and return the seconds to wait."""
        wait = self._clients.take(context.client, count)
        if wait or context.site is None:
            return wait
        wait = self._sites.take(context.site, count)
        if wait:
            self._clients.give_back(context.client, count)
        return wait

    def give_back(self, context: RequestContext) -> None:
        self._clients.give_back(context.client)
        if context.site is not None:
            self._sites.give_back(context.site)

    def wait(self, context: RequestContext) -> float:
        """Return the seconds until both buckets have a token, without taking one."""
        alone = self._clients.wait(context.client)
        return alone if context.site is None else max(alone, self._sites.wait(context.site))

    def spend(self, context: RequestContext, tokens: float) -> None:
        self._clients.spend(context.client, tokens)
        if context.site is not None:
            self._sites.spend(context.site, tokens)


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
            "links": Allowance(LINKS_PER_HOUR / HOUR, LINKS_PER_HOUR, clock),
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
        self._streams: Counter[str] = Counter()  # at most one entry per open connection
        self._site_streams: Counter[str] = Counter()

    @property
    def streams(self) -> int:
        """Return the number of live streams that are open, of all clients."""
        return self._streams.total()

    def request(self, context: RequestContext, method: str) -> None:
        """Count a request. Raise TooMany if the client has reached its limit."""
        context.free = bool(self._free) and context.comes_from(self._free)
        reads = method in READING
        if not context.free:
            _refuse(context, "reads" if reads else "writes", (self._reads if reads else self._writes).take(context))

    def afford(self, context: RequestContext, budget: Budget) -> None:
        """Raise TooMany if the client has used up its processor time."""
        if not context.free:
            _refuse(context, budget, self._budgets[budget].wait(context))

    def charge(self, context: RequestContext, budget: Budget, seconds: float) -> None:
        """Charge a client for processor time that was used for it."""
        if context.free:
            return
        self._budgets[budget].spend(context, MILLISECONDS * seconds)

    def refusal_pause(self, context: RequestContext) -> float:
        """Return by how many seconds to delay a refusal: 0 for the first ones."""
        return REFUSAL_PAUSE if not context.free and self._refusals.take(context) else 0.0

    @contextmanager
    def one_more(self, kind: Hourly, forgiven: type[Refusal] = Refusal) -> Iterator[None]:
        """Count one new table, book or link for the body, unless it raises `forgiven`. Raise TooMany at the limit."""
        context = CONTEXT.get()
        if context is None or context.free:  # the server itself
            yield
            return
        _refuse(context, kind, self._hourly[kind].take(context))
        try:
            yield
        except forgiven:
            self._hourly[kind].give_back(context)
            raise

    @contextmanager
    def one_guess(self) -> Iterator[None]:
        """Count a wrong passphrase if the body raises Refusal. Raise TooMany at the limit, for every client."""
        context = CONTEXT.get() or RequestContext("")
        _refuse(context, "guesses", self._guesses.wait(context))
        try:
            yield
        except Refusal:
            self._guesses.spend(context, 1)
            raise

    def saves(self, size: int) -> None:
        """Count bytes that the current request will store. Raise TooMany at the limit."""
        context = CONTEXT.get()
        if context is not None and not context.free:
            _refuse(context, "bytes", self._bytes.take(context, size))

    def hold_stream(self) -> None:
        """Count the current request as a live stream until `leave`. Raise TooMany at the limit."""
        context = CONTEXT.get()
        if context is None or context.streaming:
            return
        client, site = self._streams[context.client], self._site_streams[context.site or ""]
        most = self._most_streams
        if most and (client >= most or (context.site and site >= SITE_SHARE * most)) and not context.free:
            _refuse(context, "streams", STREAM_PATIENCE)
        context.streaming = True
        self._streams[context.client] += 1
        self._site_streams[context.site or ""] += 1

    def leave(self, context: RequestContext) -> None:
        """Release the live stream of a request that has ended."""
        if context.streaming:
            context.streaming = False
            count_down(self._streams, context.client)
            count_down(self._site_streams, context.site or "")


def count_down(counts: Counter[str], name: str) -> None:
    """Decrease a count by one, and remove the name at zero."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]


def _refuse(context: RequestContext, kind: Kind, wait: float) -> None:
    if wait > 0:
        refusal = TooMany(kind, wait)
        context.limit, context.wait = kind, refusal.wait
        raise refusal
