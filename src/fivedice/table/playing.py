"""Decisions about dice and boxes. What is legal, the engine says; its sentence is passed on."""

from __future__ import annotations

from fivedice.dice import Keep
from fivedice.errors import IllegalError, quote
from fivedice.game import Game, Hold
from fivedice.table import commands as ask, events as log
from fivedice.table.refusals import AgainstTheRules, BadRequest
from fivedice.table.rights import Context, back_again, my_turn
from fivedice.table.state import TableState


def roll(state: TableState, command: ask.RollDice, context: Context) -> tuple[log.Event, ...]:
    game, seat = my_turn(state, command.player)
    held = tuple(sorted(set(command.hold)))
    if state.slots:
        _check_hold(state, game, held)
    elif held:
        raise AgainstTheRules("The first roll of a turn is all dice: none can be held.")
    thrown = iter(context.dice.throw(game.next_place, state.book.dice - len(held), state.book.faces))
    slots = tuple(state.slots[slot] if slot in held else next(thrown) for slot in range(state.book.dice))
    return (*back_again(state, command.player, seat), log.Rolled(seat, slots, held))


def _check_hold(state: TableState, game: Game, held: tuple[int, ...]) -> None:
    unknown = [slot for slot in held if not 0 <= slot < len(state.slots)]
    if unknown:
        raise BadRequest(f"There is no slot {quote(unknown[0])}: dice lie in slots 0 to {len(state.slots) - 1}.")
    try:
        game.position.check(Hold(Keep(tuple(state.slots[slot] for slot in held))))
    except IllegalError as error:
        raise AgainstTheRules(_sentence(error)) from None


def fill(state: TableState, command: ask.FillBox, _: Context) -> tuple[log.Event, ...]:
    game, seat = my_turn(state, command.player)
    try:
        box = state.book.box(command.box)
        entry = game.position.ruling().check(box.key)
    except IllegalError as error:
        raise AgainstTheRules(_sentence(error)) from None
    scored = log.Scored(seat, box.key, entry.points, entry.bonus, entry.joker)
    return (*back_again(state, command.player, seat), scored)


def _sentence(error: IllegalError) -> str:
    text = str(error)
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."
