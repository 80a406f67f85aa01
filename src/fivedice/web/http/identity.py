"""The identity of callers, the address of this server, and who may open games and save rules.

Browsers have a cookie, programs a bearer key. Everyone may open games unless the operator has set a gate: a shared
passphrase, or a header in which a trusted proxy names the person it has signed in. With both, one of them is enough.
Guests need neither: they play, watch and score existing games, and their rematches, by link.

A browser enters the passphrase once. Its cookie contains an HMAC of the passphrase and of the browser's own key, made
with a key from the database. After a change of the passphrase these cookies are invalid.
"""

from __future__ import annotations

import hmac
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from ipaddress import ip_address
from typing import Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from litestar import Request
from litestar.datastructures import Cookie
from litestar.types import Scope

from fivedice.errors import quote
from fivedice.table.actions.rights import new_key, player_id
from fivedice.table.refusals import NotAllowed, Refusal
from fivedice.text.languages import find_language
from fivedice.web.http.client_limits import CONTEXT, Limits, comes_from
from fivedice.web.http.handling import NoKey, Req
from fivedice.web.http.settings import Settings, networks, normalize_passphrase, read_passphrase

COOKIE = "fivedice_player"
LANGUAGE_COOKIE = "fivedice_language"
LIFETIME = 400 * 24 * 3600  # the longest that browsers allow; the home page renews it
SHORTEST_KEY, LONGEST_KEY = 20, 200
_BEARER = "Bearer "
FRAGMENT = b"fivedice-fragment"  # the header by which our scripts request only the changing part of a page


@dataclass(frozen=True, slots=True)
class Person:
    """The caller; `fresh` if the key was created for this request."""

    id: str
    key: str
    fresh: bool

    def cookie(self, scope: Scope) -> Cookie:
        return guarded_cookie(scope, COOKIE, self.key)


def own_path(scope: Scope) -> str:
    """Return the path of a request without `root_path`, whether or not the framework has removed it."""
    return scope["path"].removeprefix(scope.get("root_path", ""))


def served_securely(scope: Scope) -> bool:
    """Return whether the browser uses HTTPS: for this request, or always by the setting `base_url`."""
    outside: str = scope["litestar_app"].state.services.settings.base_url
    return scope["scheme"] == "https" or outside.startswith("https:")


_OURS_ALONE = "__Host-"  # only this host can set a cookie with this prefix, and only over HTTPS


def guarded_cookie(scope: Scope, name: str, value: str) -> Cookie:
    """Return a cookie for this host only, which scripts cannot read."""
    return _cookie(scope, name, value, secure=served_securely(scope))


def _cookie(scope: Scope, name: str, value: str, *, secure: bool, lifetime: int = LIFETIME) -> Cookie:
    """Return a cookie. A secure one has the path "/", which its prefix requires; others have our own path."""
    key, path = _cookie_name(scope, name, secure=secure), "/" if secure else scope.get("root_path") or "/"
    return Cookie(key, value=value, max_age=lifetime, httponly=True, samesite="lax", secure=secure, path=path)


def _cookie_name(scope: Scope, name: str, *, secure: bool) -> str:
    """Return the name with our path, such as `fivedice_player.dice`: a host may have several servers."""
    return (_OURS_ALONE if secure else "") + name + scope.get("root_path", "").replace("/", ".")


def dropped_cookies(scope: Scope, name: str) -> list[Cookie]:
    """Return expired cookies that delete a cookie under each name that it may have."""
    return [_cookie(scope, name, "", secure=each, lifetime=0) for each in {served_securely(scope), False}]


def cookie_of(request: Req, name: str) -> str:
    """Return the value of a cookie, or "". Over HTTPS, read only the cookie with the secure prefix."""
    return request.cookies.get(_cookie_name(request.scope, name, secure=served_securely(request.scope)), "")


def chosen_language(request: Req) -> str | None:
    """Return the language of a link with `?lang=`, or the one that this browser chose last; None without a choice."""
    asked = request.query_params.get("lang", "") if b"lang=" in request.scope["query_string"] else ""
    return find_language(asked) or find_language(cookie_of(request, LANGUAGE_COOKIE))


def is_fragment(request: Req) -> bool:
    """Return whether a script of ours requests only the changing part of a page."""
    return bool(header(request, FRAGMENT))


