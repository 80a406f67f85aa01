"""Make the content and the headers of a Web Push message, encrypted for one browser and signed by this server."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from importlib.util import find_spec
from time import time
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fivedice.store.people.notice_store import Subscription

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
