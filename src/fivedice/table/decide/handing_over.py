"""Handing a seat or the pencil to somebody else, by a code that works once."""

from __future__ import annotations

from fivedice.dice import real
from fivedice.table import commands as cmd
from fivedice.table.decide.action import Context
from fivedice.table.decide.rights import (
    need,
    need_open_result,
    need_opener,
    need_own_seat,
    need_pencil,
    need_unfinished,
    new_key,
    player_id,
)
from fivedice.table.refusals import NotAllowed
from fivedice.table.service import Done, Tables
from fivedice.table.state import Phase


def offer_seat(tables: Tables, table: str, player: str, seat: int) -> str:
    """A code that hands the seat of this person to whoever brings it first; earlier ones are void."""
    state = tables.state(table)
    need(state, Phase.PLAYING)
    need_open_result(state)
    need_own_seat(state, player, seat)
    code = new_key()
    tables.store.handovers.offer_seat(player_id(code), table, seat)
    return code


def take_over(tables: Tables, table: str, player: str, code: str) -> Done:
    """Play the seat that the code hands over, from now on."""
    state = tables.state(table)
    need(state, Phase.PLAYING)
    need_open_result(state)  # a refusal must not use up the code
    seat = tables.store.handovers.claim_seat(player_id(code), table)
    if seat is None:
        raise NotAllowed("table.link-used")
    return tables.execute(table, cmd.TakeOver(player, seat))


def offer_pencil(tables: Tables, table: str, player: str) -> str:
    """A code that makes whoever brings it first the keeper of the score; earlier ones are void."""
    state = tables.state(table)
    need_pencil(state, player)
    need_unfinished(state)
    code = new_key()
    tables.store.handovers.offer_pencil(player_id(code), table)
    return code


def offer_spare(tables: Tables, table: str, player: str) -> str:
    """A code to be kept on another phone, in case this one is lost: whoever brings it has the pencil and all rights of
    the one who opened the sheet. It works once, and stays good however often the pencil is handed on.
    """
    state = tables.state(table)
    need_opener(state, player)
    need_unfinished(state)
    code = new_key()
    tables.store.handovers.offer_spare(player_id(code), table)
    return code


def take_pencil(tables: Tables, table: str, player: str, code: str) -> Done:
    """Keep the score from now on."""
    cmd.TakePencil(player).decide(tables.state(table), Context(real()))  # a refusal must not use up the code
    found = tables.store.handovers.claim_pencil(player_id(code), table)
    if found is None:
        raise NotAllowed("table.link-used")
    return tables.execute(table, cmd.TakePencil(player, spare=found.is_spare))
