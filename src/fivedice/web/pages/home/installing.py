"""The files with which a phone installs the site as an app, and shows a score pad without a connection.

The version of the service worker changes whenever one of its files does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256

from litestar.response import Response

from fivedice.core.rules import SHIPPED, shipped
from fivedice.drawing.theme import PAGE
from fivedice.text import current, word
from fivedice.text.formatting import direction
from fivedice.web.http.handling import get
from fivedice.web.http.static_files import STATIC, fingerprint, static_address
from fivedice.web.services.app_services import AppServices

ICONS = {"home/icon-192.png": ("192x192", "any"), "home/icon-512.png": ("512x512", "any")}
ICONS |= {"home/icon-maskable.png": ("512x512", "maskable"), "core/icon.svg": ("any", "any")}
KINDS = {"png": "image/png", "svg": "image/svg+xml"}
SHORTCUTS = {"/new": "home.shortcut-new", "/pad": "home.shortcut-pad", "/tables": "home.shortcut-games"}


@get("/manifest.webmanifest", lane=None)
def manifest(services: AppServices) -> Response[str]:
    """Return the manifest in the language of the browser; it is cached only for an hour."""
    root = services.settings.root
    shortcuts = {root + path: kind for path, kind in SHORTCUTS.items()}
    found = manifest_data(f"{root}/", shortcuts, partial(static_address, root=root))
    text = json.dumps(found, ensure_ascii=False)
    headers = {"cache-control": "max-age=3600", "vary": "accept-language, cookie"}
    return Response(text, media_type="application/manifest+json", headers=headers)


def manifest_data(home: str, shortcuts: Mapping[str, str], static: Callable[[str], str]) -> dict[str, object]:
    """Return the name, start page and icons of the site; addresses may be relative to it."""
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
FOLDERS = ("core", "pad")  # everything that the page of a score pad loads
BESIDE = ("printing/print.css",)


def files() -> list[str]:
    """Return the files that the worker stores for use without a connection, by their paths in `static`."""
    found = (path for folder in FOLDERS for path in sorted((STATIC / folder).iterdir()) if path != WORKER)
    return [*(path.relative_to(STATIC).as_posix() for path in found), *BESIDE]


@get("/sw.js", lane=None)
def worker(services: AppServices) -> Response[str]:
    """Return the service worker. It is served from the root, so that it may answer for tables, and never cached."""
    return Response(_text(services.settings.root), media_type="text/javascript", headers={"cache-control": "no-cache"})


@cache
def _text(root: str) -> str:
    loaded, pages = [static_address(name, root) for name in files()], [root + page for page in _pages()]
    return worker_text(loaded, pages, f"{root}/pad/offline", fingerprint())


def worker_text(files: list[str], pages: list[str], offline: str, version: str) -> str:
    """Return the worker of a site with the files it stores; addresses may be relative to it."""
    text = WORKER.read_text(encoding="utf-8")
    digest = sha256(f"{text}{version}".encode()).hexdigest()[:12]
    constants = {"VERSION": digest, "FILES": files, "PAGES": pages, "OFFLINE": offline}
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items()) + text


def _pages() -> list[str]:
    """Return the pages that open without a connection: the score pad, and the rules for people and for scripts."""
    books = [shipped(key) for key in SHIPPED]
    read = [f"/rules/{book.key}" for book in books]
    return ["/pad", "/pad/sheet", "/rules", *read, *(f"/pad/rules/{book.key}" for book in books)]
