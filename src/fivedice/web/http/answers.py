"""Responses: pages, redirects, files and errors, and the security headers of every response."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from jinja2 import Template as JinjaTemplate
from litestar import Litestar, MediaType
from litestar.datastructures import Cookie
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Redirect, Response, Template
from litestar.response.base import ASGIResponse
from litestar.types import Message as Sent, Scope
from markupsafe import escape

from fivedice.errors import PaperError, UnknownBook
from fivedice.message import Message, message
from fivedice.table.refusals import Refusal
from fivedice.text import current, format_value, text_of
from fivedice.web.http.handling import NoKey, Req
from fivedice.web.http.identity import (
    LANGUAGE_COOKIE,
    chosen_language,
    forget_key,
    guarded_cookie,
    is_fragment,
    own_path,
    person_of,
    public_origin,
    served_securely,
)

POLICY = (
    "default-src 'none'",
    "object-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
)
HEADERS = {
    "content-security-policy": "; ".join(POLICY),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ONLY_SECURELY = "max-age=31536000"  # a year
SUBDOMAINS_TOO = "; includeSubDomains"  # only the operator can know that this is safe
_HEADERS = {name.encode(): value.encode() for name, value in HEADERS.items()}
_DOCUMENTS = (b"permissions-policy", b"cross-origin-opener-policy")  # these apply to documents only
_LOADED = {name: value for name, value in _HEADERS.items() if name not in _DOCUMENTS} | {
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'"  # scripts and styles load nothing
}
_NOT_KEPT = (b"cache-control", b"no-store")
Header: TypeAlias = tuple[bytes, bytes]


async def add_headers(message: Sent, scope: Scope) -> None:
    """Add the security headers to every response, also to those that the framework makes itself."""
    if message["type"] == "http.response.start":
        message["headers"] = with_guards(message.get("headers", ()), scope)


def with_guards(own: Iterable[Header], scope: Scope) -> list[Header]:
    """Return the headers of a response together with the security headers."""
    headers = [header for header in own if header[0] not in _HEADERS]
    if not any(name == b"cache-control" for name, _ in headers):  # not stored unless the handler allows it
        headers.append(_NOT_KEPT)
    headers += (_LOADED if _is_loaded(headers, scope) else _HEADERS).items()
    settings = scope["litestar_app"].state.services.settings
    if served_securely(scope) and not settings.root:  # it applies to the whole host, which we may share
        below = settings.subdomains_secure
        headers.append((b"strict-transport-security", (ONLY_SECURELY + SUBDOMAINS_TOO * below).encode()))
    return headers


def _is_loaded(headers: Iterable[Header], scope: Scope) -> bool:
    """Return whether this is a script or a style. A service worker is not: its policy limits what it may do."""
    kinds = (b"text/javascript", b"text/css")
    return "/static/" in scope["path"] and any(k == b"content-type" and kind.startswith(kinds) for k, kind in headers)


class _ToBrowser(Response[Any]):
    """A response that sets the player cookie of a new browser, and renews it on the home page; likewise its language.

    A page that only looks for news gets none: its answer may come late, and would replace a key that the browser has
    received since.
    """

    def to_asgi_response(
        self, app: Litestar | None, request: Req, *, cookies: Iterable[Cookie] | None = None, **rest: Any
    ) -> ASGIResponse:
        person = person_of(request)
        is_new = person.fresh and not (request.method == "GET" and is_fragment(request))
        at_home = own_path(request.scope) == "/"
        own = [person.cookie(request.scope)] if is_new or at_home else []
        if (at_home or "lang" in request.query_params) and (language := chosen_language(request)):
            own.append(guarded_cookie(request.scope, LANGUAGE_COOKIE, language))
        return super().to_asgi_response(app, request, cookies=[*(cookies or ()), *own], **rest)


class Page(_ToBrowser, Template):
    """A rendered page. It has a key for its forms, so that a form that is sent twice takes effect once.

    It is rendered on first use, which is in the thread of its handler.
    """

    _made: ASGIResponse | None = None

    def to_asgi_response(self, app: Litestar | None, request: Req, **rest: Any) -> ASGIResponse:
        if self._made is None:
            self._made = super().to_asgi_response(app, request, **rest)
        return self._made

    def create_template_context(self, request: Req) -> dict[str, Any]:
        site = public_origin(request.app.state.services.settings, request)
        own: dict[str, Any] = {"path": own_path(request.scope), "key": secrets.token_urlsafe(12), "site": site}
        own["has_address"] = request.method == "GET"  # which a link can repeat
        own["gate"] = request.app.state.services.gate.lacks(request)
        return super().create_template_context(request) | own


class SeeOther(_ToBrowser, Redirect):
    """A redirect after a form, to the page that shows its effect."""

    def to_asgi_response(self, app: Litestar | None, request: Req, **rest: Any) -> ASGIResponse:
        self.url = request.scope.get("root_path", "") + self.url
        return super().to_asgi_response(app, request, **rest)


def page(template: str, status: int = 200, **context: Any) -> Page:
    """Return a page that is not cached, so that the back button shows the current state."""
    return Page(template, context=context, status_code=status, headers={"cache-control": "no-store"})


def see_other(path: str) -> SeeOther:
    return SeeOther(path, status_code=303)


def file(
    content: bytes | str, media_type: str, name: str, *, keep: str = "no-store", how: str = "attachment"
) -> Response[Any]:
    """Return a file for download, or for display where `how` is "inline"."""
    headers = {"content-disposition": f'{how}; filename="{name}"', "cache-control": keep}
    return Response(content, media_type=media_type, headers=headers)


log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
LONGEST_DETAIL = 200  # characters of the framework's own error text

# The status of errors that a caller can cause and that are not refusals.
_STATUS = {UnknownBook: 404, PaperError: 400, UnicodeDecodeError: 400}
_CODES = {400: "malformed", 401: "no-key", 403: "not-allowed", 404: "not-found", 405: "wrong-method", 413: "too-large"}
_KINDS = {404: "web.nothing-here", 405: "web.wrong-method", 413: "web.too-large"}


def error_response(request: Req, error: Exception) -> Response[Any]:
    """Return the response for any exception: JSON for programs, otherwise a page."""
    status, code, about = _describe_error(request, error)
    if own_path(request.scope).startswith(("/api/", "/schema", "/health", "/metrics", "/pad/coach/", "/pad/values/")):
        body = json_body(code, about, getattr(error, "version", None))
        body |= error.details if isinstance(error, Refusal) else {}
        return Response(body, status_code=status, media_type="application/json")
    try:
        person_of(request)
    except NoKey:  # the error page needs no key
        forget_key(request)
    site = public_origin(request.app.state.services.settings, request)
    template = request.app.template_engine.get_template("http/error.html")  # type: ignore[union-attr]
    gate = request.app.state.services.gate.lacks(request) if status in (403, 429) else ""
    back = own_path(request.scope) if gate else ""
    page = _around_error(template, current(), site, gate, back, found=status != 404)
    content = page.replace(_SENTENCE, escape(str(about)))
    headers = {"cache-control": "no-store"}
    return _ToBrowser(content, status_code=status, media_type=MediaType.HTML, headers=headers)


_SENTENCE = "[[sentence]]"  # placeholder; no sentence


@lru_cache(maxsize=64)  # rendered on the event loop: only the sentence differs
def _around_error(template: JinjaTemplate, _language: str, site: str, gate: str, back: str, *, found: bool) -> str:
    """Return the error page with a placeholder for the sentence."""
    return template.render(sentence=_SENTENCE, found=found, path=back, site=site, gate=gate)


def _describe_error(request: Req, error: Exception) -> tuple[int, str, Message]:
    """Return the status, the code for programs and the message of an error, and log unexpected ones."""
    if isinstance(error, Refusal):
        return error.status, error.code, error.message
    if isinstance(error, HTTPException):
        return error.status_code, _CODES.get(error.status_code, "error"), _of_framework(error)
    for kind, status in _STATUS.items():
        if isinstance(error, kind):
            about = getattr(error, "message", None)
            return status, _CODES[status], about or message("web.not-utf-8")
    # A bug: log it, and do not show it to the caller. Do not log the address: it may contain a join code.
    log.error("%s %s failed", request.method, request.scope.get("path_template", "-"), exc_info=error)
    return 500, "broken", message("web.broken")


def _of_framework(error: HTTPException) -> Message:
    details = error.extra if isinstance(error, ValidationException) and isinstance(error.extra, list) else []
    parts = tuple(_part(each) for each in details if "message" in each)
    if parts:
        return message("web.invalid", parts=parts)
    # The framework repeats the whole address, including the Host header of the caller.
    detail = error.detail.partition(" for path ")[0].partition(" for url ")[0]  # no sentence
    return message(_KINDS.get(error.status_code, detail[:LONGEST_DETAIL]), most=LARGEST_BODY // 1024)


def _part(detail: dict[str, Any]) -> Message:
    if detail.get("key"):
        return message("web.invalid-field", field=detail["key"], problem=detail["message"])
    return message("web.invalid-body", problem=detail["message"])


def json_body(code: str, about: Message, version: int | None = None) -> dict[str, Any]:
    """Return an error as JSON: always `error` and `message`; `kind` and `args` if the sentence is ours."""
    body: dict[str, Any] = {"error": code, "message": str(about)}
    if text_of(about.kind) is not None:
        body |= {"kind": about.kind, "args": {name: format_value(value) for name, value in about.args.items()}}
    return body | ({} if version is None else {"version": version})
