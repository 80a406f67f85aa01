"""Another program that exchanges lines with us, with limits on their length and on waiting.

Two threads read its output and its errors, so that neither pipe can fill up and block it. Lines to it are sent without
waiting: a program that does not read fails as soon as its pipe is full.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from queue import Empty, Full, Queue
from threading import Event, Thread
from time import monotonic
from typing import IO
from weakref import finalize

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.notation import write_position
from fivedice.core.rules import SHIPPED, RuleBook, write_book
from fivedice.errors import BotError, FivediceError, MalformedError, quote

HELLO = "fivedice"
VERSION = 1
KEEP, SCORE = "keep", "score"
LONGEST = 4096  # bytes of a line from an engine
LONGEST_ASKED = 1 << 20  # bytes of a line to an engine: house rules fit in a line


def rules_line(book: RuleBook) -> str:
    """Return the line that names the rules; house rules are sent as the text of their file, in JSON."""
    text = "" if book.key in SHIPPED else " " + json.dumps(write_book(book))
    return f"rules {book.key} {book.fingerprint}{text}"


def position_lines(position: Position) -> tuple[str, str]:
    """Return the lines with the position and with the legal boxes and their points, bonuses included."""
    legal = " ".join(
        f"{position.book.box(key).code}:{entry.points + entry.bonus}" for key, entry in position.ruling().legal.items()
    )
    return f"position {write_position(position)}", f"legal {legal}"


def write_move(move: Hold | Mark, book: RuleBook) -> str:
    """Return a move as a line: `move keep 44`, `move keep -` or `move score 4k`."""
    return f"move {KEEP} {move.keep}" if isinstance(move, Hold) else f"move {SCORE} {book.box(move.box).code}"


def read_move(line: str, book: RuleBook) -> Hold | Mark:
    """Parse the move of an answer, without checking that it is legal. Raises `BotError` if it is malformed."""
    words = line.split()
    if len(words) != 3 or words[0] != "move" or words[1] not in {KEEP, SCORE}:
        raise BotError("bots.engine-bad-answer", line=quote(line))
    if words[1] == SCORE:
        box = book.by_code.get(words[2])
        if box is None:
            raise BotError("bots.engine-bad-box", line=quote(line), known=tuple(book.by_code))
        return Mark(box.key)
    try:
        return Hold(Keep.parse(words[2]))
    except (MalformedError, FivediceError) as error:
        raise BotError("bots.engine-bad-answer", line=quote(line)) from error


_WAITING = 64  # lines that it may send ahead
_TAIL = 500  # last bytes of its error output that are kept
_GRACE = 1.0  # seconds in which it may exit by itself
_MOMENT = 0.2


class EngineProcess:
    """A started program. It ends with `close`, or when the object is collected."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = " ".join(command)
        self._complaints, self._lines, self._done = bytearray(), Queue[bytes | None](_WAITING), Event()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user has named the program
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # so that its children end with it
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise BotError("bots.engine-not-started", command=quote(self.command), reason=reason) from error
        process = self._process
        self._ended = finalize(self, _end, process, self._done)
        if process.stdin is not None and sys.platform != "win32":
            os.set_blocking(process.stdin.fileno(), False)
        Thread(target=_read_lines, args=(process.stdout, self._lines, self._done), daemon=True).start()
        self._listener = Thread(target=_read_tail, args=(process.stderr, self._complaints), daemon=True)
        self._listener.start()

    def send(self, *lines: str) -> None:
        """Send lines. Raises `BotError` if the program has ended or does not read them."""
        text = "".join(f"{line}\n" for line in lines).encode()
        pipe = self._process.stdin
        try:
            sent = None if pipe is None else pipe.write(text)
        except (OSError, ValueError) as error:
            raise self._exit_error() from error
        if sent != len(text):
            raise BotError("bots.engine-deaf", command=quote(self.command))

    def line(self, until: float, asked: str) -> str:
        """Return the next line. Raises `BotError` if there is none before the time `until`."""
        try:
            line = self._lines.get(timeout=max(0.0, until - monotonic()))
        except Empty:
            raise BotError("bots.engine-silent", command=quote(self.command), asked=quote(asked)) from None
        if line is None:
            raise self._exit_error()
        if _is_cut_off(line):
            raise _too_long(line)
        return line.decode(errors="replace").strip()

    def take_early(self) -> str | None:
        """Return a line that was sent without a question, or None."""
        try:
            line = self._lines.get_nowait()
        except Empty:
            return None
        return None if line is None else line.decode(errors="replace").strip()

    def close(self) -> None:
        """Ask the program to quit, and end it."""
        with contextlib.suppress(BotError):
            self.send("quit")
        self._ended()

    def _exit_error(self) -> BotError:
        if cut_off := next(filter(_is_cut_off, self._unread_lines()), None):
            return _too_long(cut_off)  # we stopped reading, and that ended it
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
            self._listener.join(_GRACE)  # its last error output may still be in the pipe
        said = bytes(self._complaints).decode(errors="replace").strip()
        return BotError(
            "bots.engine-gone",
            command=quote(self.command),
            status=quote(self._process.returncode),
            said=quote(said[-200:]),
        )

    def _unread_lines(self) -> Iterator[bytes]:
        """Yield the lines that were not read yet."""
        with contextlib.suppress(Empty):
            while line := self._lines.get_nowait():
                yield line


def _is_cut_off(line: bytes) -> bool:
    return not line.endswith(b"\n")


def _too_long(line: bytes) -> BotError:
    return BotError("bots.engine-long-line", most=LONGEST, line=quote(line[:80].decode(errors="replace")))


def _end(process: subprocess.Popen[bytes], done: Event) -> None:
    """Close its input, wait a moment, and kill it with all its children."""
    done.set()
    for pipe in (process.stdin,):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read_lines(pipe: IO[bytes], lines: Queue[bytes | None], done: Event) -> None:
    """Queue lines; a line that is too long is the last one, queued without its line end."""
    with contextlib.suppress(OSError, ValueError), pipe:
        rest = b""
        while chunk := pipe.read(LONGEST):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                if not _put(lines, line + b"\n" if len(line) <= LONGEST else line, done):
                    return
            if len(rest) > LONGEST:
                _put(lines, rest, done)
                return
    _put(lines, None, done)


def _put(lines: Queue[bytes | None], line: bytes | None, done: Event) -> bool:
    """Queue a line, waiting for room until the reader is done. Return whether it was queued."""
    while not done.is_set():
        try:
            lines.put(line, timeout=_MOMENT)
        except Full:
            continue
        return True
    return False


def _read_tail(pipe: IO[bytes], kept: bytearray) -> None:
    with contextlib.suppress(OSError, ValueError), pipe:
        while chunk := pipe.read(LONGEST):
            kept += chunk
            del kept[:-_TAIL]
