"""`fivedice hint`: what to do with a roll; `fivedice chase`: the best chance of a total."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.output import BookName, console, print_json, read_sheet, table, tell
from fivedice.cli.solving import load_solution, show_progress
from fivedice.coaching.training import Goal, parse_goal
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Position
from fivedice.core.rules import RuleBook, book as find_book
from fivedice.errors import IllegalError, quote
from fivedice.text import word

if TYPE_CHECKING:
    from rich.table import Table

    from fivedice.coaching.hints import Choice, Coaching
    from fivedice.core.game import Scorecard
    from fivedice.solver import Advice
    from fivedice.solver.chase import Chase

_TOP = 10


def hint(
    book: BookName,
    dice: str,
    /,
    *,
    rolls_left: int,
    card: str = "-",
    aim: Annotated[str, Parameter(name="--for")] = "auto",
    against: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    top: int | None = None,
    json: bool = False,
) -> None:
    """Rank everything you can do with a roll, dice to keep and boxes to score, best first.

    Examples: `fivedice hint yahtzee 24466 --rolls-left 2`,
    `fivedice hint yatzy 33366 --rolls-left 0 --card 3s:9,fh:21`,
    `fivedice hint my-house.toml 11234 --rolls-left 1 --top 3 --json`,
    `fivedice hint yahtzee 24466 --rolls-left 2 --card 1s:3,2s:6,ch:22 --for 275`,
    `fivedice hint yatzy-forced 44126 --rolls-left 2 --for win --against=-`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    dice
        The dice as they lie, one digit per die, such as 24466.
    rolls_left
        How many times dice may still be thrown in this turn.
    card
        What is on the score sheet already, as code:points or key:points, such as `4s:12,yz:50,yb:100`.
    aim
        What you play for: points, win, or a total such as 275. Unless you say so, points; with others (see --against)
        the win from the moment it matters.
    against
        The score sheets of the others, each written like --card; `--against=-` is an empty one.
    top
        How many options to show; without it ten, and all of them in JSON.
    json
        Print JSON: `{"options": [{"keep" or "box", "value", "loss"}], "sentence", "for"}`, best first. Values are
        expected points; for a total the odds of it, and for the win the share of it.
    """
    if top is not None and top < 1:
        raise IllegalError("cli.top", top=top)
    rules, roll, goal = find_book(book), Roll.parse(dice), _goal(aim, against)
    sheet, others = read_sheet(card, rules), [read_sheet(each, rules) for each in against or ()]
    rules.check_roll(roll)  # before solving the book, which may take long
    position = Position((sheet, *others), 0, Keep(roll.faces), rolls_left)
    found = _ask_coach(position, roll, goal)
    why = " ".join(filter(None, [found.rule, found.sentence, found.details, found.beside]))
    if json:
        options = [option_json(each) for each in found.choices[:top]]
        print_json({"options": options, "sentence": why, "for": found.target or found.goal})
    else:
        _print(sheet, roll, rolls_left, found, top or _TOP)
        console().print(escape(why))


def _goal(aim: str, against: list[str] | None) -> Goal:
    goal = parse_goal(aim)
    if goal.kind == "beat":
        raise IllegalError("coach.which-aim", aim=quote(aim))
    if goal.kind == "win" and not against:
        raise IllegalError("cli.against-whom")
    return goal


_ALL = 10_000  # options: more than any roll has


def _ask_coach(position: Position, roll: Roll, goal: Goal) -> Coaching:
    """Return all choices for a goal. The chance of the upper bonus is included if its table is stored."""
    from fivedice.coaching.hints import coach, coach_to_reach
    from fivedice.coaching.win_hints import can_win, coach_with_others, stakes
    from fivedice.solver.bonus import known
    from fivedice.solver.solution import check_turn
    from fivedice.solver.win import MOST_LANES

    card, rules = position.card, position.book
    check_turn(card, roll, position.rolls_left)
    if goal.target is not None:
        return coach_to_reach(_solve_chase(card, goal.target), card, roll, position.rolls_left, goal.target, best=_ALL)
    if goal.kind == "win" and not can_win(position):
        raise IllegalError("solver.saves-rolls", rules=rules)
    solution = load_solution(rules)
    bonuses = known(solution)
    if goal.kind == "points" or not can_win(position):
        return coach(solution, card, roll, position.rolls_left, best=_ALL, bonuses=bonuses)
    with show_progress(word("cli.playing", rules=rules)) as progress:
        measured = stakes(position, solution, most=MOST_LANES, progress=progress)
    return coach_with_others(solution, position, goal, measured, best=_ALL, bonuses=bonuses)


def _solve_chase(card: Scorecard, target: int) -> Chase:
    from fivedice.solver.chase import chase as solve_chase
    from fivedice.solver.runtime.solve_limits import has_odds

    if not has_odds(card.book):
        raise IllegalError("coach.no-odds")
    with show_progress(word("cli.chasing", target=target)) as progress:
        return solve_chase(card.book, card=card, least=target, most=target, progress=progress)


def option_json(advice: Advice | Choice) -> dict[str, Any]:
    """Return a choice as JSON."""
    choice = {"box": advice.box} if advice.keep is None else {"keep": str(advice.keep)}
    return {**choice, "value": advice.value, "loss": advice.loss}


def _print(card: Scorecard, roll: Roll, rolls_left: int, hint: Coaching, top: int) -> None:
    worth, form = _COLUMNS[hint.goal]
    tell("cli.hint-title", rules=card.book, roll=roll, count=rolls_left, style="bold")
    console().print(options_table(hint.choices[:top], card, roll, worth=word(worth), form=form))
    if len(hint.choices) > top:
        tell("cli.more-options", count=len(hint.choices) - top, all=len(hint.choices))
    if hint.goal == "points":
        tell("cli.expected")


_COLUMNS = {
    "points": ("cli.column.expected", ".2f"),
    "target": ("cli.column.odds", ".2%"),
    "win": ("cli.column.wins", ".2%"),
}


def options_table(options: Sequence[Advice | Choice], card: Scorecard, roll: Roll, *, worth: str, form: str) -> Table:
    """Return a table of choices, best first, with the value and the loss of each. `form` formats both."""
    from fivedice.coaching.hint_messages import option

    shown = table(word("cli.column.do"), worth, word("cli.column.cost"), numbers=(1, 2))
    for each in options:
        loss = word("cli.best") if each.best else format(each.loss, form)
        style = "bold" if each.best else None
        shown.add_row(escape(str(option(card, roll, each.keep, each.box))), format(each.value, form), loss, style=style)
    return shown


def chase(
    book: BookName,
    /,
    *,
    target: int,
    card: str = "-",
    dice: str | None = None,
    rolls_left: int | None = None,
    json: bool = False,
) -> None:
    """Show the best chance of a final total of at least the target, and with dice the moves that keep it.

    A card late in the game is answered at once; from the empty card it takes about a minute.

    Examples: `fivedice chase yahtzee --target 250 --card 1s:3,2s:6,3s:9,4s:12,5s:15,6s:18,3k:22,4k:0,fh:25`,
    `fivedice chase yahtzee --target 220 --card 1s:3,2s:6,3s:9,4s:12,5s:15,6s:18,3k:22 --dice 24466 --rolls-left 2`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    target
        The total to reach, such as your best so far plus one.
    card
        What is on the score sheet already, as code:points or key:points, such as `4s:12,yz:50,yb:100`.
    dice
        The dice as they lie, one digit per die; without them the turn has not begun.
    rolls_left
        With dice: how many times they may still be thrown in this turn.
    json
        Print JSON: `{"target", "chance", "options": [{"keep" or "box", "value", "loss"}]}`, best first.
    """
    from fivedice.solver.runtime.solve_limits import has_odds

    rules = find_book(book)
    if not has_odds(rules):
        raise IllegalError("coach.no-odds")
    sheet, roll = read_sheet(card, rules), _roll(rules, dice, rolls_left)
    chance, options = _chase(sheet, target, roll, rolls_left)
    if json:
        print_json({"target": target, "chance": chance, "options": [option_json(each) for each in options]})
    else:
        _print_chase(sheet, target, chance, roll, options)


def _roll(book: RuleBook, dice: str | None, rolls_left: int | None) -> Roll | None:
    """Parse the dice. Raise an error for wrong ones before the chase, which may take long."""
    if (dice is None) != (rolls_left is None):
        raise IllegalError("cli.dice-and-rolls")
    if dice is None:
        return None
    roll = Roll.parse(dice)
    book.check_roll(roll)
    return roll


def _chase(card: Scorecard, target: int, roll: Roll | None, rolls_left: int | None) -> tuple[float, list[Advice]]:
    from fivedice.solver.solution import check_turn

    if roll is not None and rolls_left is not None:
        check_turn(card, roll, rolls_left)
    found = _solve_chase(card, target)
    if roll is None or rolls_left is None:
        return found.chance(card, target), []
    options = found.advise(card, roll, rolls_left, target)
    return options[0].value, options


def _print_chase(card: Scorecard, target: int, chance: float, roll: Roll | None, options: list[Advice]) -> None:
    tell("cli.chased", rules=card.book, target=target, odds=f"{chance:.4%}" if chance else "0%")
    if roll is None:
        return
    console().print(options_table(options[:_TOP], card, roll, worth=word("cli.column.odds"), form=".4%"))
    if len(options) > _TOP:
        tell("cli.more-options-json", count=len(options) - _TOP)
