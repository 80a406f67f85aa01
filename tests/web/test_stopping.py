"""Stopping the server ends it whatever its solver is doing, also as process 1 of a container."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from fivedice.web.middleware import _Limited
from long import few
from sharing.play import key_of, open_table
from web.inside import Inside
from web.serving import Serving

# Process 1 has no signals that end it by themselves, and a thread that compiles cannot be interrupted.
START = """
import faulthandler, signal, threading
from concurrent.futures import ThreadPoolExecutor

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.default_int_handler)
ThreadPoolExecutor(1).submit(threading.Event().wait)
faulthandler.dump_traceback_later(90, exit=True)  # nothing is left behind
from fivedice.cli import main

main()
"""
PATIENCE = 60.0


def test_stopping_ends_streams_quietly(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Serving(tmp_path) as server:
        headers = {"authorization": f"Bearer {key_of('Ann')}"}
        with httpx.Client(base_url=f"{server.url}/api", headers=headers, timeout=PATIENCE) as client:
            table = open_table(client, "Ann")
            with client.stream("GET", f"/tables/{table}/live") as stream:
                pieces = stream.iter_bytes()
                next(pieces)
                server.stop()
                list(pieces)  # to its proper end: a line that is cut would raise
    assert "ERROR" not in capfd.readouterr().err


def test_slow_request_is_answered_on_stop(tmp_path: Path) -> None:
    """As the server cancels it."""

    async def stopped(server: Inside) -> httpx.Response:
        begun = asyncio.Event()

        async def never(*_: object) -> None:
            begun.set()
            await asyncio.Event().wait()

        way = server.app.asgi_handler.__closure__
        limited = next(cell.cell_contents for cell in way or () if isinstance(cell.cell_contents, _Limited))
        limited._inside = never
        transport = httpx.ASGITransport(server.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            task = asyncio.ensure_future(client.get("/help"))
            await begun.wait()
            task.cancel()
            return await task

    with Inside(tmp_path) as server:
        answer = asyncio.run(stopped(server))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "The server is stopping. Try again in a few seconds." in answer.text


@pytest.mark.parametrize(("how", "status"), few([(signal.SIGTERM, 0), (signal.SIGINT, 130)], 1))
def test_server_ends_at_once(tmp_path: Path, how: signal.Signals, status: int) -> None:
    flags = ["serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'tables.db'}"]
    (tmp_path / "settings.toml").write_text('log_format = "text"\nprepare = false\n')
    environment = os.environ | {"FIVEDICE_CONFIG": str(tmp_path / "settings.toml")}
    command = [sys.executable, "-c", START, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://localhost:\d+", process.stdout.readline())
            assert found is not None
            assert httpx.get(f"{found[0]}/health", timeout=PATIENCE).status_code == 200
            process.send_signal(how)
            assert process.wait(PATIENCE) == status
        finally:
            process.kill()
