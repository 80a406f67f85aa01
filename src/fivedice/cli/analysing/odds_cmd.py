"""`fivedice odds`: how perfect play may end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.markup import escape

from fivedice.cli.analysing.solving import shown_progress, solved
from fivedice.cli.output import console, print_json, read_sheet, table, tell
from fivedice.rules import book as find_book
from fivedice.words import name_of, word

if TYPE_CHECKING:
    from fivedice.game import Scorecard
    from fivedice.solver.odds import Odds

_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_STEP = 50
_WORTH_TELLING = 0.001  # round totals that are rarer, or surer, are not shown unless asked for


def odds(
    book: str,
    /,
    *,
    card: str = "-",
    at_least: Annotated[list[int] | None, Parameter(consume_multiple=True)] = None,
    json: bool = False,
) -> None:
    """Show how a solo game may end if it is played for the highest mean: the exact chances of all totals.

    Examples: `fivedice odds yahtzee`, `fivedice odds yahtzee --at-least 300 400`,
    `fivedice odds yatzy --card 1s:3,2s:6,ch:22 --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    card
        What is on the score sheet already, as code:points or key:points, such as `4s:12,yz:50,yb:100`.
    at_least
        Totals whose chance you want to know; without it round ones.
    json
        Print JSON: `{"mean", "sd", "quantiles": {share: total}, "at_least": {total: chance}, "upper_bonus",
        "boxes": {box: mean points}, "extras"}`.
    """
    rules = find_book(book)
    sheet = read_sheet(card, rules)
    solution = solved(rules)
    with shown_progress(word("cli.playing", rules=rules)) as progress:
        found = solution.odds(sheet, progress=progress)
    wanted = _round_totals(found) if at_least is None else at_least
    if json:
        print_json(_as_json(found, wanted))
    else:
        _print(sheet, found, wanted)


def _round_totals(found: Odds) -> list[int]:
    totals = range(0, max(found.pmf) + _STEP, _STEP)
    return [total for total in totals if _WORTH_TELLING <= found.at_least(total) <= 1 - _WORTH_TELLING]


def _as_json(found: Odds, wanted: list[int]) -> dict[str, Any]:
    return {
        "mean": found.mean,
        "sd": found.sd,
        "quantiles": {str(share): found.quantile(share) for share in _SHARES},
        "at_least": {str(total): found.at_least(total) for total in wanted},
        "upper_bonus": found.upper_bonus,
        "boxes": dict(found.box_means),
        "extras": found.extra_mean,
    }


def _print(card: Scorecard, found: Odds, wanted: list[int]) -> None:
    out, book = console(), card.book
    begun = any(mark is not None for mark in card.marks)
    kind = "cli.odds-sheet" if begun else "cli.odds-empty"
    tell(kind, rules=book, mean=f"{found.mean:.2f}", sd=f"{found.sd:.2f}")
    spread = ", ".join(f"{share:.0%} {found.quantile(share)}" for share in _SHARES)
    tell("cli.quantiles", quantiles=spread)
    if book.bonus is not None:
        tell("cli.upper-bonus", rate=f"{found.upper_bonus:.1%}")
    chances = table(word("cli.column.total"), word("cli.column.odds"), title=word("cli.at-least"), numbers=[1])
    for total in wanted:
        chances.add_row(str(total), f"{found.at_least(total):.4%}")
    boxes = table(word("cli.column.box"), word("cli.column.points"), title=word("cli.on-average"), numbers=[1])
    for box in book.boxes:
        boxes.add_row(escape(name_of(box)), f"{found.box_means[box.key]:.2f}")
    if book.alike is not None and book.alike.extra:
        boxes.add_row(escape(name_of(book.labels["extra"])), f"{found.extra_mean * book.alike.extra:.2f}")
    out.print(chances)
    out.print(boxes)
