"""The server's own moves, for bots and for people who left."""

from __future__ import annotations

from fivedice.core.dice import Keep
from fivedice.core.game import Mark
from fivedice.players.bots.levels import FIRST_PLAY
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import HOUSE
from fivedice.table.state import TableState

STAND_IN = "steady"  # the level that plays for someone who left


def house_command(state: TableState, seat: int) -> cmd.Command:
    """Return the next move of a seat that the server plays, as the command that a person would send."""
    game = state.game
    if game is None or game.position.chance_moves_next:
        return cmd.RollDice(HOUSE)
    from fivedice.players import bots
    from fivedice.players.bots.entrants import ask

    level = state.seats[seat].bot or STAND_IN
    # in the version of play that the game began with: its proof asks the bot again
    bot = bots.bot(level, game.position.book, play=state.bots or FIRST_PLAY)
    move = ask(bot, level, 1, game.position) if bots.is_registered(level) else bot.choose(game.position)
    if isinstance(move, Mark):
        return cmd.FillBox(HOUSE, move.box)
    return cmd.RollDice(HOUSE, slots_of(state, move.keep))


def slots_of(state: TableState, keep: Keep) -> tuple[int, ...]:
    """Return slots that hold these faces, preferring dice that were kept in the last roll."""
    wanted, slots = keep.counts, []
    for slot in sorted(range(len(state.slots)), key=lambda slot: (slot not in state.held, slot)):
        face = state.slots[slot]
        if wanted[face] > 0:
            wanted[face] -= 1
            slots.append(slot)
    return tuple(slots)
