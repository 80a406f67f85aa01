"""The game line by line, with no screen control: for screen readers, pipes and scripts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError
from fivedice.table.state import Phase
from fivedice.table.view.announcements import announcement, headline
from fivedice.tui.game_lines import about_roll, to_beat
from fivedice.tui.lines.plain_coach import PlainCoach
from fivedice.tui.lines.plain_pages import HELP, PAD_HELP, card_lines, forgiving, worth_lines, written_lines
from fivedice.tui.own_store import TERMINAL
from fivedice.tui.session import Session
from fivedice.words import word

SAVED = "Saved. Go on with: fivedice play --plain --resume"


class PlainTable:
    """Reads a line, answers in lines."""

    def __init__(
        self, session: Session, source: TextIO | None = None, out: TextIO | None = None, *, training: int = 0
    ) -> None:
        self._session = session
        self._coach = PlainCoach(session, self._say, training)
        self._source = source or forgiving(sys.stdin)
        self._out = out or forgiving(sys.stdout)
        self._zero_asked: str | None = None
        self._words: dict[str, Callable[[str], None]] = {
            "roll": self._roll,
            "r": self._roll,
            "keep": self._keep,
            "k": self._keep,
            "score": self._score,
            "s": self._score,
            "final": self._final,
            "f": self._final,
            "withdraw": self._withdraw,
            "w": self._withdraw,
            "written": self._written,
            "correct": self._correct,
            "sheet": self._sheet,
            "undo": self._undo,
            "u": self._undo,
            "hint": self._coach.hint,
            "h": self._coach.hint,
            "odds": self._coach.odds,
            "o": self._coach.odds,
            "training": self._coach.train,
            "record": self._record,
            "help": self._help,
            "?": self._help,
        }

    def play(self) -> None:
        """Until the game ends, the reader says quit, or there is nothing more to read."""
        state = self._session.state
        self._say(f"{state.book.name}. Say help for the words you can use.")
        self._start()
        try:
            finished = self._to_the_end()
        except KeyboardInterrupt:
            self._say("")
            self._say(SAVED)
            raise
        if finished:
            self._end()
        else:
            self._say(SAVED)

    def _to_the_end(self) -> bool:
        """Whether the game was played to its end."""
        while self._session.state.phase is Phase.PLAYING:
            if self._session.house_is_next:
                self._session.house_move()
                self._say(announcement(self._session.state, TERMINAL))
            elif not self._answer():
                return False
        return True

    def _start(self) -> None:
        game = self._session.game
        if game.roll_off is not None and not game.steps:
            for group in game.roll_off.rounds:
                for seat, roll in group:
                    self._say(f"Roll-off: {game.players[seat]} rolled {roll}, total {roll.total}.")
        if not game.steps and len(game.players) > 1:
            self._say(word("table.starts", who=self._session.state.who(game.first, TERMINAL)))
        if game.steps:
            self._say(announcement(self._session.state, TERMINAL))
        if to_beat(self._session):
            self._say(to_beat(self._session))

    def _answer(self) -> bool:
        """Ask for a line and do it; False when the game is to be left."""
        self._say(self._prompt())
        line = self._source.readline()
        word, _, rest = line.strip().partition(" ")
        if not line or word.lower() in {"quit", "q"}:
            return False
        if not word:
            return True
        try:
            self._words.get(word.lower(), self._unknown)(rest.strip())
        except FivediceError as error:
            self._say(f"No: {error}")
        return True

    def _unknown(self, _: str) -> None:
        raise FivediceError("I do not know that word. Say help for the words you can use.")

    def _prompt(self) -> str:
        state = self._session.state
        turn = headline(state, TERMINAL)
        if not state.slots:
            return f"{turn}. What fell?" if state.real_dice else f"{turn}. Roll?"
        left = self._session.game.position.rolls_left
        dice = " ".join(map(str, state.slots))
        rolls = f"{left} {'roll' if left == 1 else 'rolls'} left"
        return f"{turn}. Dice {dice}. {rolls}. {'Keep or score?' if left else 'Score which box?'}"

    def _roll(self, fell: str) -> None:
        self._throw((), fell)

    def _keep(self, words: str) -> None:
        keep, _, fell = words.partition(" ")
        if not self._session.state.real_dice:
            keep, fell = words.replace(" ", ""), ""
        self._throw(self._session.slots_to_hold(Keep.parse(keep or "-")), fell)

    def _throw(self, held: tuple[int, ...], fell: str) -> None:
        """The table throws, or a person says what fell."""
        if self._session.state.real_dice:
            self._session.enter(Roll.parse(fell), held)
        elif self._coach.cautioned(Keep(tuple(self._session.state.slots[slot] for slot in held))):
            return
        else:
            self._session.roll(held)
        self._tell_roll()

    def _final(self, fell: str) -> None:
        self._session.enter(Roll.parse(fell), last=True)
        self._tell_roll()

    def _withdraw(self, _: str) -> None:
        self._session.withdraw()
        self._say(announcement(self._session.state, TERMINAL))

    def _written(self, _: str) -> None:
        for line in written_lines(self._session.state):
            self._say(line)

    def _correct(self, words: str) -> None:
        """`correct 3 24446 fours`: the number of the turn, its dice, its box."""
        number, dice, box = (*words.split(maxsplit=2), "", "", "")[:3]
        if not number.isdecimal() or not dice:
            raise FivediceError("Say the turn and what it should have been: correct 3 24446, or correct 3 - fours.")
        self._session.correct(int(number) - 1, None if dice == "-" else Roll.parse(dice), box or None)
        self._say(announcement(self._session.state, TERMINAL))

    def _tell_roll(self) -> None:
        self._say(announcement(self._session.state, TERMINAL))
        position = self._session.game.position
        for line in filter(None, about_roll(position.ruling()).split("\n")):
            self._say(line)

    def _score(self, box: str) -> None:
        if not box:
            self._worth()
            return
        if self._coach.cautioned(self._session.state.book.box(box).key):
            self._zero_asked = box  # one question is enough
            return
        if self._zero_asked != box and self._session.is_avoidable_zero(box):
            self._zero_asked = box
            self._say("That writes a zero, and another box would score. Say it again to write the zero.")
            return
        self._zero_asked = None
        self._session.score(box)
        self._say(announcement(self._session.state, TERMINAL))

    def _worth(self) -> None:
        if not self._session.state.slots:
            raise FivediceError("Roll first: there is nothing to score yet.")
        for line in worth_lines(self._session.game.position.ruling()):
            self._say(line)

    def _undo(self, _: str) -> None:
        self._session.undo()
        self._say(announcement(self._session.state, TERMINAL))

    def _record(self, _: str) -> None:
        self._say(self._session.record.rstrip())

    def _help(self, _: str) -> None:
        self._say(HELP)
        if self._session.state.real_dice:
            self._say(PAD_HELP)

    def _sheet(self, _: str) -> None:
        for line in card_lines(self._session.game):
            self._say(line)

    def _end(self) -> None:
        self._sheet("")
        self._say(f"{headline(self._session.state, TERMINAL)}.")
        self._say("")
        self._record("")

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)
