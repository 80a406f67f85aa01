"""Bots in any language, by lines of text over standard input and output, as chess has UCI: see docs/engine-protocol.md.

`engine` is a bot that is another program; `serve` answers lines for one of our bots.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import IO

from fivedice import __version__
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.notation import read_position
from fivedice.core.rules import SHIPPED, RuleBook, book as find_book, load_book, played_by
from fivedice.errors import BotError, FivediceError, MalformedError, quote
from fivedice.players.bots.entrants import Entrant, begin, end
from fivedice.players.bots.players import Bot
from fivedice.players.engine_process import (
    HELLO,
    LONGEST_ASKED,
    VERSION,
    EngineProcess,
    position_lines,
    read_move,
    rules_line,
    write_move,
)

SECONDS = 10.0  # for a move, and for the greeting
MOST_LINES = 1000  # per answer
_LONGEST_OPTION = 200


def engine(
    command: Sequence[str],
    *,
    options: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    name: str | None = None,
) -> Engine:
    """Return a bot that is another program. The program is started when it is first asked for a move.

    `command` is the program and its arguments. `options` are set at the start; the program must declare them. `seconds`
    is the time for each move, and `name` the name in results, by default that of the program. In matches every block of
    games has a process of its own. Call `close()` if you ask the bot yourself.

    Raises `MalformedError` for a bad command, option or time; moves raise `BotError` if the program fails.

    >>> fd.engine(["awk", "-f", "docs/examples/greedy.awk"], seconds=5).name
    'awk'
    """
    if isinstance(command, str) or not command or not all(map(str, command)):
        raise MalformedError("bots.engine-bad-command", command=quote(command))
    wanted = {str(key): str(value) for key, value in (options or {}).items()}
    for key, value in wanted.items():
        if not key or key.split() != [key] or not (key + value).isprintable() or len(key + value) > _LONGEST_OPTION:
            raise MalformedError("bots.engine-bad-option", option=quote(f"{key}={value}"))
    if not 0 < seconds <= 86_400:
        raise MalformedError("bots.engine-bad-seconds", seconds=quote(seconds))
    return Engine(tuple(map(str, command)), wanted, float(seconds), name or str(command[0]).rpartition("/")[2])


class Engine:
    """A bot that talks to one process. Copies, here or in another process, start their own."""

    def __init__(self, command: tuple[str, ...], options: Mapping[str, str], seconds: float, name: str) -> None:
        self.command, self.options, self.seconds, self.name = command, dict(options), seconds, name
        self.about: dict[str, str] = {}  # the name and author that the program gives
        self._process: EngineProcess | None = None
        self._rules: RuleBook | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return Engine, (self.command, self.options, self.seconds, self.name)

    def __repr__(self) -> str:
        return f"<Engine {self.name!r}>"

    def choose(self, position: Position) -> Hold | Mark:
        """Return the program's answer. Raises `BotError` and ends the program if it fails to answer."""
        try:
            process = self._open()
            if self._rules != position.book:
                process.send(rules_line(position.book))
                self._rules = position.book
            return self._answer(process, position)
        except BotError:
            self.close()
            raise

    def begin(self, seed: str) -> None:
        """Announce a new game to the program."""
        try:
            self._open().send(f"newgame {seed}")
        except BotError:
            self.close()
            raise

    def close(self) -> None:
        """End the program. It is started again for the next question."""
        process, self._process, self._rules = self._process, None, None
        if process is not None:
            process.close()

    def _open(self) -> EngineProcess:
        if self._process is None:
            self._process = EngineProcess(self.command)
            self._greet(self._process)
        return self._process

    def _greet(self, process: EngineProcess) -> None:
        """Exchange greetings, and collect the program's name and options until it is ready."""
        hello, until, declared = f"{HELLO} {VERSION}", monotonic() + self.seconds, set[str]()
        process.send(hello)
        for _ in range(MOST_LINES):
            line = process.line(until, hello)
            first, _, rest = line.partition(" ")
            if first == "ready":
                return self._ready(process, rest, declared)
            if first == "option":
                declared.add(rest.partition(" ")[0])
            elif first in {"name", "author"}:
                self.about[first] = rest[:_LONGEST_OPTION]
            else:
                raise BotError("bots.engine-bad-greeting", line=quote(line))
        raise BotError("bots.engine-talkative", most=MOST_LINES, line=quote(line))

    def _ready(self, process: EngineProcess, version: str, declared: set[str]) -> None:
        if version != str(VERSION):
            raise BotError("bots.engine-other-version", version=quote(version), own=VERSION)
        unknown = [key for key in self.options if key not in declared]
        if unknown:
            raise BotError("bots.engine-unknown-option", option=quote(unknown[0]), known=tuple(sorted(declared)))
        process.send(*(f"option {key} {value}" for key, value in self.options.items()))

    def _answer(self, process: EngineProcess, position: Position) -> Hold | Mark:
        early = process.take_early()
        if early is not None:
            raise BotError("bots.engine-early", line=quote(early))
        lines = position_lines(position)
        until = monotonic() + self.seconds
        process.send(*lines, f"go {round(1000 * self.seconds)}")
        for _ in range(MOST_LINES):
            line = process.line(until, lines[0])
            first, _, rest = line.partition(" ")
            if first == "error":
                raise BotError("bots.engine-gave-up", line=quote(rest))
            if first != "info":
                return read_move(line, position.book)
        raise BotError("bots.engine-talkative", most=MOST_LINES, line=quote(line))


