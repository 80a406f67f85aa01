"""The game as lines of JSON, for scripts: an object a line comes in, and exactly one goes out for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError, MalformedError, quote
from fivedice.table.state import Phase
from fivedice.table.view.program_view import position_for
from fivedice.tui.game_lines import coached, expectations, happened
from fivedice.tui.lines.plain_commands import forgiving
from fivedice.tui.session import TERMINAL, Session

_KINDS: dict[str, type] = {"dice": str, "keep": str, "box": str, "turn": int, "saved": int, "last": bool}


class JsonTable:
    """`{"do": "keep", "dice": "44"}` in, `{"ok": true, "moves": […], "table": {…}}` out; bots play in between."""

    def __init__(self, session: Session, source: TextIO | None = None, out: TextIO | None = None) -> None:
        self._session = session
        self._source = source or forgiving(sys.stdin)
        self._out = out or forgiving(sys.stdout)
        self._known: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
            "look": lambda _: None,
            "roll": self._roll,
            "keep": self._keep,
            "score": lambda told: self._session.score(self._session.state.book.box(_told(told, "box")).key),
            "undo": lambda _: self._session.undo(),
            "final": self._final,
            "withdraw": lambda _: self._session.withdraw(),
            "correct": self._correct,
            "hint": lambda _: {"hint": self._hint()},
            "odds": lambda _: {"odds": expectations(self._session)},
            "record": lambda _: {"record": self._session.record},
        }

    def play(self) -> bool:
        """Until the game is left or over and nothing more comes; whether every line was carried out."""
        fine = self._answer({})
        for line in iter(self._source.readline, ""):
            if not line.strip():
                continue
            try:
                told = _object(line)
                if told.get("do") == "quit":
                    return fine
                fine &= self._answer(self._do(told) or {})
            except FivediceError as error:
                fine = self._answer({}, error)
        return fine

    def _do(self, told: dict[str, Any]) -> dict[str, Any] | None:
        command = self._known.get(_told(told, "do"))
        if command is None:
            raise MalformedError("terminal.json-unknown", word=quote(told["do"]), words=(*self._known, "quit"))
        return command(told)

    def _roll(self, told: dict[str, Any]) -> None:
        """All dice; real ones are told."""
        if self._session.state.real_dice:
            self._session.enter(Roll.parse(_told(told, "dice")))
        else:
            _nothing_but(told, "do")
            self._session.roll()

    def _keep(self, told: dict[str, Any]) -> None:
        """These stay and the others are rolled; real ones are told as `dice`, and those that stay as `keep`."""
        if self._session.state.real_dice:
            kept = self._session.slots_to_keep(Keep.parse(_told(told, "keep")))
            self._session.enter(Roll.parse(_told(told, "dice")), kept)
        else:
            _nothing_but(told, "do", "dice")
            self._session.roll(self._session.slots_to_keep(Keep.parse(_told(told, "dice"))))

    def _final(self, told: dict[str, Any]) -> None:
        self._session.enter(Roll.parse(_told(told, "dice")), last=True, saved=_told(told, "saved", 0))

    def _correct(self, told: dict[str, Any]) -> None:
        dice, box = _told(told, "dice", ""), _told(told, "box", "")
        saved = _told(told, "saved", -1)
        turn = _told(told, "turn") - 1
        self._session.correct(turn, Roll.parse(dice) if dice else None, box or None, None if saved < 0 else saved)

    def _hint(self) -> dict[str, Any]:
        """As `fivedice hint --json` tells it."""
        found = coached(self._session)
        options = [
            {"keep": str(each.keep)} | {"value": each.value, "loss": each.cost}
            if each.keep is not None
            else {"box": each.box} | {"value": each.value, "loss": each.cost}
            for each in found.choices
        ]
        return {"options": options, "sentence": " ".join(filter(None, [found.sentence, found.beside]))}

    def _answer(self, more: dict[str, Any], error: FivediceError | None = None) -> bool:
        """Print an answer; return whether it is free of errors, those of bots among them."""
        moves: list[str] = []
        try:
            moves.extend(() if error else self._bots())
        except FivediceError as stopped:  # a bot that needs what is not installed here
            error = stopped
        table = asdict(position_for(self._session.state, TERMINAL))
        wrong = {} if error is None else {"error": {"kind": error.message.kind, "message": str(error)}}
        told = {"ok": error is None, **wrong, **more, "moves": moves, "table": table}
        print(json.dumps(told, ensure_ascii=False, separators=(",", ":")), file=self._out, flush=True)
        return error is None

    def _bots(self) -> Iterator[str]:
        """What the bots do until somebody else is on turn, move by move."""
        while self._session.state.phase is Phase.PLAYING and self._session.bot_is_next:
            self._session.bot_move()
            yield happened(self._session.state)


def _object(line: str) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise MalformedError("terminal.json-object", text=quote(line.strip()), example='{"do": "roll"}')
    return told


def _told(told: dict[str, Any], name: str, otherwise: Any = None) -> Any:
    """A field of the kind that it must have."""
    value = told.get(name, otherwise)
    if type(value) is not _KINDS.get(name, str):
        raise MalformedError("terminal.json-field", field=quote(name), given=quote(json.dumps(told)))
    return value


def _nothing_but(told: dict[str, Any], *names: str) -> None:
    """Dice that are told where the game rolls them are a mistake, not to be passed over."""
    more = next((name for name in told if name not in names), None)
    if more is not None:
        raise MalformedError("terminal.json-more", field=quote(more))
