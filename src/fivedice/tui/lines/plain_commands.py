"""What the commands of a plain game do. Their names, and what help says of them, are in `plain_pages`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fivedice.dice import Keep, Roll
from fivedice.errors import FivediceError
from fivedice.tui.game_lines import about_roll, happened
from fivedice.tui.lines.plain_coach import PlainCoach
from fivedice.tui.lines.plain_pages import COMMANDS, PAD_COMMANDS, card_lines, help_lines, score_lines, turn_lines
from fivedice.tui.session import Session
from fivedice.words import word


class PlainCommands(PlainCoach):
    """Does what was typed; a command that cannot be done raises."""

    def __init__(self, session: Session, say: Callable[[str], None], training: int) -> None:
        super().__init__(session, say, training)
        self._zero_asked: str | None = None
        known = {typed: name for name, (short, *_) in (COMMANDS | PAD_COMMANDS).items() for typed in (name, short)}
        self._known = {typed: getattr(self, f"do_{name}", None) for typed, name in known.items() if typed}

    def run(self, typed: str, rest: str) -> None:
        command = self._known.get(typed.lower())
        if command is None:
            raise FivediceError("terminal.unknown-word", command="help")
        command(rest)

    def do_roll(self, dice: str) -> None:
        self._roll((), dice)

    def do_keep(self, typed: str) -> None:
        keep, _, dice = typed.partition(" ")
        if not self._session.state.real_dice:
            keep, dice = typed.replace(" ", ""), ""
        self._roll(self._session.slots_to_keep(Keep.parse(keep or "-")), dice)

    def _roll(self, kept: tuple[int, ...], dice: str) -> None:
        """The game rolls, or a person enters what they rolled."""
        if self._session.state.real_dice:
            self._session.enter(Roll.parse(dice), kept)
        elif self._cautioned(Keep(tuple(self._session.state.slots[slot] for slot in kept))):
            return
        else:
            self._session.roll(kept)
        self._tell_roll()

    def do_final(self, dice: str) -> None:
        self._session.enter(Roll.parse(dice), last=True)
        self._tell_roll()

    def _tell_roll(self) -> None:
        self._tell()
        self._say_all(about_roll(self._session.game.position.ruling()))

    def do_score(self, box: str) -> None:
        if not box:
            self._list_scores()
            return
        found = self._session.state.book.box(box)
        if self._cautioned(found.key):
            self._zero_asked = found.key  # one question is enough
        elif self._zero_asked != found.key and self._session.is_avoidable_zero(found.key):
            self._zero_asked = found.key
            self._say(word("terminal.zero-again", box=found))
        else:
            self._zero_asked = None
            self._session.score(found.key)
            self._tell()

    def _list_scores(self) -> None:
        if not self._session.state.slots:
            raise FivediceError("terminal.nothing-to-score")
        self._say_all(score_lines(self._session.game.position.ruling()))

    def do_withdraw(self, _: str) -> None:
        self._session.withdraw()
        self._tell()

    def do_written(self, _: str) -> None:
        self._say_all(turn_lines(self._session.state))

    def do_correct(self, typed: str) -> None:
        """`correct 3 24446 fours`: the number of the turn, its dice, its box."""
        number, dice, box = (*typed.split(maxsplit=2), "", "", "")[:3]
        if not number.isdecimal() or not dice:
            raise FivediceError("terminal.correct-how", dice="correct 3 24446", box="correct 3 - fours")
        self._session.correct(int(number) - 1, None if dice == "-" else Roll.parse(dice), box or None)
        self._tell()

    def do_undo(self, _: str) -> None:
        self._session.undo()
        self._tell()

    def do_record(self, _: str) -> None:
        self._say(self._session.record.rstrip())

    def do_help(self, _: str) -> None:
        self._say_all(help_lines(pad=self._session.state.real_dice))

    def do_sheet(self, _: str) -> None:
        self._say_all(card_lines(self._session.state))

    def _tell(self) -> None:
        self._say(happened(self._session.state))

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)
