"""Who is asking, and at which address. A browser is known by its cookie, a program by its bearer key. No accounts."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from litestar.datastructures import Cookie
from litestar.types import Scope

from fivedice.errors import quote
from fivedice.table.actions.rights import new_key, player_id
from fivedice.table.refusals import NotAllowed
from fivedice.web.http.handling import NoKey, Req
from fivedice.web.settings import Settings

COOKIE = "fivedice_player"
LIFETIME = 400 * 24 * 3600  # as long as browsers keep any cookie; every visit at home renews it
SHORTEST_KEY, LONGEST_KEY = 20, 200
_BEARER = "Bearer "


@dataclass(frozen=True, slots=True)
class Person:
    """The caller; `fresh` where nobody knew them before this request."""

    id: str
    key: str
    fresh: bool

    def cookie(self, scope: Scope) -> Cookie:
        return guarded_cookie(scope, COOKIE, self.key)


def own_path(scope: Scope) -> str:
    """Return the path of a request below our own, before and after the framework has taken that off."""
    return scope["path"].removeprefix(scope.get("root_path", ""))


def served_securely(scope: Scope) -> bool:
    """Whether the browser came over HTTPS: it did itself, or the operator says that everybody does."""
    outside: str = scope["litestar_app"].state.services.settings.base_url
    return scope["scheme"] == "https" or outside.startswith("https:")


_OURS_ALONE = "__Host-"  # a cookie of such a name no other host and no page in the clear can set


def guarded_cookie(scope: Scope, name: str, value: str) -> Cookie:
    """For this host alone, and out of reach of scripts."""
    return _cookie(scope, name, value, secure=served_securely(scope))


def _cookie(scope: Scope, name: str, value: str, *, secure: bool, lifetime: int = LIFETIME) -> Cookie:
    """One that others cannot set must be for all paths, or browsers refuse it; any other is for our path alone."""
    key, path = _cookie_name(scope, name, secure=secure), "/" if secure else scope.get("root_path") or "/"
    return Cookie(key, value=value, max_age=lifetime, httponly=True, samesite="lax", secure=secure, path=path)


def _cookie_name(scope: Scope, name: str, *, secure: bool) -> str:
    """With our path in it, as another server on this host may lie below another: `fivedice_player.dice`."""
    return (_OURS_ALONE if secure else "") + name + scope.get("root_path", "").replace("/", ".")


def dropped_cookies(scope: Scope, name: str) -> list[Cookie]:
    """Browsers drop it, by whichever name they have it; ours they only drop if it could have been set so."""
    return [_cookie(scope, name, "", secure=each, lifetime=0) for each in {served_securely(scope), False}]


def cookie_of(request: Req, name: str) -> str:
    """Return what a cookie holds, or "". Over HTTPS only one that no page in the clear can have planted counts."""
    return request.cookies.get(_cookie_name(request.scope, name, secure=served_securely(request.scope)), "")


def person_of(request: Req) -> Person:
    """The person behind a request, the same one however often it is asked; a browser that is new here gets a key."""
    known: dict[str, Person] = request.scope["state"]
    if "person" not in known:
        key = _key(request)
        known["person"] = _person(key or new_key(), fresh=key is None)
    return known["person"]


def forget_key(request: Req) -> None:
    """Whatever came as a key, somebody new is asking: for the page that says that it is none."""
    request.scope["state"]["person"] = _person(new_key(), fresh=True)


def _person(key: str, *, fresh: bool) -> Person:
    return Person(player_id(key), key, fresh)


def known_person(request: Req) -> Person:
    """The person behind a request that only makes sense if they can come back as the same one."""
    person = person_of(request)
    if person.fresh:
        raise NoKey("web.no-key")
    return person


def _key(request: Req) -> str | None:
    if _is_program(request):
        key = header(request, b"authorization").removeprefix(_BEARER).strip()
        if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
            raise NoKey("web.bad-key", shortest=SHORTEST_KEY, longest=LONGEST_KEY)
        return key
    key = cookie_of(request, COOKIE)
    return key if SHORTEST_KEY <= len(key) <= LONGEST_KEY else None


def header(request: Req, name: bytes) -> str:
    """One header as it came. The framework would make a table of all of them first, for every request."""
    return next((value for found, value in request.scope["headers"] if found == name), b"").decode("latin-1")


def _is_program(request: Req) -> bool:
    """A browser sends no such key by itself, so no other site can have made it."""
    return header(request, b"authorization").startswith(_BEARER)


async def refuse_foreign_origin(request: Req) -> None:
    """A form on another site must not act in a visitor's name.

    Asynchronous without waiting for anything: the framework would send a plain function to a thread, for every request.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"} or _is_program(request):
        return
    _refuse_foreign_kind(request)
    site, came_from = request.headers.get("sec-fetch-site"), _came_from(request)
    ours = came_from is None or (came_from.scheme, came_from.netloc) in _own_origins(request)
    if site not in (None, "same-origin", "none") or not ours:
        raise NotAllowed("web.other-site")


