"""`fivedice verify`: derive the dice of a recorded game again."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fivedice.cli.output import print_json, read_text, tell
from fivedice.errors import MalformedError, quote
from fivedice.notation.proof import check_noted, verify_record
from fivedice.rules import book as find_book


def verify(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    promise: str | None = None,
    text: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    book: str | None = None,
    json: bool = False,
) -> None:
    """Derive every die of a recorded game from its secret and say whether all of them are as recorded.

    Records of games at a table carry the proof once the game is over. docs/verify_dice.py does the same without
    Fivedice.

    A record proves nothing about the time before the game. Give the dice lock and the text that you noted then.

    Examples: `fivedice verify game.txt --promise 3f1a… --text rain`, `fivedice verify - < game.txt`.

    Parameters
    ----------
    file
        The record in Fivedice notation; '-' reads standard input.
    promise
        The dice lock that you saw before the game.
    text
        The text that you added to the dice.
    book
        The rule book it was played by, if it is not a shipped one: the path of its .toml file.
    json
        Print what was found as JSON.
    """
    record = read_text(file)
    if "\n[Fivedice " in record:
        raise MalformedError("cli.several-records", file=quote(file))
    verdict = verify_record(record, None if book is None else find_book(book))
    check_noted(verdict, promise, text)
    unchecked = [name for name, noted in (("promise", promise), ("text", text)) if noted is None]
    unchecked += ["names"] if verdict.kept else []
    if json:
        found = {"verified": True, "dice": verdict.dice, "throws": verdict.throws, "commitment": verdict.commitment}
        print_json(found | {"unchecked": unchecked})
        return
    tell("cli.verified", dice=verdict.dice, count=verdict.throws)
    tell("cli.dice-lock", lock=verdict.commitment, soft_wrap=True)
    for name in unchecked:
        tell(f"cli.unchecked-{name}")
