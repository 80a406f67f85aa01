"""A parent that has everything loaded and forks a server whenever it is asked to: `python -m crash.zygote URL`.

Starting Python, loading the web table and putting it together take longer than the rest of a restart, so a thousand
restarts go through here: what is killed is a whole server all the same, with its threads, its connections and its
memory. The socket is kept by the parent, as a supervisor would; callers wait in line until the next server takes them.

It says its port, then answers every line on its input with the process id of a new server, and ends with its input.
The line "anew" asks for a server that puts itself together and looks at the schema first; any other line for one that
the parent had ready.
"""

import os
import socket
import sys
from contextlib import suppress

import uvicorn
from litestar import Litestar

from fivedice.web.app import create_app
from fivedice.web.http.settings import Settings, load_settings, settings_of
from fivedice.web.jobs.telemetry import set_up_logs


def serve(app: Litestar, bound: socket.socket) -> None:
    """Run one server until it is killed."""
    config = uvicorn.Config(app, log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[bound])


def ready(settings: Settings) -> Litestar:
    """Prepare a server without connections, since parent and child must not share them."""
    app = create_app(settings)
    app.state.services.tables.store._engine.dispose()
    return app


def reap() -> None:
    """Let go of those who were killed."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def main(database: str) -> None:
    bound = socket.create_server(("127.0.0.1", 0), backlog=512)
    flags = {"database": database, "bot_pause": 0.0, "prepare": False, "port": bound.getsockname()[1]}
    settings = settings_of(load_settings(flags))
    set_up_logs(settings.log_format)
    waiting = ready(settings)
    print(bound.getsockname()[1], flush=True)
    for line in sys.stdin:
        reap()
        child = os.fork()
        if child == 0:
            os.close(0)
            serve(create_app(settings) if line.strip() == "anew" else waiting, bound)
            os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
