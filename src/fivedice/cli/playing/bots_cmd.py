"""`fivedice bots`: the levels of bots, and how each plays."""

from __future__ import annotations

from rich.markup import escape

from fivedice.cli.choices import BookName
from fivedice.cli.output import console, print_json, table
from fivedice.core.rules import DEFAULT, book as find_book
from fivedice.players import bots as levels
from fivedice.text import word


def bots(book: BookName = DEFAULT, /, *, json: bool = False) -> None:
    """List the levels of bots for a game, from the weakest to the strongest, with how they play and what they score.

    Examples: `fivedice bots`, `fivedice bots yatzy`, `fivedice bots maxi-yatzy --json`.

    Parameters
    ----------
    book
        The rules: one of `fivedice rules`, or the path of a .toml file; yahtzee without it.
    json
        Print JSON: `{"book", "bots": [{"level", "about", "mean", "sd"}], "not_offered": {level: why},
        "installed": [name]}`.
    """
    rules = find_book(book)
    found = {level: levels.measured(level, rules.key) for level in levels.offered(rules)}
    missing = {level: levels.unavailable(level, rules) for level in levels.LEVELS if level not in found}
    if json:
        shown = [
            {"level": level, "about": levels.about(level), "mean": label and label[0], "sd": label and label[1]}
            for level, label in found.items()
        ]
        why = {key: str(reason) for key, reason in missing.items()}
        print_json({"book": rules.key, "bots": shown, "not_offered": why, "installed": list(levels.registered())})
        return
    rows = table(word("cli.column.level"), word("cli.column.plays"), word("cli.column.mean"), numbers=[2])
    for level, label in found.items():
        rows.add_row(level, levels.about(level), "" if label is None else f"{label[0]:.0f}")
    for name in levels.registered():
        rows.add_row(escape(name), word("bots.installed"), "")
    console().print(rows)
    for reason in missing.values():
        if reason is not None:
            console().print(escape(str(reason)))
