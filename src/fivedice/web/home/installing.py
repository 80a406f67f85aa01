"""What a phone needs to put the site among its apps, and to show a score pad without a connection.

The service worker has a version that changes whenever one of its files does.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from litestar.response import Response

from fivedice.rules import SHIPPED, shipped
from fivedice.tokens import PAGE
from fivedice.web.http.handling import get
from fivedice.web.http.static_files import STATIC, fingerprint, static_address
from fivedice.words import current, word
from fivedice.words.formatting import direction

ICONS = {"home/icon-192.png": ("192x192", "any"), "home/icon-512.png": ("512x512", "any")}
ICONS |= {"home/icon-maskable.png": ("512x512", "maskable"), "core/icon.svg": ("any", "any")}
KINDS = {"png": "image/png", "svg": "image/svg+xml"}
SHORTCUTS = {"/new": "home.shortcut-new", "/pad": "home.shortcut-pad", "/tables": "home.shortcut-games"}


@get("/manifest.webmanifest", lane=None)
def manifest() -> Response[str]:
    """In the language of the browser, so it is asked for again now and then."""
    text = json.dumps(_manifest(), ensure_ascii=False)
    return Response(text, media_type="application/manifest+json", headers={"cache-control": "max-age=3600"})


def _manifest() -> dict[str, object]:
    felt = PAGE["felt"].light
    return {
        "id": "/",
        "name": "Fivedice",
        "short_name": "Fivedice",
        "description": word("home.preview"),
        "lang": current(),
        "dir": direction(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": felt,
        "theme_color": felt,
        "categories": ["games"],
        "icons": [
            {"src": static_address(name), "sizes": sizes, "type": KINDS[name.rpartition(".")[2]], "purpose": purpose}
            for name, (sizes, purpose) in ICONS.items()
        ],
        "shortcuts": [{"name": word(kind), "url": path} for path, kind in SHORTCUTS.items()],
    }


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
    pages = json.dumps(_pages())
    told = f"const VERSION = {json.dumps(_version(text))};\nconst FILES = {kept};\nconst PAGES = {pages};\n"
    return f'{told}const OFFLINE = "/pad/offline";\n{text}'


def _pages() -> list[str]:
    """What opens without a connection: the score pad, and the rules of every book, for people and for scripts."""
    books = [shipped(key) for key in SHIPPED]
    read = [f"/rules/{book.key}" for book in books]
    return ["/pad", "/pad/sheet", "/rules", *read, *(f"/pad/rules/{book.key}" for book in books)]


def _version(text: str) -> str:
    return sha256(f"{text}{fingerprint()}".encode()).hexdigest()[:12]
