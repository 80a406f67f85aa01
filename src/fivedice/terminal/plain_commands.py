"""The commands of a plain game, what each does, and the lines that answer it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from typing import TextIO

from fivedice.coaching.training import parse_limit
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import LineKind, Ruling, SheetLine
from fivedice.core.game.card import bonus_pace
from fivedice.core.rules import Box, RuleBook
from fivedice.errors import FivediceError, IllegalError, quote
from fivedice.solver.runtime.compile_watch import watching
from fivedice.table.state import TableState
from fivedice.terminal.game_lines import (
    Aiming,
    Training,
    about_roll,
    columns,
    expectations,
    hints,
    last_event,
    name,
    turn_lines,
)
from fivedice.terminal.session import Session, final_dice
from fivedice.text import name_of, word

# Each command with its short form, an example if it takes more words, and the values in its help text.
COMMANDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "roll": ("r", "", {}),
    "keep": ("k", "keep 44", {"none": "keep -"}),
    "score": ("s", "score fours", {}),  # no sentence
    "sheet": ("", "", {}),
    "undo": ("u", "", {}),
    "hint": ("h", "", {}),
    "odds": ("o", "", {}),
    "aim": ("", "aim win", {"points": "aim points", "target": "aim 275", "auto": "aim auto"}),  # no sentence
    "training": ("", "training 3", {"off": "training off"}),  # no sentence
    "record": ("", "", {}),
    "help": ("?", "", {}),
    "quit": ("q", "", {}),
}
PAD_COMMANDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "roll-real": ("", "roll 24466", {"keep": "keep 44 146"}),
    "final": ("f", "final 14444", {}),
    "withdraw": ("w", "", {}),
    "written": ("", "", {}),
    "correct": ("", "correct 3 24446 fours", {"box": "correct 3 - fours"}),
}


def help_lines(*, pad: bool) -> Iterator[str]:
    yield word("terminal.commands")
    yield from _help_rows(COMMANDS)
    if pad:
        yield word("terminal.commands-pad")
        yield from _help_rows(PAD_COMMANDS)


def _help_rows(commands: dict[str, tuple[str, str, dict[str, str]]]) -> Iterator[str]:
    for command, (short, example, others) in commands.items():
        yield f"  {example or command:<14} {word(f'terminal.command.{command}', short=short, **others)}"


def score_lines(ruling: Ruling) -> Iterator[str]:
    """Yield every legal box with its points, and why the others are closed."""
    book = ruling.card.book
    for key, entry in ruling.legal.items():
        yield box_line(book.box(key), entry.points, entry.bonus, joker=entry.joker)
    for reason in dict.fromkeys(ruling.closed.values()):
        yield word("terminal.closed", reason=reason)


def read_box(book: RuleBook, typed: str) -> Box:
    """Return a box by its name in the reader's language, or by key, code or the book's own name.

    Raise IllegalError with the names of the boxes if there is none.
    """
    wanted = typed.strip().casefold()
    found = next((box for box in book.boxes if name_of(box).casefold() == wanted), None)
    try:
        return found or book.box(typed)
    except IllegalError as error:
        raise IllegalError("rules.unknown-box", book=book, box=quote(typed), known=book.boxes) from error


def box_line(box: Box, points: int, bonus: int, *, joker: bool) -> str:
    """Return what the dice score in a box."""
    kind = f"terminal.scores{'-bonus' if bonus else ''}{'-joker' if joker else ''}"
    return word(kind, box=box, code=box.code, points=points, bonus=bonus)


def sheet_rows(lines: Iterable[SheetLine]) -> Iterator[str]:
    """Yield every line of a score sheet with its points, without headings."""
    for line in lines:
        if line.kind is not LineKind.HEADING:
            kind = "terminal.line-open" if line.value is None else "terminal.line"
            yield f"  {word(kind, line=line, points=line.value)}"


def card_lines(state: TableState) -> Iterator[str]:
    """Yield one player after the other, which is easier to listen to than a table."""
    cards = () if state.game is None else state.game.position.cards
    for seat, (card, lines) in enumerate(zip(cards, columns(state), strict=True)):
        pace = bonus_pace(card)
        kind = "terminal.total" if pace is None else "terminal.total-pace"
        yield word(kind, name=name(state, seat), total=card.total, pace=pace)
        yield from sheet_rows(lines)


def replace_unknown_letters(stream: TextIO) -> TextIO:
    """Let a stream show a question mark for letters that its encoding does not have, instead of failing."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


