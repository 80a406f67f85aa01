"""What a phone needs to put the site among its apps."""

from __future__ import annotations

import json

from litestar.response import Response

from fivedice.tokens import PAGE
from fivedice.web.http.handling import get
from fivedice.web.http.static_files import static_address
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
