"""An engine as a bot: another program, in any language, that plays by the engine protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic

from fivedice.engines.engine_lines import HELLO, VERSION, position_lines, read_move, rules_line
from fivedice.engines.engine_process import EngineProcess
from fivedice.errors import BotError, MalformedError, quote
from fivedice.game import Hold, Mark, Position
from fivedice.rules import RuleBook

SECONDS = 10.0  # for a move, and for the greeting
MOST_LINES = 1000  # of an answer
_LONGEST_OPTION = 200


def engine(
    command: Sequence[str],
    *,
    options: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
    name: str | None = None,
) -> Engine:
    """A bot that is another program: `fd.engine(["awk", "-f", "greedy.awk"])`. It is started when it is first asked.

    `seconds` is the time for each move. Options are those that the program declares. In matches every block of games
    has a process of its own; call `close()` yourself if you ask the bot yourself.
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
    """Speaks with one process. Copies, here or in another process, start their own."""

    def __init__(self, command: tuple[str, ...], options: Mapping[str, str], seconds: float, name: str) -> None:
        self.command, self.options, self.seconds, self.name = command, dict(options), seconds, name
        self.about: dict[str, str] = {}  # what the program says of itself: its name, its author
        self._process: EngineProcess | None = None
        self._rules: RuleBook | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return Engine, (self.command, self.options, self.seconds, self.name)

    def __repr__(self) -> str:
        return f"<Engine {self.name!r}>"

    def choose(self, position: Position) -> Hold | Mark:
        """What the program answers; it is ended if it does not."""
        try:
            return self._answer(self._started(position.book), position)
        except BotError:
            self.close()
            raise

    def begin(self, seed: str) -> None:
        """A game begins."""
        try:
            self._open().tell(f"newgame {seed}")
        except BotError:
            self.close()
            raise

    def close(self) -> None:
        """End the program. If it is asked again, it is started again."""
        process, self._process, self._rules = self._process, None, None
        if process is not None:
            process.close()

    def _started(self, book: RuleBook) -> EngineProcess:
        process = self._open()
        if self._rules != book:
            process.tell(rules_line(book))
            self._rules = book
        return process

    def _open(self) -> EngineProcess:
        if self._process is None:
            self._process = EngineProcess(self.command)
            self._greet(self._process)
        return self._process

    def _greet(self, process: EngineProcess) -> None:
        """Hello, what it is and which options it has, until it says that it is ready."""
        hello, until, declared = f"{HELLO} {VERSION}", monotonic() + self.seconds, set[str]()
        process.tell(hello)
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
        process.tell(*(f"option {key} {value}" for key, value in self.options.items()))

    def _answer(self, process: EngineProcess, position: Position) -> Hold | Mark:
        early = process.early()
        if early is not None:
            raise BotError("bots.engine-early", line=quote(early))
        lines = position_lines(position)
        until = monotonic() + self.seconds
        process.tell(*lines, f"go {round(1000 * self.seconds)}")
        for _ in range(MOST_LINES):
            line = process.line(until, lines[0])
            first, _, rest = line.partition(" ")
            if first == "error":
                raise BotError("bots.engine-gave-up", line=quote(rest))
            if first != "info":
                return read_move(line, position.book)
        raise BotError("bots.engine-talkative", most=MOST_LINES, line=quote(line))
