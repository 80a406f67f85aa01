"""Handing a seat or the score pad to someone else, by a code that works once."""

from __future__ import annotations

from fivedice.core.dice import real
from fivedice.store.handover_links import Pencil
from fivedice.table.action import Context
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import (
    new_key,
    player_id,
    require_open_result,
    require_opener,
    require_own_seat,
    require_phase,
    require_scorekeeper,
    require_unfinished,
)
from fivedice.table.refusals import NotAllowed
from fivedice.table.service import Done, Tables
from fivedice.table.state import Phase


def offer_seat(tables: Tables, table: str, player: str, seat: int) -> str:
    """Return a code that gives this person's seat to the first who uses it; earlier codes stop working."""
    state = tables.state(table)
    require_phase(state, Phase.PLAYING)
    require_open_result(state)
    require_own_seat(state, player, seat)
    return _offer(tables, table, seat)


def _offer(tables: Tables, table: str, seat: int) -> str:
    code = new_key()
    tables.store.handovers.offer(player_id(code), table, seat)
    return code


def take_over(tables: Tables, table: str, player: str, code: str) -> Done:
    """Take over the seat of this code. Raise NotAllowed if it was used or never existed."""
    state = tables.state(table)
    require_phase(state, Phase.PLAYING)
    require_open_result(state)  # a refusal must not use up the code
    seat = tables.store.handovers.claim_seat(player_id(code), table)
    if seat is None:
        raise NotAllowed("table.link-used")
    return tables.execute(table, cmd.TakeOver(player, seat))


def offer_pencil(tables: Tables, table: str, player: str) -> str:
    """Return a code that makes the first who uses it the scorekeeper; earlier codes stop working."""
    state = tables.state(table)
    require_scorekeeper(state, player)
    require_unfinished(state)
    return _offer(tables, table, Pencil.HANDED_ON)


def offer_spare(tables: Tables, table: str, player: str) -> str:
    """Return a code to keep on another phone, in case this one is lost.

    It gives the score pad and all rights of the person who opened the sheet. It works once, and stays valid however
    often the score pad is handed on.
    """
    state = tables.state(table)
    require_opener(state, player)
    require_unfinished(state)
    return _offer(tables, table, Pencil.SPARE)


def take_pencil(tables: Tables, table: str, player: str, code: str) -> Done:
    """Become the scorekeeper with this code. Raise NotAllowed if it was used or never existed."""
    cmd.TakePencil(player).decide(tables.state(table), Context(real()))  # a refusal must not use up the code
    found = tables.store.handovers.claim_pencil(player_id(code), table)
    if found is None:
        raise NotAllowed("table.link-used")
    return tables.execute(table, cmd.TakePencil(player, spare=found.is_spare))
