"""What the database keeps beside the log, derived from a state: for listings, best scores and statistics."""

from __future__ import annotations

from typing import Any

from fivedice.table.house_rules_text import shelf_key
from fivedice.table.state import TableState


def summary(state: TableState) -> dict[str, Any]:
    """The row of a table."""
    row = {"version": state.version, "book": shelf_key(state.book.key, state.rules), "phase": str(state.phase)}
    return row | {"house_to_move": state.house_to_move}


def seat_rows(state: TableState) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {"table_id": state.id, "seat": number, "player": seat.player, "name": seat.given or ""}
        for number, seat in enumerate(state.seats)
    ]


def result_rows(state: TableState) -> list[dict[str, Any]]:
    """How each finished game of the sheet ended; a result that the house helped with counts for nobody."""
    return [
        {
            "table_id": state.id,
            "game": game,
            "seat": number,
            "total": played.outcome.totals[number],
            "won": number in played.outcome.winners,
        }
        for game, played in enumerate(state.finished_games)
        for number, seat in enumerate(state.seats)
        if played.outcome is not None and not seat.helped
    ]
