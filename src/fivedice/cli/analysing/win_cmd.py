"""`fivedice win`: each player's share of the win if all play to win, and the best moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape

from fivedice.cli.analysing.solving import show_progress
from fivedice.cli.output import console, print_json, table, tell
from fivedice.core.notation import read_position
from fivedice.core.rules import book as find_book
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.core.game import Position
    from fivedice.solver.win import Win, WinAdvice

_TOP = 10
_HOW = {"exact": "cli.win-exact", "planned": "cli.win-planned", "this turn": "cli.win-this-turn"}  # no sentence


def win(position: str, /, *, patient: bool = False, json: bool = False) -> None:
    """Show every player's share of the win if it is played for, and what to do with the dice.

    Exact for two players with about five boxes left each, and for the last player. Before that the others are taken to
    play on for points. Early in a game only this turn is played to win, unless you are patient.

    Examples: `fivedice win "yatzy-forced -|- 0 44126 2"`, and with `--json` for programs.

    Parameters
    ----------
    position
        Book, cards, seat on turn (from 0), dice on the table, rolls left: see docs/notation.md. The book may be the
        path of a .toml file.
    patient
        Plan to the end of the game early in it too. This takes minutes and two gigabytes.
    json
        Print JSON: `{"shares": [share], "exact", "how", "options": [{"keep" or "box", "share", "loss"}]}`, best first.
    """
    from fivedice.solver.win import win as solve_win

    first, _, rest = position.strip().partition(" ")
    rules = find_book(first)
    place = read_position(f"{rules.key} {rest}", rules)
    with show_progress(word("cli.playing", rules=rules)) as progress:
        found = solve_win(place, patient=patient, progress=progress)
    if json:
        options = [_option(each) for each in found.advise()]
        print_json({"shares": list(found.shares), "exact": found.exact, "how": found.how, "options": options})
    else:
        _print(place, found)


def _option(advice: WinAdvice) -> dict[str, Any]:
    choice = {"box": advice.box} if advice.keep is None else {"keep": str(advice.keep)}
    return {**choice, "share": advice.share, "loss": advice.loss}


def _print(position: Position, found: Win) -> None:
    from fivedice.coaching.hint_messages import option

    for seat, share in enumerate(found.shares):
        tell("cli.win-share", number=seat + 1, share=f"{share:.4%}")
    tell(_HOW[found.how])
    if position.roll is None:
        return
    shown = table(word("cli.column.do"), word("cli.column.wins"), word("cli.column.cost"), numbers=(1, 2))
    for each in found.advise()[:_TOP]:
        loss = word("cli.best") if each.best else f"{each.loss:.4%}"
        do = escape(str(option(position.card, position.roll, each.keep, each.box)))
        shown.add_row(do, f"{each.share:.4%}", loss, style="bold" if each.best else None)
    console().print(shown)
    if len(found.advise()) > _TOP:
        tell("cli.more-options-json", count=len(found.advise()) - _TOP)