def _refuse_foreign_kind(request: Req) -> None:
    """Raise NotAllowed for a body that a page of any site can send in a visitor's name: without asking us first."""
    kind = header(request, b"content-type").partition(";")[0].strip().lower()
    if kind == "text/plain":
        raise NotAllowed("web.plain-text")
    is_ours = kind == "application/json" or not request.scope["path"].startswith("/api/")
    if not is_ours and header(request, b"cookie") and _has_body(request):
        raise NotAllowed("web.json-needed", kind=quote(kind))


def _has_body(request: Req) -> bool:
    return header(request, b"content-length") not in {"", "0"} or bool(header(request, b"transfer-encoding"))


def _came_from(request: Req) -> SplitResult | None:
    """The page behind a request. Browsers from before they named the origin named the page, if anything."""
    named = request.headers.get("origin") or request.headers.get("referer")
    try:
        return urlsplit(named) if named else None
    except ValueError:  # it looks like an address and is none
        return SplitResult("", "", "", "", "")


def _own_origins(request: Req) -> set[tuple[str, str]]:
    """Our name as the browser wrote it, and as a proxy in front of us is called.

    Where that is reached securely, a page that came in the clear may have been written by anybody on the way.
    """
    outside = urlsplit(request.app.state.services.settings.base_url)
    schemes = {"https"} if request.scope["scheme"] == "https" else {"https", "http"}
    here = {(scheme, request.headers.get("host", "")) for scheme in schemes}
    proxy = {(outside.scheme, outside.netloc)} if outside.netloc else set()
    return {each for each in here if each[1] != outside.netloc} | proxy


EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to
_TEST_NET = ("192.0.2.1", 9)  # an address of documentation: nothing is ever sent there


def public_base(settings: Settings, request: Req) -> str:
    """The beginning of a link that works on another phone, as far as that can be known."""
    return public_origin(settings, request) + settings.root


def public_origin(settings: Settings, request: Req) -> str:
    """The same without our path."""
    if settings.base_url:
        return settings.base_url.rstrip("/")
    seen = str(request.base_url).rstrip("/").removesuffix(settings.root)
    outside = lan_address() if settings.host in EVERYWHERE and is_loopback(urlsplit(seen).hostname) else None
    return seen if outside is None else f"{request.url.scheme}://{outside}:{settings.port}"


def only_this_device(settings: Settings) -> bool:
    """Whether nobody else can reach us: then an invitation link is of no use to another phone."""
    return not settings.base_url and is_loopback(settings.host)


def lan_address() -> str | None:
    """The address of this machine in its own network. Asking the routing table sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_TEST_NET)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if is_loopback(address) else address


def is_loopback(host: str | None) -> bool:
    """Whether a name or an address is that of the machine itself, to everybody."""
    try:
        return host == "localhost" or ip_address((host or "").strip("[]")).is_loopback
    except ValueError:
        return False
