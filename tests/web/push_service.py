"""A push service on the loopback that checks what it gets, and a browser that reads it.

It decrypts by its own reading of RFC 8291 and checks the signature by its own reading of RFC 8292, without the
libraries that the server uses.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_bytes
from threading import Condition, Thread
from time import time
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
TEXT, END = b"\x02", b""


def to_text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Browser:
    """The keys of a subscription, as a browser makes them."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint, self._key, self._auth = endpoint, ec.generate_private_key(CURVE), token_bytes(16)

    @property
    def form(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": to_text(point_of(self._key)), "auth": to_text(self._auth)}

    def read(self, content: bytes) -> dict[str, Any]:
        """Decrypt a message of one record (RFC 8188 and RFC 8291)."""
        salt, size, length = content[:16], int.from_bytes(content[16:20]), content[20]
        sender, record = content[21 : 21 + length], content[21 + length :]
        assert (length, len(record) <= size) == (65, True)
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        secret = _derive(self._auth, shared, b"WebPush: info\0" + point_of(self._key) + sender, 32)
        key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        text, mark, padding = AESGCM(key).decrypt(nonce, record, None).rpartition(TEXT)
        assert (mark, padding.strip(b"\0")) == (TEXT, END)
        found: dict[str, Any] = json.loads(text)
        return found


def _derive(salt: bytes, content: bytes, info: bytes, length: int) -> bytes:
    """HKDF with one block (RFC 5869)."""
    return hmac.digest(hmac.digest(salt, content, sha256), info + b"\x01", sha256)[:length]


def signed_claims(authorization: str, public_key: str) -> dict[str, Any]:
    """The claims of a signature by this key; any other signature raises."""
    kind, _, values = authorization.partition(" ")
    given = dict(each.strip().split("=", 1) for each in values.split(","))
    assert (kind, given["k"]) == ("vapid", public_key)
    head, claims, signature = given["t"].split(".")
    assert json.loads(to_bytes(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = to_bytes(signature)
    numbers = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to_bytes(public_key))
    point.verify(numbers, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(to_bytes(claims))
    assert time() < found["exp"] <= time() + 24 * 3600
    return found


@dataclass(frozen=True)
class Sent:
    """A request that the service got."""

    path: str
    headers: dict[str, str]
    content: bytes


@dataclass
class PushService:
    """`with PushService() as service:`; `answers` has the status for each request in turn, or what to do instead."""

    answers: list[int | Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    connections: int = 0

    def __enter__(self) -> Self:
        service, self._sent, self._news = self, [], Condition()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                service._answer(self)

            do_GET = do_POST  # noqa: N815 - the name is the library's

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            def verify_request(self, *_: object) -> bool:
                service.connections += 1
                return True

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def sent(self) -> list[Sent]:
        with self._news:
            return list(self._sent)

    def wait_for(self, count: int, seconds: float = 30.0) -> list[Sent]:
        """The requests, once there are so many."""
        with self._news:
            assert self._news.wait_for(lambda: len(self._sent) >= count, seconds), f"only {len(self._sent)} came"
            return list(self._sent)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        content = handler.rfile.read(int(handler.headers.get("content-length", "0")))
        with self._news:
            found = self.answers[len(self._sent)] if len(self._sent) < len(self.answers) else 201
            given = {name.lower(): value for name, value in handler.headers.items()}
            self._sent.append(Sent(handler.path, given, content))
            self._news.notify_all()
        if callable(found):
            return found(handler)
        handler.send_response(found)
        for name, value in ({"content-length": "0"} | self.headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        return None
