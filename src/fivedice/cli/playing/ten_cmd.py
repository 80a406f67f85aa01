"""The ten decisions of a day in the terminal, and the question that the trainer asks too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Literal, TypeAlias

from rich.console import Console

from fivedice.cli.output import console
from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError
from fivedice.positions.choosing import TEN, choose_ten
from fivedice.positions.judging import Judgement, check_answer, describe_standing, judge_answer, read_move, write_move
from fivedice.text import name_of, word
from fivedice.text.squares import result_text

if TYPE_CHECKING:
    from fivedice.solver import Solution

Said: TypeAlias = Hold | Mark | Literal["hint", "end"]
_COLUMN = 34  # letters of half a sheet


def play_ten(day: date, book: RuleBook, seed: str, *, late: bool = False) -> int:
    """Ask the decisions of a day that have no answer yet, then print the result. Return an exit code."""
    from fivedice.terminal.session import TERMINAL, open_tables, storing

    tables, out, solution = open_tables(), console(), solution_of(book)
    store, positions = tables.store.decisions, choose_ten(book, day, seed)
    with closing(tables.store):
        with storing():
            result = store.ten_result(TERMINAL, str(day))
        if result is not None and result.finished:
            out.print(word("coach.train-terminal-played", day=str(day)))
        while result is None or not result.finished:
            number = 0 if result is None else result.answered
            position = positions[number].position
            out.print(word("coach.train-terminal-number", number=number + 1, count=TEN), style="bold")
            move = ask(out, position, word("coach.train-terminal-ten-help"))
            if move == "hint":  # there is none in the ten
                continue
            if isinstance(move, str):
                return 0
            judged = judge_answer(solution, position, move)
            with storing():
                result = store.answer_ten(TERMINAL, str(day), number, write_move(book, move), judged.lost, late=late)
            print_answer(out, judged)
        text = result_text(str(day), word("home.daily-ten"), result.lost, result.squares)
        out.print(text, markup=False, highlight=False)
        return 0


def solution_of(book: RuleBook) -> Solution:
    """Return the solution of a book. Raise FivediceError if that would take minutes."""
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known, solve

    found = known(book) if takes_long(book) else solve(book)
    if found is None:
        raise FivediceError("coach.train-not-solved", rules=book)
    return found


def ask(out: Console, position: Position, help_: str) -> Said:
    """Print a decision and return the answer of the player; `end` if they quit or the input ends."""
    for line in _sheet_lines(position):
        out.print(line, markup=False, highlight=False)
    for said in describe_standing(position):
        out.print(str(said), markup=False, highlight=False)
    dice = "-".join(map(str, position.dice.faces))
    out.print(word("coach.train-terminal-dice", dice=dice, count=position.rolls_left), style="bold")
    out.print(help_, style="dim", markup=False)
    return read_answer(out, position)


def read_answer(out: Console, position: Position) -> Said:
    """Return what the player types, once it is possible."""
    while True:
        try:
            typed = out.input("> ").strip()
        except EOFError:
            return "end"
        if typed in {"q", "h"}:
            return "end" if typed == "q" else "hint"
        try:
            move = parse_typed(position, typed)
            check_answer(position, move)
        except FivediceError as error:
            out.print(str(error), markup=False)
        else:
            return move


def parse_typed(position: Position, typed: str) -> Hold | Mark:
    """Return the move that was typed: dice to keep, a dash to roll all, or a box by code, key or name."""
    if typed.startswith((">", "=")):
        return read_move(position.book, typed)
    digits = typed.replace("-", "").replace(" ", "")
    if position.rolls_left and (typed == "-" or (digits.isdecimal() and digits.isascii())):
        keep = Keep.parse(digits or "-")
        if position.dice.contains(keep) or digits not in position.book.by_code:
            return Hold(keep)
    return Mark(position.book.box(typed[:40]).key)


def print_answer(out: Console, judged: Judgement) -> None:
    """Print what an answer cost, the best move, and why."""
    cost = judged.cost
    out.print(f"{cost}. {judged.headline}. {judged.why}" if judged.lost else f"{cost}! {judged.why}", markup=False)
    out.print()


def _sheet_lines(position: Position) -> Iterator[str]:
    """Yield the sheet in two columns; open boxes show in brackets what the dice score there."""
    card, legal = position.card, position.ruling().legal
    others = [other.marks for other in position.cards[1:]]
    cells, width = [], _COLUMN - 10 - 5 * len(others)
    for place, (box, held) in enumerate(zip(card.book.boxes, card.marks, strict=True)):
        entry = legal.get(box.key)
        shown = str(held) if held is not None else "x" if entry is None else f"[{entry.points + entry.bonus}]"
        theirs = "".join(f"{'·' if marks[place] is None else marks[place]:>5}" for marks in others)
        cells.append(f"{box.code} {name_of(box)[:width]:<{width}}{shown:>5}{theirs}")
    half = (len(cells) + 1) // 2
    yield word("coach.train-terminal-columns", rules=card.book) if others else name_of(card.book)
    for place in range(half):
        yield "   ".join(cells[place::half])