def serve(player: Entrant, lines: IO[str], answer: Callable[[str], None]) -> None:
    """Answer lines until `quit` or the end of the input."""
    engine = _Loop(player)
    try:
        while (line := lines.readline(LONGEST_ASKED)) and line.strip() != "quit":
            for each in engine.answers(line.strip()):
                answer(each)
    finally:
        engine.close()


@dataclass
class _Loop:
    """One conversation."""

    player: Entrant
    book: RuleBook | None = None
    position: str | None = None
    seed: str | None = ""  # of a game that the bot does not know of yet
    bot: Bot | None = None

    def answers(self, line: str) -> list[str]:
        """Return the answers to a line; none to unknown lines, so that later versions may add some."""
        first, _, rest = line.partition(" ")
        handle = {HELLO: self._greeting, "rules": self._rules, "newgame": self._begin, "go": self._move}.get(first)
        if first == "position":
            self.position = rest
        if handle is None:
            return []
        try:
            return handle(rest)
        except FivediceError as error:
            return [f"error {' '.join(str(error).split())}"]

    def close(self) -> None:
        if self.bot is not None:
            end(self.bot)
        self.bot = None

    def _greeting(self, _: str) -> list[str]:
        return [f"name fivedice {__version__} {self.player.name}", f"ready {VERSION}"]  # no sentence

    def _rules(self, rest: str) -> list[str]:
        key, _, more = rest.partition(" ")
        _, _, text = more.partition(" ")
        self.book = _parse_rules(text) if text else find_book(key) if key in SHIPPED else None
        self.close()
        return []

    def _begin(self, seed: str) -> list[str]:
        self.seed = seed
        return []

    def _move(self, _: str) -> list[str]:
        if self.position is None:
            raise BotError("bots.engine-no-position")
        key = self.position.partition(" ")[0]
        if self.book is None or self.book.key != key:
            self.close()
            self.book = played_by(key, None)
        position = read_position(self.position, self.book)
        return [write_move(self._ready_bot(self.book).choose(position), self.book)]

    def _ready_bot(self, book: RuleBook) -> Bot:
        """Return the bot, after announcing a new game to it."""
        if self.bot is None or (self.seed is not None and self.player.has_moods):
            self.bot = self.player.make_bot(book, self.seed or "")
        if self.seed is not None:
            begin(self.bot, self.player.name, 1, self.seed)
            self.seed = None
        return self.bot


def _parse_rules(text: str) -> RuleBook:
    try:
        rules = json.loads(text)
    except ValueError:
        rules = None
    if not isinstance(rules, str):
        raise MalformedError("bots.engine-bad-rules", line=quote(text))
    return load_book(rules)
