"""By which names this server may be called.

A page of another site whose name was made to lead to this machine (DNS rebinding) would be of one origin with us, and
could do what our own pages do. It still calls us by its own name: a server that only this machine can reach answers to
the names of this machine alone, and any server to those that its operator lists. What is no name of a host at all is
refused everywhere. What was sent is never repeated.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address
from typing import cast
from urllib.parse import urlsplit

from litestar.types import HTTPScope

from fivedice.table.refusals import BadRequest, Refusal
from fivedice.web.settings import ANY_HOST, Settings, is_loopback

_LARGEST_PORT = 65535
_parts = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?").fullmatch


class OtherHost(Refusal):
    """We are called by a name that is not ours."""

    code = "other-host"
    status = 421


class Hosts:
    """The names of one server."""

    def __init__(self, settings: Settings) -> None:
        listed = {name.strip().lower() for name in settings.hosts.split(",") if name.strip()}
        outside = urlsplit(settings.base_url).hostname
        open_to_all = ANY_HOST in listed or not (listed or is_loopback(settings.host))
        self._known = None if open_to_all else listed | ({outside.lower()} if outside else set())

    def check(self, scope: HTTPScope) -> None:
        """Refuse a request that is meant for nobody, or for somebody else."""
        named = [value for name, value in scope["headers"] if name == b"host"]
        host = _name(named[0].decode("latin-1")) if len(named) == 1 else None
        if host is None:
            raise BadRequest("web.bad-host")
        if self._known is not None and host not in self._known and not is_loopback(host):
            raise OtherHost("web.other-host")


def nameless(scope: HTTPScope) -> HTTPScope:
    """The same request without what it calls us: for the page that says so."""
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return cast("HTTPScope", {**scope, "headers": [*others, (b"host", b"localhost")]})


def _name(host: str) -> str | None:
    """The name without the port, or None for what is none."""
    found = _parts(host)
    if found is None or int(found[2] or 0) > _LARGEST_PORT:
        return None
    name = found[1].lower()
    if not name.startswith("["):
        return name
    try:
        IPv6Address(name[1:-1])
    except ValueError:
        return None
    return name[1:-1]
