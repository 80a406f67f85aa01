"""Refusals of a table, each with a code for programs and a sentence for people; and the quota, which may refuse."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from fivedice.errors import FivediceError
from fivedice.message import Message


class Refusal(FivediceError):  # noqa: N818 - a table refuses; it does not err
    """A command that was understood but not carried out. The table has not changed."""

    code = "refused"
    status = 409

    def __init_subclass__(cls, *, code: str, status: int | None = None) -> None:
        cls.code, cls.status = code, cls.status if status is None else status

    def __init__(self, kind: str | Message, /, *, version: int | None = None, **args: object) -> None:
        super().__init__(kind, **args)
        self.version = version

    @property
    def details(self) -> dict[str, Any]:
        """Return what an answer to a program contains besides the code."""
        return {}


class StaleVersion(Refusal, code="stale"):
    """The table has changed since the command was made."""


class Conflict(StaleVersion, code="conflict"):
    """The sheet differs from what the sender knew. This is not a rule; `stands` has the turns on the sheet."""

    def __init__(
        self, kind: str | Message, /, *, stands: Iterable[dict[str, Any]], version: int | None = None, **args: object
    ) -> None:
        super().__init__(kind, version=version, **args)
        self.stands = tuple(stands)

    @property
    def details(self) -> dict[str, Any]:
        return {"stands": list(self.stands)}


class TurnMissing(StaleVersion, code="turn-missing"):
    """An earlier turn has not been written yet."""


class KeyUsed(Refusal, code="key-used"):
    """The key was used before for another request: it opened another table, or sent another command."""


class PromiseServed(Refusal, code="promise-served"):
    """The dice lock of an old page was used at another table."""


class OtherBook(Refusal, code="other-book"):
    """The game was played by rules that this version of the book no longer has."""


class DamagedLog(Refusal, code="damaged"):
    """The stored log contradicts the rules."""


class NotYourTurn(Refusal, code="not-your-turn", status=403):
    """Someone else is on turn."""


class NotAllowed(Refusal, code="not-allowed", status=403):
    """The person may not do that here."""


class AgainstTheRules(Refusal, code="illegal", status=422):
    """The rules forbid it; the sentence names the rule."""


class LogFull(Refusal, code="log-full", status=429):
    """The log has no room for more changes: only playing on is possible."""


class TableFull(Refusal, code="full"):
    """No seat is free."""


class WrongPhase(Refusal, code="wrong-phase"):
    """Not possible before the game has begun, or after it."""


class UnknownTable(Refusal, code="unknown-table", status=404):
    """There is no such table."""


class BadRequest(Refusal, code="malformed", status=400):
    """The command cannot be read."""


ROW = 300  # bytes around the data of a row: keys, times, indexes


class Quota:
    """Allow everything. Each method may raise a refusal instead, when its block is entered."""

    def open_table(self) -> AbstractContextManager[None]:
        """Wrap the opening of a table; it counts unless the block raises a refusal."""
        return nullcontext()

    def bring_rules(self) -> AbstractContextManager[None]:
        """Wrap the opening of a table that brings new rules; they count even if no table comes of it."""
        return nullcontext()

    def save_rules(self, size: int) -> AbstractContextManager[None]:  # noqa: ARG002
        """Wrap saving house rules of so many bytes; they count unless the block raises a refusal."""
        return nullcontext()

    def write(self, size: int, *, new_table: bool = False) -> AbstractContextManager[None]:  # noqa: ARG002
        """Wrap writing about so many bytes; a rematch is a new table like any other."""
        return nullcontext()
