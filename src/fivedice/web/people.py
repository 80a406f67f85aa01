"""Who is asking: a browser by its cookie, a program by its bearer key. No accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie, State
from litestar.exceptions import PermissionDeniedException

from fivedice.table.service import new_key, player_id

COOKIE = "fivedice_player"
YEAR = 365 * 24 * 3600
_LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class Person:
    """The caller. `cookie` is set where the browser has to be given a key to remember."""

    id: str
    key: str
    fresh: bool

    def cookie(self, *, secure: bool) -> Cookie:
        return Cookie(
            key=COOKIE, value=self.key, max_age=2 * YEAR, httponly=True, samesite="lax", secure=secure, path="/"
        )


def person_of(request: Request[Any, Any, State]) -> Person:
    """The person behind a request; a browser that is new here gets a key."""
    header = request.headers.get("authorization", "")
    key = header.removeprefix("Bearer ").strip() if header.startswith("Bearer ") else request.cookies.get(COOKIE, "")
    if 20 <= len(key) <= _LONGEST_KEY:
        return Person(player_id(key), key, fresh=False)
    key = new_key()
    return Person(player_id(key), key, fresh=True)


def refuse_foreign_origin(request: Request[Any, Any, State]) -> None:
    """A form on another site must not act in a visitor's name."""
    if request.method in {"GET", "HEAD", "OPTIONS"} or request.headers.get("authorization", "").startswith("Bearer "):
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    same = origin is None or origin.split("://", 1)[-1] == request.headers.get("host")
    if site not in (None, "same-origin", "none") or not same:
        raise PermissionDeniedException("This request comes from another site and was refused.")
