"""`fivedice verify`: derive the dice of a recorded game again, and ask its bots for their moves again."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from fivedice.cli.choices import BookName
from fivedice.cli.output import console, print_json, read_text, tell
from fivedice.core.rules import book as find_book
from fivedice.errors import MalformedError, quote
from fivedice.table.fairness.commitments import Findings, Noted, check_record


def verify(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    promise: str | None = None,
    text: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    receipt: str | None = None,
    key: str | None = None,
    book: BookName | None = None,
    json: bool = False,
) -> None:
    """Derive every die of a recorded game from its secret, and check the signature of the server.

    Records of games at a table carry the proof once the game is over. `verify_dice.py`, which every server hands out,
    does the same without Fivedice. Bots are asked again for every decision: they cannot have seen coming dice.

    A record proves nothing about the time before the game. Give the dice lock and the text that you noted then, or the
    receipt that the page of the game kept.

    Examples: `fivedice verify game.txt --receipt receipt.json --text rain`, `fivedice verify - < game.txt`.

    Parameters
    ----------
    file
        The record in Fivedice notation; '-' reads standard input.
    promise
        The dice lock that you saw before the game.
    text
        The text that you added to the dice.
    receipt
        The file with the signed receipt of the dice lock.
    key
        The public key of the server, as it shows it at /api/key.
    book
        The house rules of an older record that has none in it: the path of their .toml file.
    json
        Print what was found as JSON.
    """
    record = read_text(file)
    if "\n[Fivedice " in record:
        raise MalformedError("cli.several-records", file=quote(file))
    noted = Noted(promise, text, None if receipt is None else read_text(receipt), key)
    found = check_record(record, None if book is None else find_book(book), noted)
    if json:
        print_json(_as_json(found))
    else:
        _print(found)


def _as_json(found: Findings) -> dict[str, Any]:
    verdict, receipt = found.verdict, found.receipt
    return {
        "verified": found.is_verified,
        "dice": verdict.dice,
        "throws": verdict.throws,
        "commitment": verdict.commitment,
        "signed": None if receipt is None else {"time": receipt.time, "key": receipt.key},
        "moves_signed_by": found.signer,
        "bots": [{"name": seat.name, "decisions": seat.decisions} for seat in found.bots],
        "unchecked": list(found.unchecked),
    }


def _print(found: Findings) -> None:
    kind = "cli.verified" if found.is_verified else "cli.dice-verified"
    tell(kind, dice=found.verdict.dice, count=found.verdict.throws)
    tell("cli.dice-lock", lock=found.verdict.commitment, soft_wrap=True)
    for about in (found.moves, *found.agreed, *found.replayed, *found.unreplayed):
        console().print(str(about), markup=False, soft_wrap=True)
    for name in found.unchecked:
        if name != "moves":  # printed above
            tell(f"cli.unchecked-{name}", soft_wrap=True)
