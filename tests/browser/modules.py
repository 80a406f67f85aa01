"""The modules of the page by themselves: a blank page where they, and the scripts of unit/, are found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page

from fivedice.text.page_scripts import script_words
from fivedice.web.http.page_files import content, names

UNIT = Path(__file__).parent / "unit"
WORDS = f'<script type="application/json" id="words">{json.dumps(script_words(pad=True))}</script>'
BLANK = f'<!doctype html><html lang="en"><head>{WORDS}</head><body></body></html>'


class _Files(BaseHTTPRequestHandler):
    """Serve /static, /unit and the blank page; a browser keeps files, so that a script is read once."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        folder, _, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        if folder == "static" and name in names():
            self._answer(content(name), guess_type(name)[0] or "text/plain")
        elif folder == "unit" and (UNIT / name).is_file():
            self._answer((UNIT / name).read_bytes(), "text/javascript")
        else:
            self._answer(BLANK.encode(), "text/html", status=404 if folder else 200)

    def _answer(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Write no line for every request."""


@contextmanager
def blank_page(browser: Browser) -> Iterator[Page]:
    """Open the blank page; its own address is "/"."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    thread = Thread(target=server.serve_forever)
    thread.start()
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.server_port}")
    try:
        page = context.new_page()
        page.goto("/")
        yield page
    finally:
        context.close()
        server.shutdown()
        thread.join()
        server.server_close()
