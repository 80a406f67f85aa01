"""A game at a web table, line by line: the server has the table, and this terminal one of its seats."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any, TextIO

from fivedice.client import Position, Refused, Server, Table, Unreachable, join
from fivedice.core.game import sheet_lines
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError
from fivedice.folders import data_folder
from fivedice.terminal.plain_commands import box_line, read_box, replace_unknown_letters, sheet_rows
from fivedice.text import word

LOOKS, BETWEEN = 10, 0.5  # how often a server is asked for a result, and the seconds in between
_SHORT = {"r": "roll", "k": "keep", "s": "score", "u": "undo", "?": "help", "q": "quit"}


def sit_down(link: str, name: str | None) -> Table:
    """Join with the key that this computer has for the server, so that a player gets the same seat again."""
    server = known_server(link)
    server.close()
    return join(link, name, key=server.key)


def known_server(link: str) -> Server:
    """Return a server with the key that this computer has for it; a new one is kept."""
    keys = _load_keys()
    server = Server(link, keys.get(Server.of(link)))
    if keys.get(server.address) != server.key:
        # Save the keys so that only this user can read them: a key is all it takes to play for a seat.
        data_folder().mkdir(parents=True, exist_ok=True)
        file = os.open(data_folder() / "server-keys.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as out:
            json.dump(keys | {server.address: server.key}, out)
    return server


def play_daily(link: str, day: str, *, practice: bool) -> tuple[dict[str, Any], bool]:
    """Play the daily game of a server, unless it is finished, and return what the server says about it afterwards.

    Also return whether every command succeeded. The server works the result out in the background.
    """
    server, fine = known_server(link), True
    address = f"/daily/{day}".rstrip("/")
    found = server.call("GET", address)
    if practice or not (found["yours"] or {}).get("finished"):
        fine = RemoteTable(Table(server, server.call("POST", address)["id"])).play()
        found = server.call("GET", address)
    for _ in range(LOOKS):
        yours = found["yours"] or {}
        if not yours.get("counts") or yours.get("points_lost") is not None:
            break
        time.sleep(BETWEEN)
        found = server.call("GET", address)
    return found | {"link": f"{server.address}/daily/{found['day']}"}, fine


def _load_keys() -> dict[str, str]:
    try:
        keys = json.loads((data_folder() / "server-keys.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return keys if isinstance(keys, dict) else {}


class RemoteTable:
    """Shows what happens at the table, and asks for a line whenever it is our turn."""

    def __init__(self, table: Table, source: TextIO | None = None, out: TextIO | None = None) -> None:
        self._table = table
        self._source = source or replace_unknown_letters(sys.stdin)
        self._out = out or replace_unknown_letters(sys.stdout)
        self._said = ""
        self._refused = False

    def play(self) -> bool:
        """Play until the game is over or left. Return whether every command succeeded."""
        self._say(word("terminal.join-joined", rules=self._book, command="help"))
        self._say_waiting()
        try:
            over = self._play_to_end()
        except KeyboardInterrupt:
            self._say("")
            self._leave()
            raise
        if over:
            self._end()
        else:
            self._leave()
        return self._source.isatty() or not self._refused

    def _play_to_end(self) -> bool:
        table = self._table
        while not table.position.over:
            if table.position.your_turn:
                if not self._answer():
                    return False
                continue
            for position in table.positions():
                self._tell(position)
                if position.your_turn:
                    break
                self._say_waiting()
        return True

    @property
    def _book(self) -> RuleBook:
        from fivedice.core.rules import load_book, shipped

        position = self._table.position
        return shipped(position.book) if position.rules is None else load_book(position.rules)

    def _say_waiting(self) -> None:
        position = self._table.position
        if position.seat is None and not position.over:
            self._say(word("terminal.join-waiting-start"))
        elif position.seat is not None and not position.your_turn and not position.dice:
            self._say(word("terminal.join-waiting-turn", name=position.players[position.seat].name))

    def _answer(self) -> bool:
        """Ask for a line and run it. Return False to leave the table."""
        position = self._table.position
        if not position.dice:
            self._say(word("terminal.join-ask-roll"))
        else:
            kind = "terminal.join-ask-keep" if position.can_roll else "terminal.join-ask-box"
            self._say(word(kind, dice="-".join(sorted(position.dice)), count=position.rolls_left))
        line = self._source.readline()
        typed, _, rest = line.strip().partition(" ")
        command = _SHORT.get(typed.lower(), typed.lower())
        if not line or command == "quit":
            return False
        try:
            if command:
                self._do(command, rest.strip())
        except (Refused, FivediceError) as error:
            if isinstance(error, Unreachable):
                raise
            self._refused = True
            self._say(word("terminal.no", error=str(error)))
            self._table.look()
        return True

    def _do(self, command: str, rest: str) -> None:
        if command in {"roll", "keep"}:
            self._roll(command, rest)
        elif command == "score" and rest:
            self._tell(self._table.score(read_box(self._book, rest).key))
        elif command in {"score", "boxes"}:
            self._say_all(self._boxes())
        elif command == "undo":
            self._tell(self._table.undo())
        elif command == "sheet":
            self._say_all(self._sheet())
        elif command == "help":
            names = {name: name for name in ("roll", "boxes", "sheet", "undo", "quit")}
            self._say(word("terminal.join-help", keep="keep 44", score="score fours", **names))  # no sentence
        else:
            raise FivediceError("terminal.unknown-word", command="help")

    def _roll(self, command: str, rest: str) -> None:
        """Roll as asked. Raises for a `roll` with dice or a `keep` without."""
        if command == "roll" and rest:
            raise FivediceError("terminal.join-roll-alone", roll="roll", keep="keep 44")
        if command == "keep" and not rest:
            raise FivediceError("terminal.keep-which", keep="keep 44", none="keep -")
        self._tell(self._table.roll(rest.replace(" ", "") or "-"))

    def _boxes(self) -> Iterator[str]:
        for key, worth in self._table.position.boxes.items():
            yield box_line(self._book.box(key), worth.points, worth.bonus, joker=worth.joker)

    def _sheet(self) -> Iterator[str]:
        for player, card in zip(self._table.position.players, self._table.position.read().cards, strict=True):
            yield word("terminal.total", name=player.name, total=card.total)
            yield from sheet_rows(sheet_lines(card))

    def _tell(self, position: Position) -> None:
        if position.said and position.said != self._said:
            self._said = position.said
            self._say(position.said)

    def _end(self) -> None:
        position = self._table.position
        if position.notation is not None:
            self._say_all(self._sheet())
        for player in sorted(position.players, key=lambda player: -player.total):
            self._say(word("terminal.join-total", name=player.name, total=player.total))
        if position.record:
            self._say("")
            self._say(position.record.rstrip())

    def _leave(self) -> None:
        link = f"{self._table.server.address}/t/{self._table.id}"
        self._say(word("terminal.join-left", command=f"fivedice join {link}"))  # no sentence

    def _say_all(self, lines: Iterator[str]) -> None:
        for line in lines:
            self._say(line)

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)
