"""`fivedice hint`: what to do with a roll; `fivedice chase`: can this total still be reached, and how?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape

from fivedice.cli.analysing.solving import shown_progress, solved
from fivedice.cli.choices import BookName
from fivedice.cli.output import console, print_json, read_sheet, table, tell
from fivedice.dice import Roll
from fivedice.errors import IllegalError
from fivedice.rules import RuleBook, book as find_book
from fivedice.words import word

if TYPE_CHECKING:
    from rich.table import Table

    from fivedice.game import Scorecard
    from fivedice.solver import Advice, Solution

_TOP = 10


def hint(
    book: BookName, dice: str, /, *, rolls_left: int, card: str = "-", top: int | None = None, json: bool = False
) -> None:
    """Rank everything you can do with a roll, dice to keep and boxes to score, best first.

    Examples: `fivedice hint yahtzee 24466 --rolls-left 2`,
    `fivedice hint yatzy 33366 --rolls-left 0 --card 3s:9,fh:21`,
    `fivedice hint my-house.toml 11234 --rolls-left 1 --top 3 --json`.

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
    top
        How many options to show; without it ten, and all of them in JSON.
    json
        Print JSON: `{"options": [{"keep" or "box", "value", "loss"}], "sentence"}`, best first.
    """
    if top is not None and top < 1:
        raise IllegalError("cli.top", top=top)
    rules, roll = find_book(book), Roll.parse(dice)
    sheet = read_sheet(card, rules)
    rules.check_roll(roll)  # before the book is solved, which may take long
    solution = solved(rules)
    advice, why = solution.advise(sheet, roll, rolls_left), _why(solution, sheet, roll, rolls_left)
    if json:
        print_json({"options": [option_json(each) for each in advice[:top]], "sentence": why})
    else:
        _print(sheet, roll, rolls_left, advice, top or _TOP)
        console().print(escape(why))


def _why(solution: Solution, sheet: Scorecard, roll: Roll, rolls_left: int) -> str:
    """The coach's sentence; the chance of the upper bonus is in it where that table is at hand."""
    from fivedice.coaching.hints import coach
    from fivedice.solver.bonus import known

    told = coach(solution, sheet, roll, rolls_left, bonuses=known(solution))
    return " ".join(filter(None, [told.rule, told.sentence, told.details]))


def option_json(advice: Advice) -> dict[str, Any]:
    """A thing to do as JSON."""
    choice = {"box": advice.box} if advice.keep is None else {"keep": str(advice.keep)}
    return {**choice, "value": advice.value, "loss": advice.loss}


def _print(card: Scorecard, roll: Roll, rolls_left: int, advice: list[Advice], top: int) -> None:
    tell("cli.hint-title", rules=card.book, roll=roll, count=rolls_left, style="bold")
    console().print(options_table(advice[:top], card, roll, worth=word("cli.column.expected"), form=".2f"))
    if len(advice) > top:
        tell("cli.more-options", count=len(advice) - top, all=len(advice))
    tell("cli.expected")


def options_table(options: list[Advice], card: Scorecard, roll: Roll, *, worth: str, form: str) -> Table:
    """Things to do, best first: what each is worth, in which form, and what it loses."""
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
    chance, options = _hunt(sheet, target, roll, rolls_left)
    if json:
        print_json({"target": target, "chance": chance, "options": [option_json(each) for each in options]})
    else:
        _print_chase(sheet, target, chance, roll, options)


def _roll(book: RuleBook, dice: str | None, rolls_left: int | None) -> Roll | None:
    """Refuse wrong dice before the hunt, which may take long."""
    if (dice is None) != (rolls_left is None):
        raise IllegalError("cli.dice-and-rolls")
    if dice is None:
        return None
    roll = Roll.parse(dice)
    book.check_roll(roll)
    return roll


def _hunt(card: Scorecard, target: int, roll: Roll | None, rolls_left: int | None) -> tuple[float, list[Advice]]:
    from fivedice.solver.chase import chase as hunt
    from fivedice.solver.solution import check_turn

    if roll is not None and rolls_left is not None:
        check_turn(card, roll, rolls_left)
    with shown_progress(word("cli.chasing", target=target)) as progress:
        found = hunt(card.book, card=card, most=target, progress=progress)
    if roll is None or rolls_left is None:
        return found.chance(card, target), []
    options = found.advise(card, roll, rolls_left, target)
    return options[0].value, options


def _print_chase(card: Scorecard, target: int, chance: float, roll: Roll | None, options: list[Advice]) -> None:
    tell("cli.chased", rules=card.book, target=target, odds=f"{chance:.4%}")
    if roll is None:
        return
    console().print(options_table(options[:_TOP], card, roll, worth=word("cli.column.odds"), form=".4%"))
    if len(options) > _TOP:
        tell("cli.more-options-json", count=len(options) - _TOP)
