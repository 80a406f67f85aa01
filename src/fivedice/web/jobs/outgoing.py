"""Call addresses that people gave: push services and webhooks. Nothing else in the server calls out.

An address may lead anywhere, also into the operator's own network. So every address that a name resolves to has to be
public, the connection goes to the one that was checked, and redirects are not followed. Only the status is read.

The content and the headers of a Web Push message are encrypted for one browser and signed by this server.
"""

from __future__ import annotations

import asyncio
import json
import socket
from base64 import urlsafe_b64decode, urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from ssl import SSLContext
from time import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fivedice.store.device_store import Subscription

if TYPE_CHECKING:
    from httpx import URL


TOTAL = 8.0  # seconds for everything: name, connection, request and the head of the answer
LONGEST_ADDRESS = 1000  # characters
LARGEST_CONTENT = 4096  # bytes, which push services accept at least
_RESOLVERS = ThreadPoolExecutor(4, thread_name_prefix="resolve")  # a name that takes long holds up no other work
_NAT64 = IPv6Network("64:ff9b::/96")  # IPv4 addresses as seen from a network without IPv4


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of an answer, 0 for none, and the seconds after which it asks to be called again."""

    status: int
    wait: int = 0


class Outgoing:
    """Calls over HTTPS. With `loopback`, which is for tests, this machine itself may be called, in the clear too."""

    def __init__(self, *, loopback: bool = False) -> None:
        self._loopback = loopback

    def accepts(self, address: str) -> bool:
        """Return whether an address may be called, as far as that is known before its name is resolved."""
        url = self._parse(address)
        with suppress(ValueError):  # a name, not an address
            return url is not None and self._may_call(ip_address(url.host), url.scheme)
        return url is not None

    async def post(self, address: str, content: bytes, headers: dict[str, str]) -> Answer:
        """Send a POST request and return the answer; one with status 0 if the address must not or cannot be called."""
        import httpx

        url = self._parse(address)
        if url is None or len(content) > LARGEST_CONTENT:
            return Answer(0)
        with suppress(OSError, ValueError, TimeoutError, httpx.HTTPError):
            async with asyncio.timeout(TOTAL):
                return await self._post(url, content, headers)
        return Answer(0)

    async def _post(self, url: URL, content: bytes, headers: dict[str, str]) -> Answer:
        import httpx

        checked = await self._resolve(url)
        if checked is None:
            return Answer(0)
        to, name = url.copy_with(host=checked), url.raw_host.decode("ascii")
        verify = await asyncio.to_thread(_trust) if url.scheme == "https" else False
        headers = headers | {"host": url.netloc.decode("ascii"), "user-agent": "Fivedice"}  # no sentence
        async with httpx.AsyncClient(verify=verify, trust_env=False, follow_redirects=False, timeout=TOTAL) as client:
            more = {"sni_hostname": name}  # certificates are for the name, not for the address
            async with client.stream("POST", to, content=content, headers=headers, extensions=more) as answer:
                wait = answer.headers.get("retry-after", "")
                return Answer(answer.status_code, int(wait) if wait.isdecimal() and len(wait) < 6 else 0)

    def _parse(self, address: str) -> URL | None:
        import httpx

        try:
            url = httpx.URL(address) if len(address) <= LONGEST_ADDRESS and address.isascii() else None
        except httpx.InvalidURL:
            return None
        schemes = {"https", "http"} if self._loopback else {"https"}
        return None if url is None or url.scheme not in schemes or url.userinfo or not url.host else url

    async def _resolve(self, url: URL) -> str | None:
        """Return an address of the host, or None unless all its addresses may be called."""
        port = url.port or 443
        names = await asyncio.get_running_loop().run_in_executor(
            _RESOLVERS, socket.getaddrinfo, url.host, port, 0, socket.SOCK_STREAM
        )
        found = [ip_address(str(entry[4][0]).partition("%")[0]) for entry in names]
        return str(found[0]) if found and all(self._may_call(one, url.scheme) for one in found) else None

    def _may_call(self, address: IPv4Address | IPv6Address, scheme: str) -> bool:
        return (self._loopback and address.is_loopback) or (scheme == "https" and is_public(address))


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is on the public internet, also where it stands for an IPv4 address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address.sixtofour is not None or address.is_site_local:
            return False
    special = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_link_local
    return address.is_global and not special


@cache
def _trust() -> SSLContext:
    """Return the certificates to trust, read once: that takes 20 ms."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)


A_DAY = 86_400  # seconds for which a push service keeps a notice for a phone that is off
SIGNED_FOR = 12 * 3600  # seconds; push services accept at most a day
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256
SHORTEST_POINT, AUTH = 65, 16  # bytes of the keys of a browser


@cache
def is_installed() -> bool:
    """Return whether the libraries of the extra `notices` are there."""
    return find_spec("http_ece") is not None and find_spec("py_vapid") is not None


def private_key(drawn: str) -> ec.EllipticCurvePrivateKey:
    """Return the key of the server from 256 random bits, as stored in the database."""
    return ec.derive_private_key(1 + int(drawn, 16) % (_ORDER - 1), ec.SECP256R1())


def public_key(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public half of a key, as browsers want it."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")


def is_key_pair(p256dh: str, auth: str) -> bool:
    """Return whether these can be the keys of a browser."""
    try:
        point, secret = _decode(p256dh), _decode(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == SHORTEST_POINT and len(secret) == AUTH


def encrypt(to: Subscription, notice: dict[str, Any]) -> bytes:
    """Return a notice that only the browser can read (RFC 8291)."""
    import http_ece

    content: bytes = http_ece.encrypt(
        json.dumps(notice, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decode(to.p256dh),
        auth_secret=_decode(to.auth),
        version="aes128gcm",
    )
    return content


def headers(to: Subscription, key: ec.EllipticCurvePrivateKey, contact: str, topic: str) -> dict[str, str]:
    """Return the headers with the signature of the server (RFC 8292). A later notice replaces one of its topic."""
    from py_vapid import Vapid02

    service = urlsplit(to.endpoint)
    claims = {"aud": f"{service.scheme}://{service.netloc}", "exp": int(time()) + SIGNED_FOR, "sub": contact}
    signed: dict[str, str] = Vapid02(private_key=key).sign(claims)
    kind = {"content-type": "application/octet-stream", "content-encoding": "aes128gcm"}
    return {"authorization": signed["Authorization"], "ttl": str(A_DAY), "urgency": "normal", "topic": topic} | kind


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
