"""Play at a table of a Fivedice server from a program. Needs the standard library alone.

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

from fivedice.errors import FivediceError, quote
from fivedice.game import Position as EnginePosition
from fivedice.notation import read_position
from fivedice.rules import DEFAULT, load_book

PATIENCE = 30.0  # seconds until a server that says nothing is given up
LONGEST_WAIT = 3600.0  # seconds that one call waits for a busy server, all waits together
GATE_HEADER = "Fivedice-Passphrase"
_BUSY = {429, 503}  # the server says how long to wait
_AGAIN = 0.5  # seconds, growing, before a broken line is tried again


class ClientError(FivediceError):
    """Something went wrong between the program and the table."""


class Unreachable(ClientError):  # noqa: N818
    """No answer, or none that a Fivedice server gives."""


class Refused(ClientError):  # noqa: N818
    """The server said no, and nothing has changed. `code` is for programs: stale, not-your-turn, illegal, full…

    `reason` is the kind of the sentence where it has one, `version` that of the table where it matters.
    """

    def __init__(self, status: int, answer: Mapping[str, Any]) -> None:
        super().__init__(str(answer.get("message") or answer.get("detail") or status))
        self.status = status
        self.code = str(answer.get("error", "refused"))
        self.reason: str | None = answer.get("kind")
        self.version: int | None = answer.get("version")


class Busy(Refused):
    """The server asks to wait longer than we do. `wait` is how many seconds more, `waited` how many it were."""

    def __init__(self, status: int, answer: Mapping[str, Any], wait: float, waited: float) -> None:
        super().__init__(status, answer)
        self.wait, self.waited = wait, waited
        told = {"reason": str(self), "waited": round(waited), "wait": round(wait)}
        FivediceError.__init__(self, "terminal.join-gave-up", **told)


@dataclass(frozen=True, slots=True)
class Worth:
    """What the dice score in a box; `bonus` is paid beside it."""

    points: int
    bonus: int
    joker: bool


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table, in the order of the turns."""

    name: str
    bot: str | None
    yours: bool
    total: int


@dataclass(frozen=True, slots=True)
class Position:
    """A table as the program sees it. `keeps` and `boxes` are the legal moves of the seat on turn."""

    version: int
    phase: str  #: seating, playing, finished or given up
    book: str
    rules: str | None  #: the text of house rules
    notation: str | None  #: of the position
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
    pace: str  # of the bots

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.phase in {"finished", "given up"}

    def read(self) -> EnginePosition:
        """The same as a position of the engine, for its rules, the solver and the bots."""
        if self.notation is None:
            raise ClientError("terminal.join-not-begun")
        return read_position(self.notation, None if self.rules is None else load_book(self.rules))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """From what the server tells; what it tells besides is passed over."""
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
            pace=data.get("pace", "calm"),  # as it was before tables could choose
        )


