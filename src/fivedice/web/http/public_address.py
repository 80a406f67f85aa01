"""The address under which other devices reach this server."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from fivedice.web.http.handling import Req
from fivedice.web.settings import Settings

EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to
_TEST_NET = ("192.0.2.1", 9)  # an address of documentation: nothing is ever sent there


def public_base(settings: Settings, request: Req) -> str:
    """The beginning of a link that works on another phone, as far as that can be known."""
    if settings.base_url:
        return settings.base_url.rstrip("/")
    seen = str(request.base_url).rstrip("/")
    outside = lan_address() if settings.host in EVERYWHERE and _is_loopback(urlsplit(seen).hostname) else None
    return seen if outside is None else f"{request.url.scheme}://{outside}:{settings.port}"


def only_this_device(settings: Settings) -> bool:
    """Whether nobody else can reach us: then an invitation link is of no use to another phone."""
    return not settings.base_url and _is_loopback(settings.host)


def lan_address() -> str | None:
    """The address of this machine in its own network. Asking the routing table sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_TEST_NET)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if _is_loopback(address) else address


def _is_loopback(host: str | None) -> bool:
    return host in {"localhost", "::1", "[::1]"} or (host or "").startswith("127.")
