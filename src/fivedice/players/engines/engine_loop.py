"""Our bots as engines: `fivedice engine steady` answers lines on standard input."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from fivedice import __version__
from fivedice.core.notation import read_position
from fivedice.core.rules import SHIPPED, RuleBook, book as find_book, load_book, played_by
from fivedice.errors import BotError, FivediceError, MalformedError, quote
from fivedice.players.bots.entrants import Entrant, begin, end
from fivedice.players.bots.players import Bot
from fivedice.players.engines.engine_process import HELLO, LONGEST_ASKED, VERSION, write_move


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
