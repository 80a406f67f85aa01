"""A game line by line, without screen control: for screen readers and pipes, and as JSON for scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from fivedice.core.dice import Keep, Roll
from fivedice.errors import FivediceError, MalformedError, quote
from fivedice.message import Message, message
from fivedice.table.state import Phase
from fivedice.table.view.table_view import position_for
from fivedice.terminal.game_lines import ask_coach, expectations, headline, last_event, rolls_left, starts, to_beat
from fivedice.terminal.plain_commands import PlainCommands, replace_unknown_letters
from fivedice.terminal.session import TERMINAL, Session
from fivedice.text import word


class PlainTable:
    """Reads lines and answers in lines."""

    def __init__(
        self, session: Session, source: TextIO | None = None, out: TextIO | None = None, *, training: int = 0
    ) -> None:
        self._session = session
        self._commands = PlainCommands(session, self._say, training)
        self._source = source or replace_unknown_letters(sys.stdin)
        self._out = out or replace_unknown_letters(sys.stdout)
        self._refused = False

    def play(self) -> bool:
        """Play until the game ends, the reader quits, or the input ends.

        Return whether every command succeeded. At a terminal it is always true, since people see what was refused.
        """
        self._say(word("terminal.welcome", rules=self._session.state.book, command="help"))
        self._start()
        try:
            finished = self._play_to_end()
        except KeyboardInterrupt:
            self._say("")
            self._say_saved()
            raise
        if finished:
            self._end()
        else:
            self._say_saved()
        return self._source.isatty() or not self._refused

    def _play_to_end(self) -> bool:
        """Play the game. Return whether it was played to its end."""
        while self._session.state.phase is Phase.PLAYING:
            if not (self._move_bot() if self._session.bot_is_next else self._answer()):
                return False
        return True

    def _move_bot(self) -> bool:
        """Make a move of the bot. Return False if it cannot play, for instance without its packages."""
        try:
            thought = self._session.choose_bot_move()
        except FivediceError as error:
            self._refused = True
            self._say(str(error))
            return False
        self._session.bot_move(thought)
        self._say(last_event(self._session.state))
        return True

    def _start(self) -> None:
        game, state = self._session.game, self._session.state
        if game.steps:
            self._say(last_event(state))
        elif len(game.players) > 1:
            for seat, roll in () if game.roll_off is None else (each for one in game.roll_off.rounds for each in one):
                who = state.who(seat, TERMINAL)
                self._say(word("terminal.roll-off-rolled", who=who, dice=roll, total=roll.total))
            self._say(starts(state, game.first))
        if to_beat(self._session):
            self._say(to_beat(self._session))

    def _answer(self) -> bool:
        """Ask for a line and run it. Return False to leave the game."""
        self._say(str(self._prompt()))
        line = self._source.readline()
        typed, _, rest = line.strip().partition(" ")
        if not line or typed.lower() in {"quit", "q"}:
            return False
        try:
            if typed:
                self._commands.run(typed, rest.strip())
        except FivediceError as error:
            self._refused = True
            self._say(word("terminal.no", error=str(error)))
        return True

    def _prompt(self) -> Message:
        state = self._session.state
        position = self._session.game.position
        turn, left, saved = headline(state), rolls_left(state), position.card.saved
        if not state.slots:
            kind = f"terminal.ask-{'dice' if state.real_dice else 'roll'}{'-saved' if saved else ''}"
            return message(kind, turn=turn, count=position.rolls_in_turn, saved=saved)
        if position.rolls_left > left:
            return message("terminal.ask-box-saved", turn=turn, dice=Roll(state.slots), count=position.rolls_left)
        kind = "terminal.ask-keep" if left else "terminal.ask-box"
        return message(kind, turn=turn, dice=Roll(state.slots), count=left)

    def _end(self) -> None:
        self._commands.do_sheet("")
        self._say(word("terminal.over", result=headline(self._session.state)))
        self._say("")
        self._commands.do_record("")

    def _say_saved(self) -> None:
        self._say(word("terminal.saved", command="fivedice play --plain --resume"))  # no sentence

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)


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
