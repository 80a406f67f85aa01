"""Whose request this is, as far as limits go: an address, or a network where everybody has many."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from litestar.types import Scope

_FORWARDED = {b"x-forwarded-for", b"forwarded", b"x-real-ip"}
_ONE_HOME = 64  # bits of an IPv6 address that a provider gives to one customer, who has all the rest


@dataclass(slots=True)
class Visit:
    """One request. What is decided about it on the way is noted here."""

    address: str
    known: bool = True  # False: somebody passed it on whom nobody told us to trust
    limit: str | None = None  # that turned it away
    wait: int | None = None  # and for how many seconds
    streaming: bool = False  # holds one of the live streams of its client

    @property
    def client(self) -> str:
        """Who shares the limits: one IPv4 address, or one home of IPv6."""
        return _client(self.address)

    def comes_from(self, allowed: tuple[IPv4Network | IPv6Network, ...]) -> bool:
        found = _parsed(self.address)
        return self.known and found is not None and any(found in network for network in allowed)


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
    if isinstance(found, IPv6Address):
        return str(IPv6Address(int(found) >> (128 - _ONE_HOME) << (128 - _ONE_HOME)))
    return str(found or address)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