def person_of(request: Req) -> Person:
    """Return the person who sent a request, with a new key for a new browser. Raise NoKey for a bad bearer key."""
    known: dict[str, Person] = request.scope["state"]
    if "person" not in known:
        key = _key(request)
        known["person"] = _person(key or new_key(), fresh=key is None)
    return known["person"]


def forget_key(request: Req) -> None:
    """Replace the person of a request by a new one, for the page that reports a bad key."""
    request.scope["state"]["person"] = _person(new_key(), fresh=True)


def adopt_key(request: Req, key: str) -> None:
    """Make the sender of a request the person with this key, whom the answer sends to the browser."""
    request.scope["state"]["person"] = _person(key, fresh=True)


def _person(key: str, *, fresh: bool) -> Person:
    return Person(player_id(key), key, fresh)


def known_person(request: Req) -> Person:
    """Return the person who sent a request. Raise NoKey unless they sent a key."""
    person = person_of(request)
    if person.fresh:
        raise NoKey("web.no-key")
    return person


def _key(request: Req) -> str | None:
    if is_program(request):
        key = header(request, b"authorization").removeprefix(_BEARER).strip()
        if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
            raise NoKey("web.bad-key", shortest=SHORTEST_KEY, longest=LONGEST_KEY)
        return key
    key = cookie_of(request, COOKIE)
    return key if SHORTEST_KEY <= len(key) <= LONGEST_KEY else None


def header(request: Req, name: bytes) -> str:
    """Return one header as received, or "". Faster than `request.headers`, which parses all of them."""
    return next((value for found, value in request.scope["headers"] if found == name), b"").decode("latin-1")


def is_program(request: Req) -> bool:
    """Return whether a request has a bearer key. Other sites cannot make a browser send one."""
    return header(request, b"authorization").startswith(_BEARER)


async def refuse_foreign_origin(request: Req) -> None:
    """Raise NotAllowed for a changing request from a page of another site (CSRF).

    It is asynchronous although it never waits: the framework would run a plain function in a thread.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"} or is_program(request):
        return
    _refuse_foreign_kind(request)
    site, came_from = request.headers.get("sec-fetch-site"), _came_from(request)
    ours = came_from is None or (came_from.scheme, came_from.netloc) in _own_origins(request)
    if site not in (None, "same-origin", "none") or not ours:
        raise NotAllowed("web.other-site")


def _refuse_foreign_kind(request: Req) -> None:
    """Raise NotAllowed for a content type that other sites can send without a CORS preflight."""
    kind = header(request, b"content-type").partition(";")[0].strip().lower()
    if kind == "text/plain":
        raise NotAllowed("web.plain-text")
    is_ours = kind == "application/json" or not request.scope["path"].startswith("/api/")
    if not is_ours and header(request, b"cookie") and _has_body(request):
        raise NotAllowed("web.json-needed", kind=quote(kind))


def _has_body(request: Req) -> bool:
    return header(request, b"content-length") not in {"", "0"} or bool(header(request, b"transfer-encoding"))


def _came_from(request: Req) -> SplitResult | None:
    """Return the origin of a request, or its referrer from old browsers; None if it has neither."""
    named = request.headers.get("origin") or request.headers.get("referer")
    try:
        return urlsplit(named) if named else None
    except ValueError:  # not a valid address: no origin of ours
        return SplitResult("", "", "", "", "")


def _own_origins(request: Req) -> set[tuple[str, str]]:
    """Return our own origins: the Host header as sent, and the setting `base_url`.

    For the host of `base_url` only its own scheme counts: a page over plain HTTP may have been altered on the way.
    """
    outside = urlsplit(request.app.state.services.settings.base_url)
    schemes = {"https"} if request.scope["scheme"] == "https" else {"https", "http"}
    here = {(scheme, request.headers.get("host", "")) for scheme in schemes}
    proxy = {(outside.scheme, outside.netloc)} if outside.netloc else set()
    return {each for each in here if each[1] != outside.netloc} | proxy


EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to
_TEST_NET = ("192.0.2.1", 9)  # reserved for documentation; nothing is sent there


def public_base(settings: Settings, request: Req) -> str:
    """Return the start of links that work on other devices, as far as it is known."""
    return public_origin(settings, request) + settings.root


def public_origin(settings: Settings, request: Req) -> str:
    """Return `public_base` without our path."""
    if settings.base_url:
        return settings.base_url.rstrip("/")
    seen = str(request.base_url).rstrip("/").removesuffix(settings.root)
    outside = lan_address() if settings.host in EVERYWHERE and is_loopback(urlsplit(seen).hostname) else None
    return seen if outside is None else f"{request.url.scheme}://{outside}:{settings.port}"


def only_this_device(settings: Settings) -> bool:
    """Return whether only this device can reach the server, so that invitation links are useless elsewhere."""
    return not settings.base_url and is_loopback(settings.host)


def lan_address() -> str | None:
    """Return the address of this machine in its local network, or None. It only asks the routing table."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_TEST_NET)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if is_loopback(address) else address


