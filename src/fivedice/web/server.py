"""Run the server with uvicorn, and open a browser on request.

Servers on one SQLite file do not see each other's moves, so a server locks a file next to the database. The system
releases the lock when the process ends for any reason. Backups, `fivedice restore` and the terminal do not use it.
"""

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
from pathlib import Path
from typing import Any, NoReturn

import uvicorn
from filelock import FileLock, Timeout

from fivedice.errors import MalformedError
from fivedice.solver.runtime.compile_watch import watching
from fivedice.store.database import address_of
from fivedice.text import word
from fivedice.web.app import WebApp, create_app
from fivedice.web.http.page_files import compile_all, fingerprint
from fivedice.web.http.settings import Settings, load_settings, settings_of
from fivedice.web.jobs.telemetry import set_up_logs
from fivedice.web.live.connections import ACCEPTED_AT_ONCE, guarded_protocol
from fivedice.web.services.app_services import AppServices

log = logging.getLogger(__name__)

ENDING = "-serving"  # appended to the name of the database, like SQLite's own files
NOT_ALONE = (  # no sentence: for the log
    "another server uses this SQLite file: live updates do not reach its screens; "  # no sentence
    "stop one server, or use PostgreSQL"
)


def claim(url: str) -> FileLock | None:
    """Return a lock that marks this server as the only one, or None. Log a warning if another server has it."""
    file = _file(url)
    if file is None or not Path(file).parent.is_dir():  # the lock would create the folder
        return None
    lock = FileLock(file + ENDING, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        log.warning(NOT_ALONE)
    except OSError:
        pass  # a read-only folder, or a network drive without locks: no check is possible
    else:
        return lock
    return None


def _file(url: str) -> str | None:
    """Return the file of a SQLite database, or None for any other database."""
    address = address_of(url)
    file = address.database or ":memory:"
    return None if address.get_backend_name() != "sqlite" or file.startswith((":memory:", "file:")) else file


INTERRUPTED = 130  # exit status of shells after Ctrl-C
KEEP_ALIVE = 5  # seconds that a connection stays open after a response
WAITING = 2048  # connections that may wait to be accepted
GRACE = 1  # second for requests and streams to end; shutdown takes at most two
# Thresholds of the garbage collector for its three generations. Python's defaults of 700, 10 and 10 suit small
# programs.
COLLECTING = (10_000, 10, 10)
TURN = 0.0005  # seconds between thread switches: a move needs several, and Python's default is 5 ms
# M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3): two heaps for all threads, and separate mappings
# from 256 KiB on. By default glibc creates dozens of heaps and raises the threshold, so that it keeps more memory.
KEEPING = ((-8, 2), (-3, 1 << 18), (-1, 1 << 20))


def load(flags: Mapping[str, Any]) -> tuple[dict[str, tuple[Any, str]], Settings]:
    """Return every setting with its source, and the settings. Raise MalformedError if one is invalid."""
    found = load_settings(flags)
    return found, settings_of(found)


def run(settings: Settings, *, explicit_port: bool) -> NoReturn:
    """Serve until stopped, then end the process. Raise MalformedError if no port is free."""
    set_up_logs(settings.log_format)
    bound = _bind(settings, explicit=explicit_port)
    address = f"http://{_shown_host(settings.host)}:{bound.getsockname()[1]}" + (settings.root and f"{settings.root}/")
    app = create_app(replace(settings, port=bound.getsockname()[1]))
    _held = claim(settings.database_url)  # held until the process ends
    print(word("web.serving", address=address), flush=True)
    threading.Thread(target=_get_ready, args=[app], daemon=True).start()
    if settings.open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    # Our middleware handles forwarded addresses and writes the log of requests.
    config = uvicorn.Config(
        app,
        http=guarded_protocol(settings),
        ws="none",
        timeout_keep_alive=KEEP_ALIVE,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        backlog=ACCEPTED_AT_ONCE,  # asyncio accepts this many at once
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
    """A server that ends its live streams first when it stops: otherwise shutdown would wait for them."""

    def __init__(self, config: uvicorn.Config, app: WebApp) -> None:
        super().__init__(config)
        self._services: AppServices = app.state["services"]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(WAITING)  # asyncio has set the queue to the smaller `backlog`

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._services.notifier.close()
        await super().shutdown(sockets)


def _get_ready(app: WebApp) -> None:
    """Compile templates, hash the static files and build the API schema, so that no request waits for them."""
    if app.template_engine is not None:
        compile_all(app.template_engine.engine)
    fingerprint()
    app.plugins.get("OpenAPIPlugin").provide_openapi_schema()


def _compiles(begun: bool) -> None:
    """Log the start of a compilation, which happens once after an installation and explains the CPU load."""
    if begun:
        log.info("compiling once, about 8 s")


def _leave(status: int) -> NoReturn:
    """End the process at once. All data is saved, and Python would wait too long for a compiling solver.

    Sending the signal again would not do: process 1 of a container ignores it.
    """
    logging.shutdown()
    sys.stdout.flush()
    os._exit(status)


def _collect_seldom() -> None:
    """Run the garbage collector less often: a full run blocks all requests, up to 400 ms with 2,000 open pages.

    Objects loaded so far are kept for good, and are excluded. Few of the others form cycles.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTING)


def give_memory_back() -> None:
    """Make glibc return unused memory to the system. Do nothing with other C libraries."""
    with suppress(AttributeError, OSError, TypeError):  # other libraries have no mallopt
        mallopt = ctypes.CDLL(None).mallopt
        for what, value in KEEPING:
            mallopt(what, value)


def _bind(settings: Settings, *, explicit: bool) -> socket.socket:
    """Return a socket on the port, or on the next free one unless `explicit`. Raise MalformedError if none is free."""
    for port in range(settings.port, settings.port + (1 if explicit else 20)):
        # Set IPPROTO_TCP, so that asyncio sends small responses at once instead of 40 ms later (TCP_NODELAY).
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((settings.host, port))
            bound.listen(WAITING)  # from now on connections wait instead of being refused
        except OSError as error:
            bound.close()
            problem = error.strerror
            continue
        return bound
    raise MalformedError("web.cannot-listen", host=settings.host, port=settings.port, problem=problem)


def _shown_host(host: str) -> str:
    return "localhost" if host in {"0.0.0.0", "127.0.0.1", "::"} else host  # noqa: S104
