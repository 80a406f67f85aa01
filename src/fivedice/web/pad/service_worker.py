"""The service worker of the score pad, with a version that changes whenever one of its files does."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from litestar import get
from litestar.response import Response

STATIC = Path(__file__).parents[1] / "static"
SCRIPTS = ("pad.js", "pad-awake.js", "pad-boxes.js", "pad-page.js", "pad-queue.js", "stream.js")
FILES = ("style.css", "pad.css", *SCRIPTS, "icon.svg")


@get("/sw.js")
async def worker() -> Response[str]:
    """Served from the root, so that it may answer for tables; asked for again each time."""
    return Response(_text(), media_type="text/javascript", headers={"cache-control": "no-cache"})


@cache
def _text() -> str:
    text = (STATIC / "sw.js").read_text(encoding="utf-8")
    files = [f"/static/{name}" for name in FILES]
    return f"const VERSION = {json.dumps(_version(text))};\nconst FILES = {json.dumps(files)};\n{text}"


def _version(text: str) -> str:
    digest = sha256(text.encode())
    for name in FILES:
        digest.update((STATIC / name).read_bytes())
    return digest.hexdigest()[:12]


handlers = [worker]