class Server:
    """A server, called with one key: who has it is who sits at the tables. Without one, a new key is asked for.

    `patience` is how long one answer may take, `longest_wait` how long a call waits where the server asks it to.
    `passphrase` is for servers that open games only with one: `Refused` with the code `passphrase-needed` says so.
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
        self._passphrase = _passphrase_header(passphrase)
        self._parts, self._patience, self._longest_wait = urlsplit(self.address), patience, longest_wait
        self._line: HTTPConnection | None = None
        self.key: str = key or self.call("POST", "/players")["key"]

    def close(self) -> None:
        """Let the line go; the next call opens another."""
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def __del__(self) -> None:
        if hasattr(self, "_line"):
            self.close()

    @staticmethod
    def of(link: str) -> str:
        """Return the address of the server that a link leads to; one without `http://` gets it."""
        try:
            parts = urlsplit(link if "://" in link else f"http://{link}")
            known = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:  # no port, or no address
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
        """A table of one's own, with bots if they are named, begun if nobody else is waited for.

        `pace` is how fast bots move: `at-once`, `brisk`, or `calm` where people look on.
        """
        seats = [{"name": name or "Player 1"}, *({"bot": level} for level in bots)]
        body = {"book": book, "seats": seats, "start": start, "pace": pace, "key": secrets.token_urlsafe(9), **more}
        return Table(self, self.call("POST", "/tables", body)["id"])

    def table(self, table: str) -> Table:
        """A table by its id, to watch or to go on at."""
        return Table(self, table)

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer of the API. Waits as a busy server says, and gives up with `Busy` where that is too long.

        What was refused has not happened, so it is sent again as it is.
        """
        waited = 0.0
        while True:
            answer = self._answered(method, path, body)
            told = _told(answer, answer.read())
            if answer.status < 400:
                return told
            waited += self._waited(answer, told, waited)

    def _waited(self, answer: HTTPResponse, told: Mapping[str, Any], before: float) -> float:
        """Wait as an answer asks, or raise what it says."""
        wait = _seconds(answer.headers.get("Retry-After"))
        if answer.status not in _BUSY or not wait:
            raise Refused(answer.status, told)
        if before + wait > self._longest_wait:
            raise Busy(answer.status, told, wait, before)
        time.sleep(wait)
        return wait

    def _answered(self, method: str, path: str, body: Mapping[str, Any] | None) -> HTTPResponse:
        """On the line that is open, or, where that was closed meanwhile, on a new one."""
        for fresh in (False, True):
            line = self._line = self._connected() if fresh or self._line is None else self._line
            try:
                return self._asked(line, method, path, body)
            except (HTTPException, OSError) as error:
                self.close()
                if fresh:
                    raise Unreachable("terminal.join-unreachable", server=self.address, reason=_reason(error)) from None
        raise AssertionError("a fresh line answers or fails")

    def _asked(self, line: HTTPConnection, method: str, path: str, body: Mapping[str, Any] | None) -> HTTPResponse:
        headers: dict[str, str | bytes] = {"Accept": "application/json"}
        if self._passphrase and method == "POST":
            headers[GATE_HEADER] = self._passphrase
        if hasattr(self, "key"):
            headers["Authorization"] = f"Bearer {self.key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        line.request(method, f"{self._parts.path}/api{path}", content, headers)
        return line.getresponse()

    def _connected(self) -> HTTPConnection:
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=self._patience)

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """The data of server-sent events, from a line of its own, until that ends."""
        line, waited = self._connected(), 0.0
        try:
            while (answer := self._asked(line, "GET", path, None)).status >= 400:
                waited += self._waited(answer, _told(answer, answer.read()), waited)
            for raw in answer:
                if raw.startswith(b"data: "):
                    yield json.loads(raw[6:])
        except (HTTPException, OSError) as error:
            raise Unreachable("terminal.join-unreachable", server=self.address, reason=_reason(error)) from None
        finally:
            line.close()


