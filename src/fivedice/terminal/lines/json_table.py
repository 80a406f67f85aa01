"""A game as lines of JSON, for scripts: one object per line comes in, and exactly one goes out for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from fivedice.core.dice import Keep, Roll
from fivedice.errors import FivediceError, MalformedError, quote
from fivedice.table.state import Phase
from fivedice.table.view.table_view import position_for
from fivedice.terminal.game_lines import ask_coach, expectations, last_event
from fivedice.terminal.lines.plain_commands import replace_unknown_letters
from fivedice.terminal.session import TERMINAL, Session

_KINDS: dict[str, type] = {"dice": str, "keep": str, "box": str, "turn": int, "saved": int, "last": bool}


class JsonTable:
    """`{"do": "keep", "dice": "44"}` in, `{"ok": true, "moves": […], "table": {…}}` out; bots play in between."""

    def __init__(self, session: Session, source: TextIO | None = None, out: TextIO | None = None) -> None:
        self._session = session
        self._source = source or replace_unknown_letters(sys.stdin)
        self._out = out or replace_unknown_letters(sys.stdout)
        self._known: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
            "look": lambda _: None,
            "roll": self._roll,
            "keep": self._keep,
            "score": lambda data: self._session.score(self._session.state.book.box(_field(data, "box")).key),
            "undo": lambda _: self._session.undo(),
            "final": self._final,
            "withdraw": lambda _: self._session.withdraw(),
            "correct": self._correct,
            "hint": lambda _: {"hint": self._hint()},
            "odds": lambda _: {"odds": expectations(self._session)},
            "record": lambda _: {"record": self._session.record},
        }

    def play(self) -> bool:
        """Answer lines until `quit` or the end of the input. Return whether all commands succeeded."""
        succeeded = self._answer({})
        for line in iter(self._source.readline, ""):
            if not line.strip():
                continue
            try:
                data = _parse_object(line)
                if data.get("do") == "quit":
                    return succeeded
                succeeded &= self._answer(self._do(data) or {})
            except FivediceError as error:
                succeeded = self._answer({}, error)
        return succeeded

    def _do(self, data: dict[str, Any]) -> dict[str, Any] | None:
        command = self._known.get(_field(data, "do"))
        if command is None:
            raise MalformedError("terminal.json-unknown", word=quote(data["do"]), words=(*self._known, "quit"))
        return command(data)

    def _roll(self, data: dict[str, Any]) -> None:
        """Roll all dice; with real dice, enter them."""
        if self._session.state.real_dice:
            self._session.enter(Roll.parse(_field(data, "dice")))
        else:
            _require_only(data, "do")
            self._session.roll()

    def _keep(self, data: dict[str, Any]) -> None:
        """Keep `dice` and roll the others; with real dice, `keep` are those kept and `dice` those rolled."""
        if self._session.state.real_dice:
            kept = self._session.slots_to_keep(Keep.parse(_field(data, "keep")))
            self._session.enter(Roll.parse(_field(data, "dice")), kept)
        else:
            _require_only(data, "do", "dice")
            self._session.roll(self._session.slots_to_keep(Keep.parse(_field(data, "dice"))))

    def _final(self, data: dict[str, Any]) -> None:
        self._session.enter(Roll.parse(_field(data, "dice")), last=True, saved=_field(data, "saved", 0))

    def _correct(self, data: dict[str, Any]) -> None:
        dice, box = _field(data, "dice", ""), _field(data, "box", "")
        saved = _field(data, "saved", -1)
        turn = _field(data, "turn") - 1
        self._session.correct(turn, Roll.parse(dice) if dice else None, box or None, None if saved < 0 else saved)

    def _hint(self) -> dict[str, Any]:
        """Return a hint in the form of `fivedice hint --json`."""
        found = ask_coach(self._session)
        options = []
        for each in found.choices:
            choice = {"box": each.box} if each.keep is None else {"keep": str(each.keep)}
            options.append({**choice, "value": each.value, "loss": each.cost})
        return {"options": options, "sentence": " ".join(filter(None, [found.sentence, found.beside]))}

    def _answer(self, more: dict[str, Any], error: FivediceError | None = None) -> bool:
        """Print an answer. Return whether it has no error, including errors of bots."""
        moves: list[str] = []
        try:
            moves.extend(() if error else self._play_bots())
        except FivediceError as stopped:  # a bot whose packages are not installed
            error = stopped
        table = asdict(position_for(self._session.state, TERMINAL))
        wrong = {} if error is None else {"error": {"kind": error.message.kind, "message": str(error)}}
        answer = {"ok": error is None, **wrong, **more, "moves": moves, "table": table}
        print(json.dumps(answer, ensure_ascii=False, separators=(",", ":")), file=self._out, flush=True)
        return error is None

    def _play_bots(self) -> Iterator[str]:
        """Play the bots until a person is on turn, and describe each of their moves."""
        while self._session.state.phase is Phase.PLAYING and self._session.bot_is_next:
            self._session.bot_move()
            yield last_event(self._session.state)


def _parse_object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise MalformedError("terminal.json-object", text=quote(line.strip()), example='{"do": "roll"}')
    return data


def _field(data: dict[str, Any], name: str, default: Any = None) -> Any:
    """Return a field. Raise MalformedError if it has the wrong type."""
    value = data.get(name, default)
    if type(value) is not _KINDS.get(name, str):
        raise MalformedError("terminal.json-field", field=quote(name), given=quote(json.dumps(data)))
    return value


def _require_only(data: dict[str, Any], *names: str) -> None:
    """Raise MalformedError for other fields: dice that are given where the game rolls them are a mistake."""
    more = next((name for name in data if name not in names), None)
    if more is not None:
        raise MalformedError("terminal.json-more", field=quote(more))
