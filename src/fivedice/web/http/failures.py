"""Whatever goes wrong, said once: as a page to people, as JSON to programs."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotAuthorizedException, ValidationException
from litestar.response import Response, Template
from litestar.types import ExceptionHandler

from fivedice.table.house_rules_text import BadBook
from fivedice.table.refusals import Refusal
from fivedice.web.home.pages import page
from fivedice.web.http.identity import person_of, stranger

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024

Req = Request[Any, Any, State]
Answer = Response[Any] | Template


def answer(
    request: Req,
    status: int,
    sentence: str,
    code: str,
    version: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> Answer:
    """The same refusal as JSON for programs and as a page for people."""
    if _wants_json(request):
        body = {"error": code, "message": sentence} | ({} if version is None else {"version": version})
        body |= details or {}
        return Response(body, status_code=status, media_type="application/json")
    try:
        person = person_of(request)
    except NotAuthorizedException:  # what comes as a key is none; the page that says so needs nobody
        person = stranger()
    return page(request, person, "http/error.html", status, sentence=sentence, code=status)


def _wants_json(request: Req) -> bool:
    return request.url.path.startswith(("/api/", "/schema", "/health", "/metrics"))


def _refused(request: Req, refusal: Refusal) -> Answer:
    details = refusal.details if isinstance(refusal, BadBook) else None
    return answer(request, refusal.status, str(refusal), refusal.code, refusal.version, details)


def _failed(request: Req, error: HTTPException) -> Answer:
    return answer(request, error.status_code, _sentence(error), _CODES.get(error.status_code, "error"))


def _broken(request: Req, error: Exception) -> Answer:
    """Our own mistake: told to the log, not to the caller. The address stays out of it: it may hold a code."""
    log.error("%s %s failed", request.method, request.scope.get("path_template", "-"), exc_info=error)
    return answer(request, 500, "Something went wrong here, and it is not your fault. Try again.", "broken")


def _not_text(request: Req, _: UnicodeDecodeError) -> Answer:
    return answer(request, 400, "The body is not text in UTF-8.", "malformed")


EXCEPTIONS: dict[int | type[Exception], ExceptionHandler[Any]] = {
    Refusal: _refused,
    HTTPException: _failed,
    UnicodeDecodeError: _not_text,
    Exception: _broken,
}
_CODES = {
    400: "malformed",
    401: "no-key",
    403: "not-allowed",
    404: "not-found",
    405: "wrong-method",
    413: "too-large",
}
_SENTENCES = {
    405: "That address does not take this kind of request.",
    413: f"That is too large: more than {LARGEST_BODY // 1024} KiB.",
}


def _sentence(error: HTTPException) -> str:
    """What was wrong, as exactly as the framework knows it."""
    details = error.extra if isinstance(error, ValidationException) and isinstance(error.extra, list) else []
    found = [f"{each.get('key') or 'the body'}: {each['message']}" for each in details if "message" in each]
    return "; ".join(found) or _SENTENCES.get(error.status_code) or error.detail
