"""`fivedice train`: decisions to practise, at one's own level; the ten decisions of a day are asked like them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Literal, TypeAlias

from rich.console import Console

from fivedice.cli.output import BookName, console
from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import DEFAULT, RuleBook, book as find_book
from fivedice.errors import FivediceError
from fivedice.positions.bank import TEN, choose_ten
from fivedice.positions.judging import Judgement, check_answer, describe_standing, judge_answer, read_move, write_move
from fivedice.positions.lessons import Lessons
from fivedice.positions.trainer import MISTAKES, Trainee, summarize
from fivedice.text import name_of, word
from fivedice.text.squares import result_text

if TYPE_CHECKING:
    from fivedice.solver import Solution
    from fivedice.table.service import Tables


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


ThemeName = Literal[
    "all", "mistakes", "bonus", "straights", "full-house", "jokers", "chance", "last-boxes", "sets", "win"
]
MOST_GAMES = 10  # the newest, in which mistakes are looked for


def train(book: BookName = DEFAULT, /, *, theme: ThemeName = "all") -> int:
    """Practise decisions at your level: decide, and see what it cost and why.

    Examples: `fivedice train`, `fivedice train yatzy --theme bonus`, `fivedice train --theme mistakes`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`, or the path of a .toml file.
    theme
        Only decisions of one theme, or `mistakes`: those of your own finished games in this terminal. In `win`, the
        best odds to win against another player count, not points.
    """
    from fivedice.terminal.session import TERMINAL, open_tables, storing

    tables, out, wanted = open_tables(), console(), "" if theme == "all" else theme
    lessons = Lessons(tables.store.decisions, find_book, solution_of)
    with closing(tables.store):
        mistakes = list(_mistakes(tables, find_book(book).key)) if wanted == MISTAKES else []
        while True:
            with storing():
                trainee = lessons.ask(TERMINAL, str(book), wanted, mistakes)
            if not _decide(out, lessons, trainee):
                break
        last = summarize(lessons.look(TERMINAL))
        if last.count:
            figures = {"best": last.best, "lost": round(last.lost, 1), "hints": last.hints}
            out.print(word("coach.train-terminal-summary", count=last.count, **figures))
            if last.odds:
                out.print(str(last.odds))
        return 0


def _decide(out: Console, lessons: Lessons, trainee: Trainee) -> bool:
    """Ask one decision. Return whether the player wants the next one."""
    from fivedice.terminal.session import TERMINAL, storing

    if trainee.asked is None:
        return False
    position = lessons.position_of(trainee.asked)
    move = ask(out, position, word("coach.train-terminal-help"))
    while move == "hint":
        with storing():
            _, why = lessons.hint(TERMINAL)
        out.print(word("coach.train-hint", why=why), markup=False)
        move = read_answer(out, position)
    if isinstance(move, str):
        return False
    with storing():
        after, judged = lessons.answer(TERMINAL, move)
    print_answer(out, judged)
    rating = after.rating
    out.print(word("coach.train-terminal-rating", rating=round(rating.value), deviation=round(rating.deviation)))
    out.print()
    return True


def _mistakes(tables: Tables, key: str) -> Iterator[tuple[str, str]]:
    """Yield the mistakes in the newest games of this terminal, game by game."""
    from fivedice.reports.statistics import facts_of
    from fivedice.terminal.session import TERMINAL, games, storing

    with storing():
        entries = [entry for entry in games(tables) if entry.book == key][:MOST_GAMES]
        for state in (tables.state(entry.id) for entry in entries):
            seats = [number for number, seat in enumerate(state.seats) if seat.player == TERMINAL and not seat.helped]
            for played in state.finished_games:
                for seat in seats:
                    judged = facts_of(played.game, seat, solution_of(state.book)).judged
                    yield from ((key, text) for text, _ in (() if judged is None else judged.mistakes))
