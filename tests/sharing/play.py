"""Playing over HTTP, as plainly as possible."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

import httpx

T = TypeVar("T")


def key_of(name: str) -> str:
    return f"{name}-{'k' * 24}"


def caller(url: str, name: str) -> httpx.Client:
    headers = {"authorization": f"Bearer {key_of(name)}"}
    # Nothing here is encrypted; reading all certificates for each client would take longer than its requests.
    return httpx.Client(base_url=f"{url}/api", headers=headers, timeout=30, verify=False)  # noqa: S501


def open_table(client: httpx.Client, *names: str, book: str = "yatzy") -> str:
    """A table where the caller plays all of these seats."""
    body = {"book": book, "seats": [{"name": name} for name in names], "start": True}
    answer = client.post("/tables", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def look(client: httpx.Client, table: str) -> dict[str, Any]:
    answer = client.get(f"/tables/{table}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def next_move(seen: dict[str, Any]) -> dict[str, Any]:
    """Roll once, then the first box that can be filled."""
    if not seen["dice"]:
        return {"command": "roll", "version": seen["version"]}
    cells = ((row["box"], cell) for row in seen["rows"] if row["box"] for cell in row["cells"])
    box = next(box for box, cell in cells if cell["preview"] is not None)
    return {"command": "score", "box": box, "version": seen["version"]}


def send(client: httpx.Client, table: str, move: dict[str, Any]) -> httpx.Response:
    return client.post(f"/tables/{table}/commands", json=move)


def play_out(client: httpx.Client, table: str) -> int:
    """Play to the end; the version that the table has then."""
    seen = look(client, table)
    while seen["phase"] != "finished":
        seen = send(client, table, next_move(seen)).json()["table"]
    return int(seen["version"])


def at_once(actions: Iterable[Callable[[], T]]) -> list[T]:
    """All from the same moment, each in a thread of its own."""
    wanted = list(actions)
    barrier = Barrier(len(wanted))

    def run(action: Callable[[], T]) -> T:
        barrier.wait()
        return action()

    with ThreadPoolExecutor(len(wanted)) as pool:
        return list(pool.map(run, wanted))
