"""A game line by line, without screen control: for screen readers, pipes and scripts."""

from __future__ import annotations

import sys
from typing import TextIO

from fivedice.core.dice import Roll
from fivedice.errors import FivediceError
from fivedice.message import Message, message
from fivedice.table.state import Phase
from fivedice.terminal.game_lines import headline, last_event, rolls_left, starts, to_beat
from fivedice.terminal.lines.plain_commands import PlainCommands, replace_unknown_letters
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
