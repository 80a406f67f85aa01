"""Whatever goes wrong, said once: as a page to people, as JSON to programs."""

from __future__ import annotations

import logging
from typing import Any

from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Response

from fivedice.errors import PaperError, UnknownBook
from fivedice.message import Message, message
from fivedice.table.house_rules_text import BadBook
from fivedice.table.refusals import Refusal
from fivedice.web.http.answers import page
from fivedice.web.http.handling import Req
from fivedice.web.http.identity import forget_key, person_of
from fivedice.web.http.web_refusals import NoKey
from fivedice.words import shown, text_of

log = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024

# Of our errors that are not refusals, those that a caller can bring about, with a status.
_STATUS = {UnknownBook: 404, PaperError: 400, UnicodeDecodeError: 400}
_CODES = {400: "malformed", 401: "no-key", 403: "not-allowed", 404: "not-found", 405: "wrong-method", 413: "too-large"}
_KINDS = {404: "web.nothing-here", 405: "web.wrong-method", 413: "web.too-large"}


def failed(request: Req, error: Exception) -> Response[Any]:
    """The one handler of exceptions."""
    status, code, about = _told(request, error)
    if _wants_json(request):
        body = json_body(code, about, getattr(error, "version", None))
        body |= error.details if isinstance(error, BadBook) else {}
        return Response(body, status_code=status, media_type="application/json")
    try:
        person_of(request)
    except NoKey:  # the page that says so is for anybody
        forget_key(request)
    return page("http/error.html", status, sentence=str(about), code=status)


def _wants_json(request: Req) -> bool:
    return request.url.path.startswith(("/api/", "/schema", "/health", "/metrics"))


def _told(request: Req, error: Exception) -> tuple[int, str, Message]:
    """The status, the code for programs and the sentence, as exactly as it is known what was wrong."""
    if isinstance(error, Refusal):
        return error.status, error.code, error.message
    if isinstance(error, HTTPException):
        return error.status_code, _CODES.get(error.status_code, "error"), _of_framework(error)
    for kind, status in _STATUS.items():
        if isinstance(error, kind):
            about = getattr(error, "message", None)
            return status, _CODES[status], about or message("web.not-utf-8")
    # Our own mistake: told to the log, not to the caller. The address stays out of it: it may hold a code.
    log.error("%s %s failed", request.method, request.scope.get("path_template", "-"), exc_info=error)
    return 500, "broken", message("web.broken")


def _of_framework(error: HTTPException) -> Message:
    details = error.extra if isinstance(error, ValidationException) and isinstance(error.extra, list) else []
    parts = tuple(_part(each) for each in details if "message" in each)
    if parts:
        return message("web.invalid", parts=parts)
    return message(_KINDS.get(error.status_code, error.detail), most=LARGEST_BODY // 1024)


def _part(detail: dict[str, Any]) -> Message:
    if detail.get("key"):
        return message("web.invalid-field", field=detail["key"], problem=detail["message"])
    return message("web.invalid-body", problem=detail["message"])


def json_body(code: str, about: Message, version: int | None = None) -> dict[str, Any]:
    """`error` and `message` are always there; `kind` and `args` where the sentence is one of ours."""
    body: dict[str, Any] = {"error": code, "message": str(about)}
    if text_of(about.kind) is not None:
        body |= {"kind": about.kind, "args": {name: shown(value) for name, value in about.args.items()}}
    return body | ({} if version is None else {"version": version})
