"""Scripts, styles and images, which browsers cache until they change.

The address of a file contains a fingerprint of all files, as in `/static/3f9c…/play/table.js`. Its content never
changes, so browsers cache it for ever; a new version has new addresses. Scripts import each other by relative
addresses. With another fingerprint or none, the same file is served and revalidated each time: for pages of an older
version, and for people.
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
_SQUEEZED = re.compile(r"text/|application/json|image/svg")  # other images are already compressed
# Comments, indentation and spaces that a style does not need: these are not sent. A test checks that scripts use only
# comments of this form.
_NOT_RUN = re.compile(r"/\*\*[\s\S]*?\*/ ?|(?<!\S)// .*|^ +", re.MULTILINE)
_NOT_STYLE = re.compile(r"/\*[\s\S]*?\*/|^ +|(?<=[;{,]) +|(?<! ) +(?=[{}])|;(?= *\}$)|(?<=[\w-]:) +", re.MULTILINE)
_BETWEEN_RULES = re.compile(r"(?<=[;{},])\n+|^\n+")
_below = re.compile(r"(?:(?P<print>[0-9a-f]{12})/)?(?P<name>.+)").fullmatch


@cache
def names() -> frozenset[str]:
    """Return the paths of all static files, relative to `static`. No other file is served."""
    found = (path for path in STATIC.rglob("*.*") if path.parent.name != "__pycache__")
    return frozenset(path.relative_to(STATIC).as_posix() for path in found)


def content(name: str) -> bytes:
    """Return a file as served: without comments, indentation and spare spaces. The common style starts with the theme.

    The line numbers of a script stay the same, so that errors in a browser name the right line.
    """
    path = STATIC / name
    if path.suffix == ".js":
        return _NOT_RUN.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8")).encode()
    if path.suffix != ".css":
        return path.read_bytes()
    text = _BETWEEN_RULES.sub("", _NOT_STYLE.sub("", path.read_text(encoding="utf-8")))
    return ((tokens.css() if name == STYLE else "") + text).encode()


@cache
def fingerprint() -> str:
    """Return a fingerprint of all files together, computed once per process."""
    digest = sha256()
    for name in sorted(names()):
        digest.update(f"{name}\n{sha256(content(name)).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def static_address(name: str, root: str = "") -> str:
    """Return the address of a file for use in a page. Raise AssertionError if there is no such file."""
    if name not in names():
        raise AssertionError(f"there is no static file {name!r}")
    return f"{root}/static/{fingerprint()}/{name}"


@dataclass(frozen=True, slots=True)
class _File:
    kind: str
    tag: str  # weak, because the file is sent with and without compression
    plain: bytes
    squeezed: bytes | None


@cache  # like the fingerprint: the content at an address must not change while the server runs
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
    """Return whether the browser has this version. Proxies may send a strong tag, or several tags."""
    known = {each.strip().removeprefix("W/") for each in header.split(",")}
    return bool(known & {f'"{tag}"', "*"})


def _takes_gzip(request: Req) -> bool:
    offered = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return any(each == "gzip" or (each.startswith("gzip;q=") and each[7:] not in {"0", "0.0"}) for each in offered)
