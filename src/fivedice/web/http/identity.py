"""Who is asking: a browser by its cookie, a program by its bearer key. No accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from litestar import Request
from litestar.datastructures import Cookie, State
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException

from fivedice.table.keys import new_key, player_id

COOKIE = "fivedice_player"
LIFETIME = 400 * 24 * 3600  # as long as browsers keep any cookie; every visit at home renews it
SHORTEST_KEY, LONGEST_KEY = 20, 200
_BEARER = "Bearer "

NO_KEY = "Say who you are: ask for a key at POST /api/players and send it as 'Authorization: Bearer KEY'."
BAD_KEY = f"That is no key: one has {SHORTEST_KEY} to {LONGEST_KEY} characters. Ask for one at POST /api/players."


@dataclass(frozen=True, slots=True)
class Person:
    """The caller; `fresh` where nobody knew them before this request."""

    id: str
    key: str
    fresh: bool

    def cookie(self, *, secure: bool) -> Cookie:
        return Cookie(
            key=COOKIE, value=self.key, max_age=LIFETIME, httponly=True, samesite="lax", secure=secure, path="/"
        )


def person_of(request: Request[Any, Any, State]) -> Person:
    """The person behind a request; a browser that is new here gets a key."""
    key = _key(request)
    return stranger() if key is None else Person(player_id(key), key, fresh=False)


def stranger() -> Person:
    """Somebody whom nobody knows yet."""
    key = new_key()
    return Person(player_id(key), key, fresh=True)


def known_person(request: Request[Any, Any, State]) -> Person:
    """The person behind a request that only makes sense if they can come back as the same one."""
    person = person_of(request)
    if person.fresh:
        raise NotAuthorizedException(NO_KEY)
    return person


def _key(request: Request[Any, Any, State]) -> str | None:
    header = request.headers.get("authorization", "")
    if header.startswith(_BEARER):
        key = header.removeprefix(_BEARER).strip()
        if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
            raise NotAuthorizedException(BAD_KEY)
        return key
    key = request.cookies.get(COOKIE, "")
    return key if SHORTEST_KEY <= len(key) <= LONGEST_KEY else None


async def refuse_foreign_origin(request: Request[Any, Any, State]) -> None:
    """A form on another site must not act in a visitor's name.

    Asynchronous without waiting for anything: the framework would send a plain function to a thread, for every request.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"} or request.headers.get("authorization", "").startswith(_BEARER):
        return
    site, came_from = request.headers.get("sec-fetch-site"), _came_from(request)
    ours = came_from is None or (came_from.scheme, came_from.netloc) in _own_origins(request)
    if site not in (None, "same-origin", "none") or not ours:
        raise PermissionDeniedException("This request comes from another site and was refused.")


def _came_from(request: Request[Any, Any, State]) -> SplitResult | None:
    """The page behind a request. Browsers from before they named the origin named the page, if anything."""
    named = request.headers.get("origin") or request.headers.get("referer")
    try:
        return urlsplit(named) if named else None
    except ValueError:  # it looks like an address and is none
        return SplitResult("", "", "", "", "")


def _own_origins(request: Request[Any, Any, State]) -> set[tuple[str, str]]:
    """Our name as the browser wrote it, and as a proxy in front of us is called.

    Where that is reached securely, a page that came in the clear may have been written by anybody on the way.
    """
    outside = urlsplit(request.app.state.services.settings.base_url)
    schemes = {"https"} if request.scope["scheme"] == "https" else {"https", "http"}
    here = {(scheme, request.headers.get("host", "")) for scheme in schemes}
    proxy = {(outside.scheme, outside.netloc)} if outside.netloc else set()
    return {each for each in here if each[1] != outside.netloc} | proxy