def is_loopback(host: str | None) -> bool:
    """Return whether a name or an address means the local machine."""
    try:
        return host == "localhost" or ip_address((host or "").strip("[]")).is_loopback
    except ValueError:
        return False


GATE_COOKIE = "fivedice_opener"
HEADER = "Fivedice-Passphrase"  # sent by programs, as UTF-8
_HEADER = HEADER.lower().encode()

Lacks: TypeAlias = Literal["", "passphrase", "sign-in"]


class PassphraseNeeded(Refusal, code="passphrase-needed", status=403):
    """Opening games needs the passphrase."""


class PassphraseWrong(Refusal, code="passphrase-wrong", status=403):
    """The passphrase is wrong."""


class SignInNeeded(Refusal, code="sign-in-needed", status=403):
    """Opening games needs a sign-in at the proxy."""


class Gate:
    """The gate of one server. `draw_key` returns the key for cookies from the database."""

    def __init__(self, settings: Settings, limits: Limits, draw_key: Callable[[], str]) -> None:
        self._passphrase = read_passphrase(settings)
        self._header = settings.opener_header.lower().encode()
        self._proxies = networks(settings.trusted_proxies)
        self._limits, self._draw_key = limits, draw_key

    def lacks(self, request: Req) -> Lacks:
        """Return what the caller needs before opening anything; "" for nothing."""
        if not (self._passphrase or self._header) or self._is_signed_in(request):
            return ""
        if not self._passphrase:
            return "sign-in"
        return "" if self._has_entered(request) else "passphrase"

    def check(self) -> None:
        """Raise a Refusal unless the caller of the current request may open games. The server itself may."""
        context = CONTEXT.get()
        if context is None or context.scope is None:
            return
        request: Req = Request(context.scope)
        lacks = self.lacks(request)
        if lacks == "sign-in":
            raise SignInNeeded("web.sign-in-needed")
        if lacks:
            sent = header(request, _HEADER).encode("latin-1").decode("utf-8", "replace")
            if not sent:
                raise PassphraseNeeded("web.passphrase-needed", header=HEADER)
            self._compare(sent)

    def enter(self, request: Req, passphrase: str) -> Cookie | None:
        """Return the cookie for the right passphrase, or None if none is set. Raise PassphraseWrong."""
        if not self._passphrase:
            return None
        self._compare(passphrase)
        return guarded_cookie(request.scope, GATE_COOKIE, self._token(request))

    def _compare(self, passphrase: str) -> None:
        """Raise PassphraseWrong for a wrong passphrase, and TooMany for any after many wrong ones of a client."""
        with self._limits.one_guess():
            given, right = (_digest(text) for text in (normalize_passphrase(passphrase), self._passphrase))
            if not hmac.compare_digest(given, right):
                raise PassphraseWrong("web.passphrase-wrong")

    def _has_entered(self, request: Req) -> bool:
        sent = cookie_of(request, GATE_COOKIE)
        return bool(sent) and hmac.compare_digest(sent.encode("utf-8", "replace"), self._token(request).encode())

    def _token(self, request: Req) -> str:
        entered = f"{person_of(request).key}\n{self._passphrase}"
        return hmac.digest(self._key.encode(), entered.encode("utf-8", "replace"), "sha256").hex()

    @cached_property
    def _key(self) -> str:
        return self._draw_key()

    def _is_signed_in(self, request: Req) -> bool:
        """Return whether a trusted proxy names one person in its header."""
        if not self._header:
            return False
        named = [value for name, value in request.scope["headers"] if name == self._header]
        peer: str = request.scope["fivedice_peer"]  # type: ignore[typeddict-item]
        return len(named) == 1 and bool(named[0].strip()) and comes_from(peer, self._proxies)


def _digest(text: str) -> bytes:
    """Return a hash of fixed length, so that comparing does not reveal the length of the passphrase."""
    return sha256(text.encode("utf-8", "replace")).digest()
