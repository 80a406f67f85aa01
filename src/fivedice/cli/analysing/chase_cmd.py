"""`fivedice chase`: can this total still be reached, and how?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fivedice.cli.analysing.hint_cmd import option_json, options_table
from fivedice.cli.analysing.solving import shown_progress
from fivedice.cli.output import console, print_json, read_sheet, tell
from fivedice.dice import Roll
from fivedice.errors import IllegalError
from fivedice.rules import RuleBook, book as find_book
from fivedice.words import word

if TYPE_CHECKING:
    from fivedice.game import Scorecard
    from fivedice.solver import Advice

_TOP = 10


def chase(
    book: str,
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
    rules = find_book(book)
    sheet, roll = read_sheet(card, rules), _roll(rules, dice, rolls_left)
    chance, options = _hunt(sheet, target, roll, rolls_left)
    if json:
        print_json({"target": target, "chance": chance, "options": [option_json(each) for each in options]})
    else:
        _print(sheet, target, chance, roll, options)


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


def _print(card: Scorecard, target: int, chance: float, roll: Roll | None, options: list[Advice]) -> None:
    tell("cli.chased", rules=card.book, target=target, odds=f"{chance:.4%}")
    if roll is None:
        return
    console().print(options_table(options[:_TOP], card, roll, worth=word("cli.column.odds"), form=".4%"))
    if len(options) > _TOP:
        tell("cli.more-options-json", count=len(options) - _TOP)
