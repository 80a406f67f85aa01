"""What pages and programs are refused, beside what a table refuses."""

from __future__ import annotations

from fivedice.table.refusals import Refusal


class NotFound(Refusal):
    """There is nothing at this address, or nothing yet."""

    code = "not-found"
    status = 404


class NoKey(Refusal):
    """A program that has not said who it is."""

    code = "no-key"
    status = 401


class NotReady(Refusal):
    """It will be there in a moment."""

    code = "error"
    status = 503


class HandsFull(Refusal):
    """Too much waits to be worked out, whoever asked for it."""

    code = "coach-busy"
    status = 503