class Table:
    """A table at a server. `position` is what was last heard of it, `link` invites others."""

    def __init__(self, server: Server, table: str) -> None:
        self.server, self.id = server, table
        self.position = self.look()

    def look(self) -> Position:
        """Ask how it stands."""
        self.position = Position.of(self.server.call("GET", f"/tables/{self.id}/position"))
        return self.position

    @property
    def link(self) -> str:
        """The invitation to show others: who opens it, or passes it to `join`, takes a free seat."""
        return str(self._invitation["link"])

    @property
    def join_code(self) -> str:
        """The code of that invitation, which `sit` takes."""
        return str(self._invitation["join_code"])

    @cached_property
    def _invitation(self) -> dict[str, str]:
        invitation: dict[str, str] = self.server.call("GET", f"/tables/{self.id}/invitation")
        return invitation

    def sit(self, name: str | None = None, join_code: str | None = None) -> Position:
        """Take a free seat; an invitation has the code."""
        return self._do("sit", name=name, join_code=join_code)

    def start(self) -> Position:
        """Begin, as the host."""
        return self._do("start")

    def roll(self, keep: str = "-") -> Position:
        """Keep these faces and roll the others; all of them without."""
        return self._do("roll", keep=keep, version=self.position.version)

    def score(self, box: str) -> Position:
        """Fill a box, by its key."""
        return self._do("score", box=box, version=self.position.version)

    def undo(self) -> Position:
        """Take back the last move, while that is allowed."""
        return self._do("undo", version=self.position.version)

    def command(self, command: str, **fields: Any) -> Position:
        """Anything else that can be done at a table: `table.command("bot", level="steady")`.

        The OpenAPI document of the server has all commands with their fields.
        """
        body = {"command": command, "version": self.position.version, "key": secrets.token_urlsafe(9), **fields}
        self.server.call("POST", f"/tables/{self.id}/commands", body | {"answer": "changes"})
        return self.look()

    def rematch(self) -> Table:
        """The next game for the same people."""
        return Table(self.server, self.server.call("POST", f"/tables/{self.id}/rematch")["id"])

    def games(self, count: int) -> Iterator[Table]:
        """One game after the other, this one first. Each is played to its end before the next is asked for.

        The next one begins as soon as everyone at the table has asked for it; bots always have.
        """
        table = self
        for number in range(count):
            if number:
                table = table._next()
            yield table

    def _next(self) -> Table:
        following = self.position.rematch or self.command("again").rematch
        if following is None:
            following = next(heard.rematch for heard in self._heard(-1) if heard.rematch is not None)
        return Table(self.server, following)

    def _do(self, move: str, **fields: Any) -> Position:
        body = {"move": move, "key": secrets.token_urlsafe(9), **fields}
        self.position = Position.of(self.server.call("POST", f"/tables/{self.id}/moves", body))
        return self.position

    def positions(self) -> Iterator[Position]:
        """Every position from now on, until the game is over; a line that breaks is taken up again."""
        for position in self._heard(-1):
            yield position
            if position.over:
                return

    def turns(self) -> Iterator[Position]:
        """A position for every move that is ours to make, until the game is over. Whoever gets one makes the move."""
        yield from self._ours()
        if self.position.over:
            return
        for position in self._heard(self.position.version):
            yield from self._ours()
            if position.over or self.position.over:
                return

    def _heard(self, last: int) -> Iterator[Position]:
        """What the stream tells beyond a version, and beyond what our own moves were answered with meanwhile."""
        wait = _AGAIN
        while True:
            try:
                for data in self.server.stream(f"/tables/{self.id}/live/positions"):
                    wait = _AGAIN
                    if data["version"] > last:
                        self.position = Position.of(data)
                        yield self.position
                        last = max(data["version"], self.position.version)
            except Unreachable:
                if wait > PATIENCE:
                    raise
            time.sleep(wait)
            wait *= 2

    def _ours(self) -> Iterator[Position]:
        while self.position.your_turn and not self.position.over:
            yield self.position


def join(link: str, name: str | None = None, *, key: str | None = None) -> Table:
    """Sit down at the table that an invitation leads to; whoever sits there already goes on playing."""
    table, code = _parts_of(link)
    server = Server(link, key)
    found = server.table(table)
    if not any(player.yours for player in found.position.players):
        found.sit(name, code)
    return found


def _passphrase_header(passphrase: str | None) -> bytes:
    """Return a passphrase as it is sent. Raise ClientError, which does not quote it, for one of several lines."""
    text = (passphrase or "").strip()
    if not (text.isprintable() or not text):
        raise ClientError("terminal.join-bad-passphrase")
    return text.encode()


def _seconds(text: str | None) -> float:
    """Of a Retry-After; a date, or what is no number of seconds, is none."""
    return float(text) if text and text.isascii() and text.isdecimal() else 0.0


def _parts_of(link: str) -> tuple[str, str | None]:
    """The id of the table and the code of the invitation."""
    parts = urlsplit(link).path.rpartition("/t/")[2].strip("/").split("/")
    if "/t/" not in urlsplit(link).path or not parts[0] or (len(parts) > 1 and (parts[1] != "join" or len(parts) != 3)):
        raise ClientError("terminal.join-bad-link", link=quote(link))
    return parts[0], parts[2] if len(parts) > 1 else None


def _told(answer: HTTPResponse, content: bytes) -> Any:
    try:
        told = json.loads(content)
    except ValueError:
        raise Unreachable("terminal.join-no-fivedice", status=answer.status) from None
    return told


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or str(error) or type(error).__name__)
