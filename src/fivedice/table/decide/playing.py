"""Decisions about dice and boxes. What is legal, the engine says; its sentence is passed on."""

from __future__ import annotations

from fivedice.dice import Keep
from fivedice.errors import IllegalError, quote
from fivedice.game import Game, Hold
from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide.rights import Context, back_again, my_turn, need_real_dice
from fivedice.table.refusals import AgainstTheRules, BadRequest
from fivedice.table.state import TableState


def roll(state: TableState, command: cmd.RollDice, context: Context) -> tuple[ev.Event, ...]:
    game, seat = my_turn(state, command.player)
    if state.real_dice:
        raise AgainstTheRules("table.real-dice")
    if state.secret is not None:  # a score of a finished game was taken back
        raise AgainstTheRules("table.dice-revealed")
    held = _checked_hold(state, game, command.hold)
    thrown = context.dice.throw(game.next_place, state.book.dice - len(held), state.book.faces)
    return (*back_again(state, command.player, seat), ev.Rolled(seat, _lying(state, held, thrown), held))


def enter(state: TableState, command: cmd.EnterDice, _: Context) -> tuple[ev.Event, ...]:
    game, seat = my_turn(state, command.player)
    need_real_dice(state)
    held = _checked_hold(state, game, command.hold)
    check_dice(state, command.thrown, state.book.dice - len(held))
    if command.last and state.slots:
        raise AgainstTheRules("table.rolls-entered")
    rolled = ev.Rolled(seat, _lying(state, held, command.thrown), held, command.last)
    return (*back_again(state, command.player, seat), rolled)


def check_dice(state: TableState, dice: tuple[int, ...], count: int) -> None:
    """Refuse what that many dice of the book cannot show."""
    faces = state.book.faces
    if len(dice) != count or not all(1 <= face <= faces for face in dice):
        entered = quote("".join(map(str, dice)))
        raise BadRequest("table.wrong-dice", count=count, faces=faces, dice=entered)


def _lying(state: TableState, held: tuple[int, ...], thrown: tuple[int, ...]) -> tuple[int, ...]:
    """The dice by slot: the held ones stay, the others take what was thrown from the left."""
    fresh = iter(thrown)
    return tuple(state.slots[slot] if slot in held else next(fresh) for slot in range(state.book.dice))


def _checked_hold(state: TableState, game: Game, hold: tuple[int, ...]) -> tuple[int, ...]:
    held = tuple(sorted(set(hold)))
    if state.slots:
        _check_hold(state, game, held)
    elif held:
        raise AgainstTheRules("table.first-roll")
    return held


def _check_hold(state: TableState, game: Game, held: tuple[int, ...]) -> None:
    unknown = [slot for slot in held if not 0 <= slot < len(state.slots)]
    if unknown:
        raise BadRequest("table.no-slot", slot=quote(unknown[0]), last=len(state.slots) - 1)
    try:
        game.position.check(Hold(Keep(tuple(state.slots[slot] for slot in held))))
    except IllegalError as error:
        raise AgainstTheRules(error.message) from None


def fill(state: TableState, command: cmd.FillBox, _: Context) -> tuple[ev.Event, ...]:
    game, seat = my_turn(state, command.player)
    try:
        box = state.book.box(command.box)
        entry = game.position.ruling().check(box.key)
    except IllegalError as error:
        raise AgainstTheRules(error.message) from None
    scored = ev.Scored(seat, box.key, entry.points, entry.bonus, entry.joker)
    return (*back_again(state, command.player, seat), scored)
