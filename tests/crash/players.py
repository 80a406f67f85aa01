"""Clients that keep playing through server failures and remember acknowledged moves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

import httpx

from sharing.play import key_of, next_move

PATIENCE = 30.0  # seconds for one answer; only waited out by a campaign that fails


@dataclass
class Promises:
    """Every command that was acknowledged, and everything that should never have been answered."""

    acknowledged: dict[tuple[str, str, str], int] = field(default_factory=dict)  # table, player, key: version
    receipts: dict[str, dict[str, Any]] = field(default_factory=dict)  # as each table got it when it was opened
    repeated: int = 0  # acknowledged at a later try: the first one had been written, and its answer was lost
    refused: int = 0  # lost a race
    unanswered: int = 0  # tries that got no answer, or the answer that the database is away
    wrong: list[str] = field(default_factory=list)
    _guard: Lock = field(default_factory=Lock)

    def keep(self, table: str, player: str, key: str, answer: dict[str, Any]) -> None:
        with self._guard:
            self.acknowledged[table, player, key] = answer["version"]
            self.repeated += answer["repeated"]


class Player:
    """Plays one table after the other; two of the same name share theirs and race for every turn."""

    def __init__(self, url: str, name: str, shared: dict[str, str], promises: Promises) -> None:
        headers = {"authorization": f"Bearer {key_of(name)}"}
        self._url, self._headers = f"{url}/api", headers
        self._name, self._shared, self._promises = name, shared, promises
        self._keys = (f"{id(self):x}-{number}" for number in count())
        self._pause = Event()  # never set
        self._client = self._new_client()

    def play(self, enough: Event) -> None:
        try:
            while not enough.is_set():
                self._turn()
        except Exception as error:
            self._promises.wrong.append(f"{self._name}: {type(error).__name__}: {error}")
        finally:
            self._client.close()

    def _turn(self) -> None:
        table = self._shared.get(self._name) or self._open()
        seen = self._ask("GET", f"/tables/{table}").json()
        if seen["phase"] == "finished":
            self._shared.pop(self._name, None)
            return
        move = next_move(seen) | {"key": next(self._keys)}
        answer = self._ask("POST", f"/tables/{table}/commands", json=move)
        if answer.status_code == 200:
            self._promises.keep(table, self._name, move["key"], answer.json())
        elif answer.status_code == 409 and answer.json()["error"] == "stale":
            self._promises.refused += 1
        else:
            self._promises.wrong.append(f"{move}: {answer.status_code} {answer.text[:300]}")

    def _open(self) -> str:
        body = {"book": "yatzy", "seats": [{"name": self._name}], "start": True}
        table = str(self._ask("POST", "/tables", json=body).json()["id"])
        self._promises.receipts[table] = self._ask("GET", f"/tables/{table}/receipt").json()
        return self._shared.setdefault(self._name, table)

    def _ask(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """Repeat the same request until it is answered."""
        until = monotonic() + 2 * PATIENCE
        while monotonic() < until:
            try:
                answer = self._client.request(method, path, **arguments)
            except httpx.HTTPError as error:
                self._client.close()
                self._client = self._new_client()
                if isinstance(error, httpx.ConnectError):
                    self._pause.wait(0.05)  # no server at all: the next one needs the machine to start
            else:
                if answer.status_code != 503:
                    return answer
                self._pause.wait(0.05)  # the database is away: it needs the machine to come back
            self._promises.unanswered += 1
        raise RuntimeError("the server no longer answers")

    def _new_client(self) -> httpx.Client:
        # Nothing here is encrypted; reading all certificates for each new client would be most of the work.
        return httpx.Client(base_url=self._url, headers=self._headers, timeout=PATIENCE, verify=False)  # noqa: S501


@contextmanager
def playing(url: str, names: list[str], promises: Promises) -> Iterator[Event]:
    """Players at work, until the end of the block; the event is for pauses, which they do not outlast."""
    shared: dict[str, str] = {}
    enough = Event()
    players = [Player(url, name, shared, promises) for name in names]
    threads = [Thread(target=player.play, args=(enough,)) for player in players]
    for thread in threads:
        thread.start()
    try:
        yield enough
    finally:
        enough.set()
        for thread in threads:
            thread.join()
