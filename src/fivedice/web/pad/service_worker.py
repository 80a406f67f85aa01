"""The service worker of the score pad, with a version that changes whenever one of its files does."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from litestar.response import Response

from fivedice.web.http.handling import get
from fivedice.web.http.static_files import STATIC, fingerprint, static_address

WORKER = STATIC / "pad" / "worker.js"
FOLDERS = ("core", "pad")  # all that the page of a score pad loads


def files() -> list[str]:
    """What the worker keeps for a reload without a connection, by its place in `static`."""
    found = (path for folder in FOLDERS for path in sorted((STATIC / folder).iterdir()) if path != WORKER)
    return [path.relative_to(STATIC).as_posix() for path in found]


@get("/sw.js", lane=None)
def worker() -> Response[str]:
    """Served from the root, so that it may answer for tables; asked for again each time."""
    return Response(_text(), media_type="text/javascript", headers={"cache-control": "no-cache"})


@cache
def _text() -> str:
    text = WORKER.read_text(encoding="utf-8")
    kept = json.dumps([static_address(name) for name in files()])
    return f"const VERSION = {json.dumps(_version(text))};\nconst FILES = {kept};\n{text}"


def _version(text: str) -> str:
    return sha256(f"{text}{fingerprint()}".encode()).hexdigest()[:12]
