"""Running the server: settings in, a socket, uvicorn, and a browser if wanted."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

import uvicorn

from fivedice.errors import MalformedError
from fivedice.solver.runtime.compile_watch import watching
from fivedice.text import word
from fivedice.web.app import WebApp, create_app
from fivedice.web.http import static_files
from fivedice.web.http.templates import compile_all
from fivedice.web.jobs.telemetry import set_up_logs
from fivedice.web.live.connections import ACCEPTED_AT_ONCE, guarded
from fivedice.web.live.single_server import claim
from fivedice.web.services import AppServices
from fivedice.web.settings import Settings, load_settings, settings_of

log = logging.getLogger(__name__)
INTERRUPTED = 130  # what a shell calls Ctrl-C
KEEP_ALIVE = 5  # seconds that a line stays open after an answer
WAITING = 2048  # callers that the system lets wait in line
GRACE = 1  # second that requests and streams may take to end: all is over within two
# When the collector looks for rings: among so many new objects, after so many such looks among those that were left,
# and after so many of these at everything. Python's own 700, 10 and 10 are for small programs.
COLLECTING = (10_000, 10, 10)
TURN = 0.0005  # seconds that a thread may go on while others wait: a move takes several turns, and Python's own is 5 ms
# What mallopt(3) calls M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: two heaps for all threads, and pieces of a
# quarter of a megabyte for themselves. By itself the library makes heaps by the dozen, and keeps ever larger pieces.
KEEPING = ((-8, 2), (-3, 1 << 18), (-1, 1 << 20))


def load(flags: Mapping[str, Any]) -> tuple[dict[str, tuple[Any, str]], Settings]:
    """Every setting with its source, and the settings themselves."""
    found = load_settings(flags)
    return found, settings_of(found)


def run(settings: Settings, *, explicit_port: bool) -> NoReturn:
    """Serve until stopped, which is the end of the process."""
    set_up_logs(settings.log_format)
    bound = _bind(settings, explicit=explicit_port)
    address = f"http://{_shown_host(settings.host)}:{bound.getsockname()[1]}" + (settings.root and f"{settings.root}/")
    app = create_app(replace(settings, port=bound.getsockname()[1]))
    _held = claim(settings.database_url)  # until the process ends
    print(word("web.serving", address=address), flush=True)
    threading.Thread(target=_get_ready, args=[app], daemon=True).start()
    if settings.open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    # Forwarded addresses are our own business (`door`), and so are the lines of the log.
    config = uvicorn.Config(
        app,
        http=guarded(settings),
        ws="none",
        timeout_keep_alive=KEEP_ALIVE,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        backlog=ACCEPTED_AT_ONCE,  # asyncio accepts so many at once
    )
    _collect_seldom()
    give_memory_back()
    sys.setswitchinterval(TURN)
    try:
        with watching(_compiles):
            _Server(config, app).run(sockets=[bound])
    except KeyboardInterrupt:
        _leave(INTERRUPTED)
    _leave(0)


class _Server(uvicorn.Server):
    """Lets live streams go as soon as it is told to stop: nothing else would end them, and all would wait for them."""

    def __init__(self, config: uvicorn.Config, app: WebApp) -> None:
        super().__init__(config)
        self._services: AppServices = app.state["services"]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(WAITING)  # so many may wait to be accepted, however few are at once

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._services.notifier.close()
        await super().shutdown(sockets)


def _get_ready(app: WebApp) -> None:
    """Before anybody asks: the first visitors would wait for it, and everybody else for the description of the API."""
    if app.template_engine is not None:
        compile_all(app.template_engine.engine)
    static_files.fingerprint()
    app.plugins.get("OpenAPIPlugin").provide_openapi_schema()


def _compiles(begun: bool) -> None:
    """Beside the pages, once after an installation: whoever wonders what takes the processor finds it here."""
    if begun:
        log.info("compiling once, about 8 s")


def _leave(status: int) -> NoReturn:
    """At once: all is kept by now, and Python would wait for a solver that compiles longer than a container gets.

    A signal alone does not do it: where we are process 1, it is ignored when it is sent on.
    """
    logging.shutdown()
    sys.stdout.flush()
    os._exit(status)


def _collect_seldom() -> None:
    """Nobody is answered while the collector looks at everything: up to 400 ms with 2,000 screens, again and again.

    What has been loaded by now stays anyway and is not looked at any more. Little of the rest is rings.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTING)


def give_memory_back() -> None:
    """What many threads needed for a moment goes back to the system, with the C library of GNU."""
    with suppress(AttributeError, OSError, TypeError):  # other libraries have nothing of the kind
        mallopt = ctypes.CDLL(None).mallopt
        for what, value in KEEPING:
            mallopt(what, value)


def _bind(settings: Settings, *, explicit: bool) -> socket.socket:
    """The wanted port, or the next free one if nobody insisted on it."""
    for port in range(settings.port, settings.port + (1 if explicit else 20)):
        # Named as TCP, so that asyncio sends small answers at once instead of 40 ms later (TCP_NODELAY).
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((settings.host, port))
            bound.listen(WAITING)  # from now on callers wait in line instead of being turned away
        except OSError as error:
            bound.close()
            problem = error.strerror
            continue
        return bound
    raise MalformedError("web.cannot-listen", host=settings.host, port=settings.port, problem=problem)


def _shown_host(host: str) -> str:
    return "localhost" if host in {"0.0.0.0", "127.0.0.1", "::"} else host  # noqa: S104
