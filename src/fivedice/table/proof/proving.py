"""The dice of a table, and the end of their secret.

A table promises its secret when it is opened (the SHA-256 of it is in the log's first event) and tells it in the log
when the game is over or given up. In between nobody gets to see it: it lies beside the log, not in it.
"""

from __future__ import annotations

from hashlib import sha256

from fivedice.dice import DiceSource, ProvableDice, commitment, seeded
from fivedice.game import Game
from fivedice.notation import write_game
from fivedice.notation.proof import prove
from fivedice.table.decide.action import Event
from fivedice.table.decide.ending import SecretRevealed
from fivedice.table.state import Phase, TableState


def dice_of(state: TableState, secret: str) -> DiceSource:
    """The dice of this table. Those without a promise are seeded: tables of old, scripts and tests."""
    if state.promise is None:
        return seeded(secret)
    return ProvableDice(secret, state.book.fingerprint, _sealed_names(state), texts_of(state))


def _sealed_names(state: TableState) -> tuple[str, ...]:
    """As they were when the dice were settled, even where people are shown by another name today."""
    return tuple(seat.sealed_name for seat in state.seats)


def texts_of(state: TableState) -> tuple[str, ...]:
    """What each player has added to the dice."""
    return tuple(seat.text for seat in state.seats)


def promise_of(secret: str, *, real_dice: bool, foreseeable: bool) -> str | None:
    """What the table shows before the game; real dice need no promise, and foreseeable ones are worth none."""
    return None if real_dice or foreseeable else commitment(secret)


def reveal(state: TableState, secret: str) -> tuple[Event, ...]:
    """The secret, once the game has come to its end."""
    over = state.phase in (Phase.FINISHED, Phase.GIVEN_UP)
    return (SecretRevealed(secret),) if over and state.promise is not None and state.secret is None else ()


def record_of(state: TableState, game: Game) -> str:
    """The game in notation, with the proof of its dice as soon as the secret has been told."""
    if state.secret is None:
        return write_game(game)
    named = game.copy()
    named.players = _sealed_names(state)
    if state.planned_first is not None:
        named.tags["Rematch"] = "yes"  # the one who begins was settled by the game before
    return write_game(prove(named, state.secret, texts_of(state)))


def secret_from(nonce: str, key: str) -> str:
    """The secret behind a promise that was made before there was a table."""
    return sha256(f"fivedice/secret/{key}/{nonce}".encode("utf-8", "surrogatepass")).hexdigest()
