"""As little HTTP as a bench needs: the client should not be what is measured."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Self

LARGEST_LINE = 1 << 22


class Line:
    """One connection, kept open; a server may close it between two questions."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    def __init__(self, port: int, player: str) -> None:
        self._port, self._player = port, player

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=LARGEST_LINE)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer as JSON; anything but success is an error of the bench."""
        try:
            return await self._ask(method, path, body)
        except (asyncio.IncompleteReadError, ConnectionError):  # idle for too long: commands have keys, so once more
            self._writer.close()
            await self.__aenter__()
            return await self._ask(method, path, body)

    async def listen(self, table: str, after: int) -> None:
        """Turn this line into the live stream of a table."""
        await self._send("GET", f"/api/tables/{table}/live?after={after}", None)
        status, _ = await self._head()
        if status != 200:
            raise RuntimeError(f"the stream was answered by {status}")

    async def versions(self) -> AsyncIterator[int]:
        """What the stream says, as it comes."""
        while line := await self._reader.readline():
            if line.startswith(b"data: ") and line[6:7].isdigit():
                yield int(line[6:])

    async def _ask(self, method: str, path: str, body: Any) -> Any:
        await self._send(method, path, body)
        status, headers = await self._head()
        content = await self._reader.readexactly(int(headers["content-length"]))
        if status not in {200, 201}:
            raise RuntimeError(f"{method} {path}: {status} {content[:200]!r}")
        return json.loads(content)

    async def _send(self, method: str, path: str, body: Any) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost:{self._port}\r\nauthorization: Bearer {self._player}\r\n"
        if body is not None:
            head += f"content-type: application/json\r\ncontent-length: {len(content)}\r\n"
        self._writer.write(head.encode() + b"\r\n" + content)
        await self._writer.drain()

    async def _head(self) -> tuple[int, dict[str, str]]:
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = (line.partition(": ") for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value for name, _, value in pairs}
