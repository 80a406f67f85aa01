"""Calls to addresses that people gave: no private one, no redirect, no second look at a name, and real certificates."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from fivedice.web.jobs import outgoing
from fivedice.web.jobs.outgoing import Answer, Outgoing, is_public
from for_each import for_each
from web.push_service import PushService

NAME = "push.example"


@for_each(
    "address",
    [
        *("127.0.0.1", "127.8.9.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"),
        "0.0.0.0",  # noqa: S104 - not bound to
        *("100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.7", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1"),
        *("::ffff:10.0.0.1", "::ffff:127.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1"),
        *("2002:0a00:0001::1", "2002:808:808::1", "2001::1", "64:ff9b:1::1", "::ffff:169.254.169.254"),
    ],
)
def test_private_addresses(address: str) -> None:
    assert not is_public(ip_address(address))


@for_each("address", ["9.9.9.9", "151.101.1.1", "2620:fe::fe", "::ffff:9.9.9.9", "64:ff9b::9.9.9.9", "2a00:1450::1"])
def test_public_addresses(address: str) -> None:
    assert is_public(ip_address(address))


class Names:
    """What a name resolves to, each time it is asked for."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, _: str, port: int, *__: int) -> list[Any]:
        found = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as service:
        yield service


def post(monkeypatch: pytest.MonkeyPatch, names: Names, address: str, *, loopback: bool = False) -> Answer:
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", names)
    return asyncio.run(Outgoing(loopback=loopback).post(address, b"{}", {}))


@for_each("found", [["127.0.0.1"], ["9.9.9.9", "127.0.0.1"], ["127.0.0.1", "9.9.9.9"], ["::ffff:127.0.0.1"], []])
def test_one_private_address_is_enough_to_refuse(service: PushService, found: list[str]) -> None:
    """The port is that of a service that counts connections."""
    with pytest.MonkeyPatch.context() as patch:
        address = service.url.replace("127.0.0.1", NAME).replace("http:", "https:")
        assert post(patch, Names(found), address) == Answer(0)
    assert service.connections == 0


@for_each("address", ["http://9.9.9.9/", "http://push.example/", "ftp://push.example/"])
def test_nothing_is_sent_in_the_clear(address: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        names = Names(["9.9.9.9"])
        assert post(patch, names, address) == Answer(0)
        assert names.asked == 0
        assert post(patch, names, address, loopback=True) == Answer(0), "only to this machine itself"


def test_connection_goes_to_the_address_that_was_checked(service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves to something else the next time (DNS rebinding) is asked for once."""
    names = Names(["127.0.0.1"], ["127.0.0.2"])
    address = service.url.replace("127.0.0.1", NAME)
    assert post(monkeypatch, names, f"{address}/x?y=1", loopback=True) == Answer(201)
    assert names.asked == 1
    (sent,) = service.sent
    assert (sent.path, sent.headers["host"]) == ("/x?y=1", address.removeprefix("http://"))


def test_proxies_of_the_environment_are_not_used(service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    with PushService() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert post(monkeypatch, Names(["127.0.0.1"]), service.url, loopback=True) == Answer(201)
        assert proxy.sent == []


def test_name_that_takes_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Event

    released = Event()

    def hang(*_: object) -> list[Any]:
        released.wait()
        return []

    monkeypatch.setattr(outgoing, "TOTAL", 0.1)
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", hang)
    try:
        assert asyncio.run(Outgoing().post(f"https://{NAME}/", b"", {})) == Answer(0)
    finally:
        released.set()


def test_unknown_names_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> list[Any]:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", unknown)
    assert asyncio.run(Outgoing().post(f"https://{NAME}/", b"", {})) == Answer(0)


def test_large_content_is_not_sent(service: PushService) -> None:
    content = b"x" * (outgoing.LARGEST_CONTENT + 1)
    assert asyncio.run(Outgoing(loopback=True).post(service.url, content, {})) == Answer(0)
    assert service.sent == []


# Certificates.


class Ok(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(201)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for NAME, signed by itself."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    file = tmp_path_factory.mktemp("certificate") / "both.pem"
    whole = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + made.public_bytes(Encoding.PEM)
    file.write_bytes(whole)
    return file


@pytest.fixture(scope="module")
def secure_port(certificate: Path) -> Iterator[int]:
    class Quiet(HTTPServer):
        def handle_error(self, *_: object) -> None:
            """Ignore clients that refuse the certificate."""

    server = Quiet(("127.0.0.1", 0), Ok)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@for_each(
    ("name", "trusted", "status"),
    [(NAME, True, 201), (NAME, False, 0), ("other.example", True, 0), ("127.0.0.1", True, 0)],
)
def test_certificates_are_checked_by_name(
    secure_port: int, certificate: Path, name: str, trusted: bool, status: int
) -> None:
    trust = ssl.create_default_context()
    if trusted:
        trust.load_verify_locations(certificate)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outgoing, "_trust", lambda: trust)
        found = post(patch, Names(["127.0.0.1"]), f"https://{name}:{secure_port}/", loopback=True)
    assert found.status == status


def test_certificates_of_this_machine_are_trusted_by_default() -> None:
    trust = outgoing._trust()
    assert (trust.verify_mode, trust.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert trust.get_ca_certs()
