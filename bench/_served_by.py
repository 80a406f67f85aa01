"""Serve the application by one of several web servers, for `bench.servers`, by settings from the environment."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import uvicorn

from fivedice.web import server
from fivedice.web.app import WebApp, create_app


def application() -> WebApp:
    """Return the application for Granian, with what `fivedice serve` sets for its process."""
    _, settings = server.load({})
    app = create_app(settings)
    server._get_ready(app)  # noqa: SLF001 - as `server.run` does
    server._collect_seldom()  # noqa: SLF001
    server.give_memory_back()
    sys.setswitchinterval(server.TURN)
    return app


def main(name: str, loop: str) -> None:
    """Serve until stopped: by `uvicorn` as `fivedice serve` does, or by `granian` with one worker."""
    _, settings = server.load({})
    if name == "uvicorn":
        config: Any = partial(uvicorn.Config, loop=loop)
        server.uvicorn.Config = config  # type: ignore[misc]
        server.run(settings, explicit_port=True)
    from granian import Granian  # type: ignore[import-not-found]

    Granian(
        "bench._served_by:application",
        address=settings.host,
        port=settings.port,
        interface="asgi",
        loop=loop,
        http="1",
        websockets=False,
        factory=True,
    ).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
