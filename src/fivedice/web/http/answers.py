"""What a handler answers to a browser: a page, or the way to one. One that is new here is given its cookie with it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from litestar import Litestar
from litestar.datastructures import Cookie
from litestar.response import Redirect, Response, Template
from litestar.response.base import ASGIResponse

from fivedice.web.http.handling import Req
from fivedice.web.http.headers import served_securely
from fivedice.web.http.identity import person_of
from fivedice.web.http.public_address import public_base


class _ToBrowser(Response[Any]):
    """Gives a new browser its cookie; one that comes home keeps it longer."""

    def to_asgi_response(
        self, app: Litestar | None, request: Req, *, cookies: Iterable[Cookie] | None = None, **rest: Any
    ) -> ASGIResponse:
        person, secure = person_of(request), served_securely(request.scope)
        own = [person.cookie(secure=secure)] if person.fresh or request.url.path == "/" else []
        return super().to_asgi_response(app, request, cookies=[*(cookies or ()), *own], **rest)


class Page(_ToBrowser, Template):
    """A rendered page. It knows its address and its site, and has a key for its forms: sent twice, one acts once."""

    def create_template_context(self, request: Req) -> dict[str, Any]:
        site = public_base(request.app.state.services.settings, request)
        own = {"path": request.url.path, "key": secrets.token_urlsafe(12), "site": site}
        return super().create_template_context(request) | own


class SeeOther(_ToBrowser, Redirect):
    """After a form: the page where its effect can be seen."""


def page(template: str, status: int = 200, **context: Any) -> Page:
    """Not stored, so that the back button shows how things are and not how they were."""
    return Page(template, context=context, status_code=status, headers={"cache-control": "no-store"})


def see_other(path: str) -> SeeOther:
    return SeeOther(path, status_code=303)


def file(
    content: bytes | str, media_type: str, name: str, *, keep: str = "no-store", how: str = "attachment"
) -> Response[Any]:
    """Something to be saved or shown beside the pages."""
    headers = {"content-disposition": f'{how}; filename="{name}"', "cache-control": keep}
    return Response(content, media_type=media_type, headers=headers)
