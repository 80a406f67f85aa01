"""`fivedice solve`: what perfect play is worth."""

from __future__ import annotations

from time import perf_counter

from fivedice.cli.analysing.solving import solved
from fivedice.cli.output import print_json, tell
from fivedice.game import Scorecard
from fivedice.rules import book as find_book


def solve(book: str, /, *, no_cache: bool = False, json: bool = False) -> None:
    """Solve a book exactly: the mean score of perfect solo play, to the last digit.

    The solution is kept in your cache folder, so that `hint` and others answer at once afterwards.

    Examples: `fivedice solve yahtzee`, `fivedice solve my-house.toml`, `fivedice solve yatzy --no-cache --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    no_cache
        Solve anew, and keep nothing.
    json
        Print JSON: `{"book", "value", "states", "seconds"}`.
    """
    rules = find_book(book)
    begin = perf_counter()
    solution = solved(rules, cache=not no_cache)
    seconds = perf_counter() - begin
    value = solution.value(Scorecard.empty(rules))
    if json:
        print_json({"book": rules.key, "value": value, "states": solution.states, "seconds": round(seconds, 3)})
    else:
        tell("cli.solved", rules=rules, value=f"{value:.8f}")
        tell("cli.solved-size", states=f"{solution.states:,}", seconds=f"{seconds:.2f}")
