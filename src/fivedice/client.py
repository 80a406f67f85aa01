"""Play at a table of a Fivedice server from a program. Needs only the standard library.

::

    from fivedice.client import join

    table = join("https://example.org/t/TABLE/join/CODE", name="My bot")
    for position in table.turns():
        if position.boxes:
            table.score(max(position.boxes, key=lambda box: position.boxes[box].points))
        else:
            table.roll()
    print(table.position.record)
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Self
from urllib.parse import urlsplit

from fivedice.core.game import Position as EnginePosition
from fivedice.core.notation import read_position
from fivedice.core.rules import DEFAULT, load_book
from fivedice.errors import FivediceError, quote

__all__ = ["Busy", "ClientError", "Player", "Position", "Refused", "Server", "Table", "Unreachable", "Worth", "join"]

PATIENCE = 30.0  # seconds to wait for an answer
LONGEST_WAIT = 3600.0  # seconds that one call waits for a busy server, all retries together
GATE_HEADER = "Fivedice-Passphrase"
_BUSY = {429, 503}  # these come with Retry-After
_RECONNECT_AFTER = 0.5  # seconds before the first attempt to reconnect; doubles each time


class ClientError(FivediceError):
    """An error between the program and the server."""


class Unreachable(ClientError):  # noqa: N818
    """The server did not answer, or the answer is not from a Fivedice server."""


class Refused(ClientError):  # noqa: N818
    """The server refused a request, and nothing has changed.

    `status` is the HTTP status. `code` is for programs: stale, not-your-turn, illegal, full… `reason` is the kind of
    the message and `version` the version of the table, where the server sends them.

    >>> Refused(409, {"error": "stale", "message": "The game has moved on.", "version": 7}).code
    'stale'
    """

    def __init__(self, status: int, answer: Mapping[str, Any]) -> None:
        super().__init__(str(answer.get("message") or answer.get("detail") or status))
        self.status = status
        self.code = str(answer.get("error", "refused"))
        self.reason: str | None = answer.get("kind")
        self.version: int | None = answer.get("version")


class Busy(Refused):
    """The server asks for a longer wait than `longest_wait`.

    `waited` is how many seconds the call has waited, `wait` how many more the server asks for.
    """

    def __init__(self, status: int, answer: Mapping[str, Any], wait: float, waited: float) -> None:
        super().__init__(status, answer)
        self.wait, self.waited = wait, waited
        args = {"reason": str(self), "waited": round(waited), "wait": round(wait)}
        FivediceError.__init__(self, "terminal.join-gave-up", **args)


@dataclass(frozen=True, slots=True)
class Worth:
    """The points that the dice score in a box, and the `bonus` that is paid on top: see `Position.boxes`."""

    points: int
    bonus: int
    joker: bool


@dataclass(frozen=True, slots=True)
class Player:
    """A player at the table, in turn order: see `Position.players`."""

    name: str
    bot: str | None
    yours: bool
    total: int


@dataclass(frozen=True, slots=True)
class Position:
    """A table as the program sees it. `keeps` and `boxes` are the legal moves of the seat on turn.

    `closed` maps each box that cannot be scored now to the reason, `said` is the last message of the table, `winners`
    holds seats, and `rematch` is the id of the next game: see `Table.turns`.
    """

    version: int
    phase: str  #: seating, playing, finished or given up
    book: str
    rules: str | None  #: the text of house rules
    notation: str | None  #: the position as `fd.read_position` reads it
    players: tuple[Player, ...]
    seat: int | None
    your_turn: bool
    dice: str  #: faces, from the left; empty before the first roll
    rolls_left: int
    can_roll: bool
    keeps: tuple[str, ...]
    boxes: dict[str, Worth]
    closed: dict[str, str]
    said: str
    winners: tuple[int, ...]
    record: str | None
    rematch: str | None
    pace: str  #: how fast bots move

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase in {"finished", "given up"}

    def read(self) -> EnginePosition:
        """Return the position as the engine has it, for its rules, the solver and the bots.

        Raises `ClientError` before the game has started.
        """
        if self.notation is None:
            raise ClientError("terminal.join-not-begun")
        return read_position(self.notation, None if self.rules is None else load_book(self.rules))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Make a position from the JSON of the server. Fields it does not know are ignored."""
        legal = data["legal"]
        return cls(
            version=data["version"],
            phase=data["phase"],
            book=data["book"],
            rules=data["rules"],
            notation=data["position"],
            players=tuple(Player(one["name"], one["bot"], one["yours"], one["total"]) for one in data["seats"]),
            seat=data["seat"],
            your_turn=data["your_turn"],
            dice=data["dice"],
            rolls_left=data["rolls_left"],
            can_roll=legal["roll"],
            keeps=tuple(legal["keep"]),
            boxes={box: Worth(one["points"], one["bonus"], one["joker"]) for box, one in legal["boxes"].items()},
            closed=dict(legal["closed"]),
            said=data["said"],
            winners=tuple(data["winners"]),
            record=data["record"],
            rematch=data["rematch"],
            pace=data.get("pace", "calm"),  # older servers do not send it
        )


