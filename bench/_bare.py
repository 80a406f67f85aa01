"""The least that a server of the framework can do for a move: one handler, one commit to disk, a short answer.

`python -m bench._bare FOLDER` serves it on a free port of the loopback until it is stopped, and prints the address.
"""

from __future__ import annotations

import socket
import sqlite3
import sys
from pathlib import Path
from threading import local

import uvicorn
from litestar import Litestar, post

from fivedice.web.http.forms import CommandBody

_lines = local()


def line() -> sqlite3.Connection:
    """One connection for each thread, with the pragmas that the store uses."""
    if not hasattr(_lines, "own"):
        _lines.own = sqlite3.connect(Path(sys.argv[1]) / "bare.db", isolation_level=None)
        for pragma in ("busy_timeout = 10000", "synchronous = EXTRA", "journal_mode = WAL"):
            _lines.own.execute(f"PRAGMA {pragma}")
        _lines.own.execute("CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY, text TEXT)")
    return _lines.own  # type: ignore[no-any-return]


@post("/move", sync_to_thread=True, status_code=200)
def move(data: CommandBody) -> dict[str, int]:
    return {"version": line().execute("INSERT INTO log (text) VALUES (?)", [data.command]).lastrowid or 0}


def main() -> None:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # as our own server: no delay
    bound.bind(("127.0.0.1", 0))
    bound.listen(2048)
    print(f"http://localhost:{bound.getsockname()[1]}", flush=True)
    app = Litestar([move], openapi_config=None, logging_config=None)
    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run(sockets=[bound])


if __name__ == "__main__":
    main()
