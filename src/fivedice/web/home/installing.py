"""What a phone needs to put the site among its apps, and to show a score pad without a connection.

The service worker has a version that changes whenever one of its files does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256

from litestar.response import Response

from fivedice.rules import SHIPPED, shipped
from fivedice.tokens import PAGE
from fivedice.web.http.handling import get
from fivedice.web.http.static_files import STATIC, fingerprint, static_address
from fivedice.web.services import AppServices
from fivedice.words import current, word
from fivedice.words.formatting import direction

ICONS = {"home/icon-192.png": ("192x192", "any"), "home/icon-512.png": ("512x512", "any")}
ICONS |= {"home/icon-maskable.png": ("512x512", "maskable"), "core/icon.svg": ("any", "any")}
KINDS = {"png": "image/png", "svg": "image/svg+xml"}
SHORTCUTS = {"/new": "home.shortcut-new", "/pad": "home.shortcut-pad", "/tables": "home.shortcut-games"}


@get("/manifest.webmanifest", lane=None)
def manifest(services: AppServices) -> Response[str]:
    """In the language of the browser, so it is asked for again now and then."""
    root = services.settings.root
    shortcuts = {root + path: kind for path, kind in SHORTCUTS.items()}
    found = manifest_data(f"{root}/", shortcuts, partial(static_address, root=root))
    text = json.dumps(found, ensure_ascii=False)
    headers = {"cache-control": "max-age=3600", "vary": "accept-language, cookie"}
    return Response(text, media_type="application/manifest+json", headers=headers)


def manifest_data(home: str, shortcuts: Mapping[str, str], static: Callable[[str], str]) -> dict[str, object]:
    """What the site is called and where it begins; addresses may be relative to it."""
    felt = PAGE["felt"].light
    return {
        "id": home,
        "name": "Fivedice",
        "short_name": "Fivedice",
        "description": word("home.preview"),
        "lang": current(),
        "dir": direction(),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": felt,
        "theme_color": felt,
        "categories": ["games"],
        "icons": [
            {"src": static(name), "sizes": sizes, "type": KINDS[name.rpartition(".")[2]], "purpose": purpose}
            for name, (sizes, purpose) in ICONS.items()
        ],
        "shortcuts": [{"name": word(kind), "url": path} for path, kind in shortcuts.items()],
    }


WORKER = STATIC / "pad" / "worker.js"
FOLDERS = ("core", "pad")  # all that the page of a score pad loads
BESIDE = ("printing/print.css",)


def files() -> list[str]:
    """What the worker keeps for a reload without a connection, by its place in `static`."""
    found = (path for folder in FOLDERS for path in sorted((STATIC / folder).iterdir()) if path != WORKER)
    return [*(path.relative_to(STATIC).as_posix() for path in found), *BESIDE]


@get("/sw.js", lane=None)
def worker(services: AppServices) -> Response[str]:
    """Served from the root, so that it may answer for tables; asked for again each time."""
    return Response(_text(services.settings.root), media_type="text/javascript", headers={"cache-control": "no-cache"})


@cache
def _text(root: str) -> str:
    loaded, pages = [static_address(name, root) for name in files()], [root + page for page in _pages()]
    return worker_text(loaded, pages, f"{root}/pad/offline", fingerprint())


def worker_text(files: list[str], pages: list[str], offline: str, version: str) -> str:
    """The worker of a site, with what it has to keep; addresses may be relative to it."""
    text = WORKER.read_text(encoding="utf-8")
    digest = sha256(f"{text}{version}".encode()).hexdigest()[:12]
    told = {"VERSION": digest, "FILES": files, "PAGES": pages, "OFFLINE": offline}
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in told.items()) + text


def _pages() -> list[str]:
    """What opens without a connection: the score pad, and the rules of every book, for people and for scripts."""
    books = [shipped(key) for key in SHIPPED]
    read = [f"/rules/{book.key}" for book in books]
    return ["/pad", "/pad/sheet", "/rules", *read, *(f"/pad/rules/{book.key}" for book in books)]
