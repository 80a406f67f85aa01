"""Why a table says no. Each refusal has a code for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fivedice.errors import FivediceError
from fivedice.message import Message


class Refusal(FivediceError):  # noqa: N818 - a table refuses; it does not err
    """A command that was understood and not carried out. Nothing has changed."""

    code = "refused"
    status = 409

    def __init__(self, kind: str | Message, /, *, version: int | None = None, **args: object) -> None:
        super().__init__(kind, **args)
        self.version = version

    @property
    def details(self) -> dict[str, Any]:
        """What programs are told beside the code."""
        return {}


class StaleVersion(Refusal):
    """The table has moved on since the command was made."""

    code = "stale"


class Conflict(StaleVersion):
    """Something else is on the sheet than the sender knew: never a rule, and `stands` says what it is."""

    code = "conflict"

    def __init__(
        self, kind: str | Message, /, *, stands: Iterable[dict[str, Any]], version: int | None = None, **args: object
    ) -> None:
        super().__init__(kind, version=version, **args)
        self.stands = tuple(stands)

    @property
    def details(self) -> dict[str, Any]:
        return {"stands": list(self.stands)}


class TurnMissing(StaleVersion):
    """A turn before this one has not been written yet."""

    code = "turn-missing"


class KeyUsed(Refusal):
    """The key came with another request before: one that opened another table, or another command."""

    code = "key-used"


class PromiseServed(Refusal):
    """The promise of dice on an old page has been kept at another table."""

    code = "promise-served"


class OtherBook(Refusal):
    """The table was played by rules that this version of the book no longer has."""

    code = "other-book"


class DamagedLog(Refusal):
    """What is stored of the table contradicts its rules."""

    code = "damaged"


class NotYourTurn(Refusal):
    """Somebody else is on turn."""

    code = "not-your-turn"
    status = 403


class NotAllowed(Refusal):
    """The person may not do that here."""

    code = "not-allowed"
    status = 403


class AgainstTheRules(Refusal):
    """The rule book forbids it; the sentence names the rule."""

    code = "illegal"
    status = 422


class LogFull(Refusal):
    """So much has been changed back and forth that only playing on is left."""

    code = "log-full"
    status = 429


class TableFull(Refusal):
    """There is no free seat."""

    code = "full"


class WrongPhase(Refusal):
    """Not before the game has begun, or not after."""

    code = "wrong-phase"


class UnknownTable(Refusal):
    """There is no such table."""

    code = "unknown-table"
    status = 404


class BadRequest(Refusal):
    """The command cannot be read."""

    code = "malformed"
    status = 400
