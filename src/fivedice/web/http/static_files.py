"""Scripts, styles and pictures: asked for again each time, and answered by "not modified" while they are the same.

So a new version is never mixed with an old page, and an old one is not sent twice.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from litestar import HttpMethod, route
from litestar.response import Response

from fivedice import tokens
from fivedice.web.http.handling import NotFound, Req

STATIC = Path(__file__).parents[1] / "static"
STYLE = "core/style.css"


@cache
def names() -> frozenset[str]:
    """All there is, by its place in `static`: what is not in here is not served."""
    found = (path for path in STATIC.rglob("*.*") if path.parent.name != "__pycache__")
    return frozenset(path.relative_to(STATIC).as_posix() for path in found)


def content(name: str) -> bytes:
    """A file as browsers get it: the style of all pages begins with the tokens."""
    head = tokens.css() if name == STYLE else ""
    return head.encode() + (STATIC / name).read_bytes()


@route("/static/{file_path:path}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def static(request: Req, file_path: str) -> Response[bytes]:
    name = file_path.removeprefix("/")
    if name not in names():
        raise NotFound("web.no-file")
    body = content(name)
    # Weak, because it is sent compressed to some and as it is to others.
    headers = {"cache-control": "no-cache", "etag": f'W/"{sha256(body).hexdigest()[:20]}"'}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    kind = guess_type(name)[0] or "application/octet-stream"
    return Response(body, media_type=kind, headers=headers)