class PlainCommands:
    """Runs the commands that are typed. Raises FivediceError for a command that cannot be done."""

    def __init__(self, session: Session, say: Callable[[str], None], training: int) -> None:
        self._session = session
        self._say = say
        self._training = Training(training)
        self._aiming = Aiming()
        self._zero_asked: str | None = None
        known = {typed: name for name, (short, *_) in (COMMANDS | PAD_COMMANDS).items() for typed in (name, short)}
        self._known = {typed: getattr(self, f"do_{name}", None) for typed, name in known.items() if typed}

    def run(self, typed: str, rest: str) -> None:
        command = self._known.get(typed.lower())
        if command is None:
            raise FivediceError("terminal.unknown-word", command="help")
        command(rest)

    def do_roll(self, dice: str) -> None:
        """Roll all dice, or enter real ones. Raises if dice are given where the game rolls them."""
        if dice and not self._session.state.real_dice:
            raise FivediceError("terminal.roll-alone", roll="roll", keep="keep 44", pad="--pad")  # no sentence
        self._roll((), dice)

    def do_keep(self, typed: str) -> None:
        if not typed:
            raise FivediceError("terminal.keep-which", keep="keep 44", none="keep -")
        keep, _, dice = typed.partition(" ")
        if not self._session.state.real_dice:
            keep, dice = typed.replace(" ", ""), ""
        self._roll(self._session.slots_to_keep(Keep.parse(keep)), dice)

    def _roll(self, kept: tuple[int, ...], dice: str) -> None:
        """Let the game roll, or enter the dice that a person rolled."""
        if self._session.state.real_dice:
            self._session.enter(Roll.parse(dice), kept)
        elif self._warn(Keep(tuple(self._session.state.slots[slot] for slot in kept))):
            return
        else:
            self._session.roll(kept)
        self._tell_roll()

    def do_final(self, typed: str) -> None:
        dice, saved = final_dice(typed)
        self._session.enter(Roll.parse(dice), last=True, saved=saved or 0)
        self._tell_roll()

    def _tell_roll(self) -> None:
        self._tell()
        self._say_all(about_roll(self._session.game.position.ruling()))

    def do_score(self, box: str) -> None:
        if not box:
            if not self._session.state.slots:
                raise FivediceError("terminal.nothing-to-score")
            self._say_all(score_lines(self._session.game.position.ruling()))
            return
        found = read_box(self._session.state.book, box)
        if self._warn(found.key):
            self._zero_asked = found.key  # one question is enough
        elif self._zero_asked != found.key and self._session.is_avoidable_zero(found.key):
            self._zero_asked = found.key
            self._say(word("terminal.zero-again", box=found))
        else:
            self._zero_asked = None
            self._session.score(found.key)
            self._tell()

    def do_withdraw(self, _: str) -> None:
        self._session.withdraw()
        self._tell()

    def do_written(self, _: str) -> None:
        self._say_all(turn_lines(self._session.state))

    def do_correct(self, typed: str) -> None:
        """Correct a turn: `correct 3 24446 fours` has the number of the turn, its dice and its box."""
        number, dice, box = (*typed.split(maxsplit=2), "", "", "")[:3]
        if not number.isdecimal() or not dice:
            raise FivediceError("terminal.correct-how", dice="correct 3 24446", box="correct 3 - fours")
        dice, saved = final_dice(dice)
        found = read_box(self._session.state.book, box).key if box else None
        self._session.correct(int(number) - 1, None if dice == "-" else Roll.parse(dice), found, saved)
        self._tell()

    def do_undo(self, _: str) -> None:
        self._session.undo()
        self._tell()

    def do_hint(self, _: str) -> None:
        with watching(self._compiles):
            found = hints(self._session, goal=self._aiming.goal)
        self._say_all(" ".join(line.split()) for line in found.full)

    def do_odds(self, _: str) -> None:
        with watching(self._compiles):
            found = expectations(self._session)
        self._say_all(found)

    def _compiles(self, begun: bool) -> None:
        """Say why it takes long, but only at a terminal: a script only wants its answers."""
        if begun and sys.stdout.isatty():
            self._say(word("solver.compiling"))

    def do_aim(self, typed: str) -> None:
        self._say(self._aiming.choose(typed))

    def do_training(self, limit: str) -> None:
        self._training.limit = parse_limit(limit) if limit else self._training.limit
        self._say(self._training.words())

    def _warn(self, move: Keep | str) -> bool:
        """Return whether the coach warns about a move. It does not warn about the same move again."""
        said = self._training.caution(self._session.state, move, patient=True)
        if said:
            self._say(word("terminal.anyway-again", caution=said))
        return bool(said)

    def do_record(self, _: str) -> None:
        self._say(self._session.record.rstrip())

    def do_help(self, _: str) -> None:
        self._say_all(help_lines(pad=self._session.state.real_dice))

    def do_sheet(self, _: str) -> None:
        self._say_all(card_lines(self._session.state))

    def _tell(self) -> None:
        self._say(last_event(self._session.state))

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)
