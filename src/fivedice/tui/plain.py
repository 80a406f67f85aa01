"""The game line by line, with no screen control: for screen readers, pipes and scripts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError
from fivedice.game import LineKind, sheet_lines
from fivedice.game.pace import bonus_pace
from fivedice.notation import write_game
from fivedice.table.speech import announcement, headline
from fivedice.table.state import Phase
from fivedice.tui.session import Session

HELP = """You can say:
  roll           roll all dice (r)
  keep 44        hold these faces and roll the others (k); keep - rolls all again
  roll 24466     with real dice: say what fell; keep 44 146 says what was held and what fell then
  score fours    fill a box, by key, code or name (s); score lists what the dice are worth
  sheet          read the sheet
  undo           take the last score back (u)
  hint           the best few things to do (h)
  record         the game so far in notation
  quit           stop; the game is saved (q)"""


class PlainTable:
    """Reads a line, answers in lines."""

    def __init__(self, session: Session, source: TextIO = sys.stdin, out: TextIO = sys.stdout) -> None:
        self._session = session
        self._source = source
        self._out = out
        self._zero_asked: str | None = None
        self._words: dict[str, Callable[[str], None]] = {
            "roll": self._roll,
            "r": self._roll,
            "keep": self._keep,
            "k": self._keep,
            "score": self._score,
            "s": self._score,
            "sheet": self._sheet,
            "undo": self._undo,
            "u": self._undo,
            "hint": self._hint,
            "h": self._hint,
            "record": self._record,
            "help": self._help,
            "?": self._help,
        }

    def play(self) -> None:
        """Until the game ends, the reader says quit, or there is nothing more to read."""
        state = self._session.state
        self._say(f"{state.book.name}. Say help for the words you can use.")
        self._start()
        while self._session.state.phase is Phase.PLAYING:
            if self._session.house_is_next:
                self._session.house_move()
                self._say(announcement(self._session.state))
            elif not self._answer():
                self._say(f"Saved. Go on with: fivedice play --plain --game {self._session.id}")
                return
        self._end()

    def _start(self) -> None:
        game = self._session.game
        if game.roll_off is not None and not game.steps:
            for group in game.roll_off.rounds:
                for seat, roll in group:
                    self._say(f"Roll-off: {game.players[seat]} rolled {roll}, total {roll.total}.")
        if not game.steps and len(game.players) > 1:
            self._say(f"{game.players[game.first]} starts.")
        best = self._session.best
        if best is not None:
            self._say(f"The score to beat: {best}.")

    def _answer(self) -> bool:
        """Ask for a line and do it; False when the game is to be left."""
        self._say(self._prompt())
        line = self._source.readline()
        word, _, rest = line.strip().partition(" ")
        if not line or word in {"quit", "q"}:
            return False
        try:
            self._words.get(word.lower(), self._unknown)(rest.strip())
        except FivediceError as error:
            self._say(f"No: {error}")
        return True

    def _unknown(self, _: str) -> None:
        raise FivediceError("I do not know that word. Say help for the words you can use.")

    def _prompt(self) -> str:
        state = self._session.state
        turn = headline(state, ()) if len(state.seats) > 1 else "Your turn"
        if not state.slots:
            return f"{turn}. What fell?" if state.real_dice else f"{turn}. Roll?"
        left = self._session.game.position.rolls_left
        dice = " ".join(map(str, state.slots))
        return f"{turn}. Dice {dice}. {left} {'roll' if left == 1 else 'rolls'} left. Keep or score?"

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
        else:
            self._session.roll(held)
        self._say(announcement(self._session.state))

    def _score(self, box: str) -> None:
        if not box:
            self._worth()
            return
        if self._zero_asked != box and self._session.is_avoidable_zero(box):
            self._zero_asked = box
            self._say("That writes a zero, and another box would score. Say it again to write the zero.")
            return
        self._zero_asked = None
        self._session.score(box)
        self._say(announcement(self._session.state))

    def _worth(self) -> None:
        """Every legal box with its points, and why the others are closed."""
        ruling = self._session.game.position.ruling()
        book = self._session.state.book
        for key, entry in ruling.legal.items():
            extra = f" and {entry.bonus} extra" if entry.bonus else ""
            self._say(
                f"{book.box(key).name} ({book.box(key).code}): {entry.points}{extra}{', joker' if entry.joker else ''}"
            )
        for reason in dict.fromkeys(ruling.closed.values()):
            self._say(f"Closed. {reason}")

    def _undo(self, _: str) -> None:
        self._session.undo()
        self._say(announcement(self._session.state))

    def _hint(self, _: str) -> None:
        from fivedice.tui.hints import hints

        for line in hints(self._session):
            self._say(line)

    def _record(self, _: str) -> None:
        self._say(write_game(self._session.game).rstrip())

    def _help(self, _: str) -> None:
        self._say(HELP)

    def _sheet(self, _: str) -> None:
        for line in self._sheet_lines():
            self._say(line)

    def _sheet_lines(self) -> Iterator[str]:
        """A player after the other, which is easier to listen to than a table."""
        game = self._session.game
        for player, card in zip(game.players, game.position.cards, strict=True):
            pace = bonus_pace(card)
            yield f"{player}: total {card.total}{f', upper bonus {pace}' if pace is not None else ''}."
            for line in sheet_lines(card):
                if line.kind is not LineKind.HEADING:
                    yield f"  {line.label}: {'open' if line.value is None else line.value}"

    def _end(self) -> None:
        self._sheet("")
        self._say(f"{headline(self._session.state, ())}.")
        self._say("")
        self._record("")

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)
