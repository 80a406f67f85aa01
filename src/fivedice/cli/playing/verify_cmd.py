"""`fivedice verify`: derive the dice of a recorded game again."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fivedice.cli.output import print_json, read_text, tell
from fivedice.errors import MalformedError, quote
from fivedice.notation.proof import verify_record
from fivedice.rules import book as find_book


def verify(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, book: str | None = None, json: bool = False
) -> None:
    """Derive every die of a recorded game from its secret and say whether all of them are as recorded.

    Records of games at a table carry the proof once the game is over. docs/verify_dice.py does the same without
    Fivedice.

    Examples: `fivedice verify game.txt`, `fivedice verify - < game.txt`.

    Parameters
    ----------
    file
        The record in Fivedice notation; '-' reads standard input.
    book
        The rule book it was played by, if it is not a shipped one: the path of its .toml file.
    json
        Print what was found as JSON.
    """
    text = read_text(file)
    if "\n[Fivedice " in text:
        raise MalformedError("cli.several-records", file=quote(file))
    verdict = verify_record(text, None if book is None else find_book(book))
    if json:
        print_json({"verified": True, "dice": verdict.dice, "throws": verdict.throws, "commitment": verdict.commitment})
        return
    tell("cli.verified", dice=verdict.dice, count=verdict.throws)
    tell("cli.dice-lock", lock=verdict.commitment, soft_wrap=True)
