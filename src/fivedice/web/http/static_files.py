"""Scripts, styles and pictures: fetched once, and kept by the browser for as long as they are the same.

A page asks for them below a fingerprint of them all, `/static/3f9c…/play/table.js`. What stands there never changes, so
no browser asks again; a new version has other addresses, and scripts find each other by relative ones. The same file
below another fingerprint, or below none, is for pages of an older version and for people: it is asked for each time.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from litestar import HttpMethod, route
from litestar.response import Response

from fivedice.drawing import theme as tokens
from fivedice.web.http.handling import SVG, NotFound, Req

STATIC = Path(__file__).parents[1] / "static"
STYLE = "core/style.css"
FOR_EVER = "public, max-age=31536000, immutable"  # no sentence
EACH_TIME = "no-cache"
_SQUEEZED = re.compile(r"text/|application/json|image/svg")  # pictures are small as they are
# Comments and indentation, which a browser does not need; a test checks that scripts write no others.
_NOT_RUN = re.compile(r"/\*\*[\s\S]*?\*/ ?|(?<!\S)// .*|^ +", re.MULTILINE)
_NOT_STYLE = re.compile(r"/\*[\s\S]*?\*/|^ +", re.MULTILINE)
_CUTS = {".js": _NOT_RUN.sub, ".css": _NOT_STYLE.sub}
_below = re.compile(r"(?:(?P<print>[0-9a-f]{12})/)?(?P<name>.+)").fullmatch


@cache
def names() -> frozenset[str]:
    """All there is, by its place in `static`: what is not in here is not served."""
    found = (path for path in STATIC.rglob("*.*") if path.parent.name != "__pycache__")
    return frozenset(path.relative_to(STATIC).as_posix() for path in found)


def content(name: str) -> bytes:
    """Return a file as browsers get it: without comments and indentation; the common style begins with the tokens.

    Lines keep their numbers, so that an error in a browser names the right one.
    """
    path = STATIC / name
    cut = _CUTS.get(path.suffix)
    if cut is None:
        return path.read_bytes()
    text = cut(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
    return ((tokens.css() if name == STYLE else "") + text).encode()


@cache
def fingerprint() -> str:
    """Of all files together, as they were when the server started."""
    digest = sha256()
    for name in sorted(names()):
        digest.update(f"{name}\n{sha256(content(name)).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def static_address(name: str, root: str = "") -> str:
    """Where a page finds a file. One that is not there is a mistake in the page."""
    if name not in names():
        raise AssertionError(f"there is no static file {name!r}")
    return f"{root}/static/{fingerprint()}/{name}"


@dataclass(frozen=True, slots=True)
class _File:
    kind: str
    tag: str  # weak, because it is sent compressed to some and as it is to others
    plain: bytes
    squeezed: bytes | None


@cache  # with the fingerprint: a file that changes under a running server would be another one at the same address
def _file(name: str) -> _File:
    body, kind = content(name), guess_type(name)[0] or "application/octet-stream"
    squeezed = gzip.compress(body, 9, mtime=0) if _SQUEEZED.match(kind) else None
    kind = SVG if name.endswith(".svg") else kind
    return _File(kind, sha256(body).hexdigest()[:20], body, squeezed)


@route("/static/{file_path:path}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
async def static(request: Req, file_path: str) -> Response[bytes]:
    below = _below(file_path.removeprefix("/"))
    if below is None or below["name"] not in names():
        raise NotFound("web.no-file")
    found = _file(below["name"])
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if below["print"] != fingerprint():
        headers |= {"cache-control": EACH_TIME, "etag": f'W/"{found.tag}"'}
    if is_known(found.tag, request.headers.get("if-none-match", "")):
        return Response(b"", status_code=304, headers=headers)
    if found.squeezed is not None and _takes_gzip(request):
        return Response(found.squeezed, media_type=found.kind, headers=headers | {"content-encoding": "gzip"})
    return Response(found.plain, media_type=found.kind, headers=headers)


def is_known(tag: str, header: str) -> bool:
    """Whether a browser has it already. Proxies may have made the tag a strong one, or put several together."""
    known = {each.strip().removeprefix("W/") for each in header.split(",")}
    return bool(known & {f'"{tag}"', "*"})


def _takes_gzip(request: Req) -> bool:
    offered = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return any(each == "gzip" or (each.startswith("gzip;q=") and each[7:] not in {"0", "0.0"}) for each in offered)