class Server:
    """A server and the key that identifies the program there.

    `address` is any link to the server. Without a `key` the server is asked for a new one; keep it to play on later.
    `passphrase` is for servers that need one to open games; without it they raise `Refused` with the code
    `passphrase-needed`. `patience` is how many seconds one answer may take, `longest_wait` how many seconds a call
    waits in all when the server is busy.
    """

    def __init__(
        self,
        address: str,
        key: str | None = None,
        *,
        passphrase: str | None = None,
        patience: float = PATIENCE,
        longest_wait: float = LONGEST_WAIT,
    ) -> None:
        self.address = self.of(address)
        text = (passphrase or "").strip()
        if text and not text.isprintable():
            raise ClientError("terminal.join-bad-passphrase")  # does not quote it
        self._passphrase = text.encode()
        self._parts, self._patience, self._longest_wait = urlsplit(self.address), patience, longest_wait
        self._connection: HTTPConnection | None = None
        self.key: str = key or self.call("POST", "/players")["key"]

    def close(self) -> None:
        """Close the connection. The next call opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self.close()

    @staticmethod
    def of(link: str) -> str:
        """Return the address of the server that a link leads to. `http://` is added where no scheme is given.

        Raises `ClientError` if it is not a link to a server.

        >>> Server.of("https://example.org/games/t/TABLE/join/CODE")
        'https://example.org/games'
        """
        try:
            parts = urlsplit(link if "://" in link else f"http://{link}")
            known = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:  # the port or the address cannot be read
            known = False
        if not known:
            raise ClientError("terminal.join-bad-link", link=quote(link))
        before, found, after = parts.path.rstrip("/").rpartition("/t/")
        return f"{parts.scheme}://{parts.netloc}{(before if found else after).rstrip('/')}"

    def open(
        self,
        book: str = DEFAULT,
        *,
        name: str | None = None,
        bots: Sequence[str] = (),
        start: bool = True,
        pace: str = "at-once",
        **more: Any,
    ) -> Table:
        """Open a new table, take its first seat, and return it.

        `book` is the key of the rules, `name` your name, and `bots` the levels of the bots that take the next seats.
        `start` starts the game at once. `pace` is how fast bots move: `at-once`, `brisk`, or `calm` for human
        spectators. `more` are further fields of the request: see the OpenAPI document of the server. Raises `Refused`
        if the server does not accept it.
        """
        seats = [{"name": name or "Player 1"}, *({"bot": level} for level in bots)]
        body = {"book": book, "seats": seats, "start": start, "pace": pace, "key": secrets.token_urlsafe(9), **more}
        return Table(self, self.call("POST", "/tables", body)["id"])

    def table(self, table: str) -> Table:
        """Return a table by its id, to watch it or to play on. Raises `Refused` if there is none."""
        return Table(self, table)

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Call the API and return its answer. `path` is what follows `/api`, `body` is sent as JSON.

        Waits and sends the request again while the server is busy. Raises `Busy` if that takes longer than
        `longest_wait`, `Refused` for any other refusal, and `Unreachable` if the server does not answer.
        """
        waited = 0.0
        while True:
            answer = self._send(method, path, body)
            data = _read_json(answer)
            if answer.status < 400:
                return data
            waited += self._wait_to_retry(answer, data, waited)

    def _wait_to_retry(self, answer: HTTPResponse, data: Mapping[str, Any], waited: float) -> float:
        """Wait as a busy server asks, and return for how many seconds. Raise Refused or Busy instead of waiting."""
        text = answer.headers.get("Retry-After")
        wait = float(text) if text and text.isascii() and text.isdecimal() else 0.0
        if answer.status not in _BUSY or not wait:
            raise Refused(answer.status, data)
        if waited + wait > self._longest_wait:
            raise Busy(answer.status, data, wait, waited)
        time.sleep(wait)
        return wait

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> HTTPResponse:
        """Send a request on the open connection, or on a new one if the server has closed that."""
        for fresh in (False, True):
            open_one = None if fresh else self._connection
            self._connection = open_one or self._connect()
            try:
                return self._request(self._connection, method, path, body)
            except (HTTPException, OSError) as error:
                self.close()
                if fresh:
                    raise self._unreachable(error) from None
        raise AssertionError("a new connection answers or fails")

    def _request(
        self, connection: HTTPConnection, method: str, path: str, body: Mapping[str, Any] | None
    ) -> HTTPResponse:
        headers: dict[str, str | bytes] = {"Accept": "application/json"}
        if self._passphrase and method == "POST":
            headers[GATE_HEADER] = self._passphrase
        if hasattr(self, "key"):
            headers["Authorization"] = f"Bearer {self.key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        connection.request(method, f"{self._parts.path}/api{path}", content, headers)
        return connection.getresponse()

    def _unreachable(self, error: Exception) -> Unreachable:
        reason = str(getattr(error, "strerror", None) or str(error) or type(error).__name__)
        return Unreachable("terminal.join-unreachable", server=self.address, reason=reason)

    def _connect(self) -> HTTPConnection:
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=self._patience)

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the data of server-sent events from a connection of their own, until it ends.

        Raises `Refused` and `Busy` as `call` does, and `Unreachable` if the connection breaks.
        """
        connection, waited = self._connect(), 0.0
        try:
            while (answer := self._request(connection, "GET", path, None)).status >= 400:
                waited += self._wait_to_retry(answer, _read_json(answer), waited)
            for raw in answer:
                if raw.startswith(b"data: "):
                    yield json.loads(raw[6:])
        except (HTTPException, OSError) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()


class Table:
    """A table at a server. `position` is the last known position, `link` invites others.

    Every method that makes a move returns the new position and raises `Refused` if the server does not accept it::

        table = Server("localhost:8765").open("yahtzee", bots=["steady"])
        table.roll()
        table.score("chance")
    """

    def __init__(self, server: Server, table: str) -> None:
        self.server, self.id = server, table
        self.position = self.look()

    def look(self) -> Position:
        """Ask the server for the current position and return it."""
        self.position = Position.of(self.server.call("GET", f"/tables/{self.id}/position"))
        return self.position

    @property
    def link(self) -> str:
        """Return the invitation: people open it in a browser, programs pass it to `join`."""
        return str(self._invitation["link"])

    @property
    def join_code(self) -> str:
        """Return the code in the invitation, which `sit` takes."""
        return str(self._invitation["join_code"])

    @cached_property
    def _invitation(self) -> dict[str, str]:
        invitation: dict[str, str] = self.server.call("GET", f"/tables/{self.id}/invitation")
        return invitation

    def sit(self, name: str | None = None, join_code: str | None = None) -> Position:
        """Take a free seat as `name`, with the code of the invitation."""
        return self._do("sit", name=name, join_code=join_code)

    def start(self) -> Position:
        """Start the game, as the host."""
        return self._do("start")

    def roll(self, keep: str = "-") -> Position:
        """Keep these faces and roll the other dice; without `keep`, roll all."""
        return self._do("roll", keep=keep, version=self.position.version)

    def score(self, box: str) -> Position:
        """Score a box, by its key."""
        return self._do("score", box=box, version=self.position.version)

    def undo(self) -> Position:
        """Take back the last move, while that is allowed."""
        return self._do("undo", version=self.position.version)

    def command(self, command: str, **fields: Any) -> Position:
        """Send any other command: `table.command("bot", level="steady")`.

        The OpenAPI document of the server lists all commands with their fields.
        """
        body = {"command": command, "version": self.position.version, "key": secrets.token_urlsafe(9), **fields}
        self.server.call("POST", f"/tables/{self.id}/commands", body | {"answer": "changes"})
        return self.look()

    def rematch(self) -> Table:
        """Open the next game for the same players and return its table."""
        return Table(self.server, self.server.call("POST", f"/tables/{self.id}/rematch")["id"])

    def games(self, count: int) -> Iterator[Table]:
        """Yield this table and those of the next games, `count` in all. Play each game to its end before the next.

        A next game starts as soon as every player at the table has asked for it; bots always have.
        """
        table = self
        for number in range(count):
            if number:
                table = table._next_table()
            yield table

    def _next_table(self) -> Table:
        following = self.position.rematch or self.command("again").rematch
        if following is None:
            following = next(each.rematch for each in self._listen(-1) if each.rematch is not None)
        return Table(self.server, following)

    def _do(self, move: str, **fields: Any) -> Position:
        body = {"move": move, "key": secrets.token_urlsafe(9), **fields}
        self.position = Position.of(self.server.call("POST", f"/tables/{self.id}/moves", body))
        return self.position

    def positions(self) -> Iterator[Position]:
        """Yield every position from now on, until the game is over. Reconnects when the connection breaks."""
        for position in self._listen(-1):
            yield position
            if position.over:
                return

    def turns(self) -> Iterator[Position]:
        """Yield a position for each move that you have to make, until the game is over.

        Make one move before you ask for the next position.
        """
        yield from self._own_moves()
        if self.position.over:
            return
        for position in self._listen(self.position.version):
            yield from self._own_moves()
            if position.over or self.position.over:
                return

    def _listen(self, last: int) -> Iterator[Position]:
        """Yield the positions after version `last`, without those that our own moves have already returned."""
        wait = _RECONNECT_AFTER
        while True:
            try:
                for data in self.server.stream(f"/tables/{self.id}/live/positions"):
                    wait = _RECONNECT_AFTER
                    if data["version"] > last:
                        self.position = Position.of(data)
                        yield self.position
                        last = max(data["version"], self.position.version)
            except Unreachable:
                if wait > PATIENCE:
                    raise
            time.sleep(wait)
            wait *= 2

    def _own_moves(self) -> Iterator[Position]:
        while self.position.your_turn and not self.position.over:
            yield self.position


def join(link: str, name: str | None = None, *, key: str | None = None) -> Table:
    """Join the table that an invitation leads to, and return it.

    Takes a free seat as `name`, unless the player with this `key` has one already; without a `key` the server makes a
    new one. Raises `ClientError` if the link is not an invitation, `Unreachable` if the server does not answer, and
    `Refused` if no seat is free.
    """
    parts = urlsplit(link).path.rpartition("/t/")[2].strip("/").split("/")
    if "/t/" not in urlsplit(link).path or not parts[0] or (len(parts) > 1 and (parts[1] != "join" or len(parts) != 3)):
        raise ClientError("terminal.join-bad-link", link=quote(link))
    table, code = parts[0], parts[2] if len(parts) > 1 else None
    server = Server(link, key)
    found = server.table(table)
    if not any(player.yours for player in found.position.players):
        found.sit(name, code)
    return found


def _read_json(answer: HTTPResponse) -> Any:
    content = answer.read()
    try:
        return json.loads(content)
    except ValueError:
        raise Unreachable("terminal.join-no-fivedice", status=answer.status) from None
