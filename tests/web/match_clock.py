"""A long match by the limits of a server, on their own clock: how long a program would be made to wait."""

from collections.abc import Callable
from dataclasses import dataclass

from fivedice.store.table_store import BOT_TURN
from fivedice.table.refusals import ROW
from fivedice.web.http.client_limits import CONTEXT, Limits, RequestContext, TooMany
from fivedice.web.http.settings import Settings

MOVE = 0.02  # seconds that a move takes the program and the server
BOXES = 13


@dataclass
class Waited:
    """The effect of the limits."""

    minutes: float = 0.0
    waits: int = 0
    longest: int = 0


def as_a_stranger(games: int, writes: int) -> Waited:
    """A program against one bot: per game a table, some writes, and a read for each turn of the bot."""
    now, told = [0.0], Waited()
    limits, context = Limits(Settings(), lambda: now[0]), RequestContext("192.0.2.1")
    token = CONTEXT.set(context)
    try:
        for _ in range(games):
            _patiently(now, told, lambda: _open_game(limits))
            for _ in range(writes):
                now[0] += MOVE
                _patiently(now, told, lambda: limits.request(context, "POST"))
                limits.saves(ROW + 80)
    finally:
        CONTEXT.reset(token)
    told.minutes = now[0] / 60
    return told


def _open_game(limits: Limits) -> None:
    with limits.one_more("tables"):
        limits.saves(3 * ROW + BOXES * BOT_TURN + 6 * (ROW + 80))


def _patiently(now: list[float], told: Waited, ask: Callable[[], None]) -> None:
    """Wait as long as the answer says and try again, as the client does."""
    while True:
        try:
            ask()
        except TooMany as refused:
            now[0] += refused.wait
            told.waits, told.longest = told.waits + 1, max(told.longest, refused.wait)
        else:
            return
