"""Who may open games and save rules: everyone, unless the operator has set a gate.

A gate is a shared passphrase, or a header in which a trusted proxy names the person it has signed in. With both, one of
them is enough. Guests need neither: they play, watch and score existing games, and their rematches, by link.

A browser enters the passphrase once. Its cookie contains an HMAC of the passphrase and of the browser's own key, made
with a key from the database. After a change of the passphrase these cookies are invalid.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Literal, TypeAlias

from litestar import Request
from litestar.datastructures import Cookie

from fivedice.table.refusals import Refusal
from fivedice.web.http.client_limits import VISIT, Limits, comes_from
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import cookie_of, guarded_cookie, header, person_of
from fivedice.web.http.settings import Settings, networks, normalize_passphrase, read_passphrase

COOKIE = "fivedice_opener"
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
        visit = VISIT.get()
        if visit is None or visit.scope is None:
            return
        request: Req = Request(visit.scope)
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
        return guarded_cookie(request.scope, COOKIE, self._token(request))

    def _compare(self, passphrase: str) -> None:
        """Raise PassphraseWrong for a wrong passphrase, and TooMany for any after many wrong ones of a client."""
        with self._limits.one_guess():
            given, right = (_digest(text) for text in (normalize_passphrase(passphrase), self._passphrase))
            if not hmac.compare_digest(given, right):
                raise PassphraseWrong("web.passphrase-wrong")

    def _has_entered(self, request: Req) -> bool:
        sent = cookie_of(request, COOKIE)
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
