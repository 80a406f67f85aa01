"""Decisions about seats: who sits down, starts, leaves, comes back, and whom the house plays for."""

from __future__ import annotations

from fivedice.errors import quote
from fivedice.game.opening import settle_start
from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide.rights import (
    MOST_SEATS,
    Context,
    existing,
    need,
    need_absent,
    need_free_seat,
    need_host,
    need_own_seat,
    need_person,
)
from fivedice.table.decide.undo import completed_by_leaving
from fivedice.table.refusals import BadRequest, NotAllowed, WrongPhase
from fivedice.table.seat_names import COLORS, TOKENS, clean_name, clean_text, pick
from fivedice.table.state import Phase, TableState


def sit(state: TableState, command: cmd.SitDown, _: Context) -> tuple[ev.Event, ...]:
    need_person(command.player)
    need_free_seat(state)
    text = clean_text(command.text)
    return (_seat(state, clean_name(command.name), command.color, command.token, player=command.player, text=text),)


def seat_bot(state: TableState, command: cmd.SeatBot, _: Context) -> tuple[ev.Event, ...]:
    from fivedice import bots  # the solver behind the bots is only needed where one sits down

    need_host(state, command.player)
    need_free_seat(state)
    if state.real_dice:
        raise NotAllowed("table.bot-real-dice")
    if command.level not in bots.LEVELS:
        raise BadRequest("table.no-bot", level=quote(command.level), levels=tuple(bots.LEVELS))
    return (_seat(state, _bot_name(state, command.level), None, None, bot=command.level),)


def _bot_name(state: TableState, level: str) -> str:
    names = {seat.name for seat in state.seats}
    plain = f"{level.capitalize()} bot"
    numbered = (f"{plain} {number}" for number in range(2, MOST_SEATS + 2))
    return plain if plain not in names else next(name for name in numbered if name not in names)


def _seat(state: TableState, name: str | None, color: str | None, token: str | None, **who: str) -> ev.Sat:
    number = len(state.seats)
    colors, tokens = {seat.color for seat in state.seats}, {seat.token for seat in state.seats}
    return ev.Sat(name, pick(color, COLORS, colors, number), pick(token, TOKENS, tokens, number), **who)


def stand(state: TableState, command: cmd.StandUp, _: Context) -> tuple[ev.Event, ...]:
    need(state, Phase.SEATING)
    seat = existing(state, command.seat)
    if not command.player or command.player not in (seat.player, state.host):
        raise NotAllowed("table.remove-own-only")
    return (ev.Stood(command.seat),)


def start(state: TableState, command: cmd.StartGame, context: Context) -> tuple[ev.Event, ...]:
    need(state, Phase.SEATING)
    need_host(state, command.player)
    if not state.seats:
        raise WrongPhase("table.nobody-joined")
    if command.first is not None:
        return (ev.Started(_chosen_first(state, command.first)),)
    if state.planned_first is not None:
        return (ev.Started(state.planned_first % len(state.seats)),)
    if state.real_dice:  # whoever was seated first starts: people with real dice settle that themselves
        return (ev.Started(0),)
    first, roll_off = settle_start(state.book, len(state.seats), context.dice)
    throws = () if roll_off is None else tuple(str(roll) for roll in roll_off.throws)
    return (ev.Started(first, throws),)


def _chosen_first(state: TableState, first: int) -> int:
    """People with real dice settle among themselves who begins; digital dice settle it for them."""
    if not state.real_dice:
        raise NotAllowed("table.dice-decide-start")
    existing(state, first)
    return first


def give_up(state: TableState, command: cmd.GiveUp, _: Context) -> tuple[ev.Event, ...]:
    """Before the end only: a finished game is what it is."""
    need(state, Phase.PLAYING)
    need_host(state, command.player)
    return (ev.GivenUp(command.player),)


def leave(state: TableState, command: cmd.Leave, _: Context) -> tuple[ev.Event, ...]:
    need(state, Phase.PLAYING)
    need_own_seat(state, command.player, command.seat)
    if state.seats[command.seat].away:
        return ()
    return (ev.Left(command.seat), *completed_by_leaving(state, command.seat))


def come_back(state: TableState, command: cmd.ComeBack, _: Context) -> tuple[ev.Event, ...]:
    need_own_seat(state, command.player, command.seat)
    if not state.seats[command.seat].away and not state.house_plays(command.seat):
        return ()
    return (ev.Returned(command.seat),)


def take_over(state: TableState, command: cmd.TakeOver, _: Context) -> tuple[ev.Event, ...]:
    """Only while the game runs: before it seats may still move, and after it a result belongs to who played."""
    need(state, Phase.PLAYING)
    need_person(command.player)
    seat = existing(state, command.seat)
    if seat.bot is not None:
        raise NotAllowed("table.seat-is-bot")
    if seat.player == command.player:
        return come_back(state, cmd.ComeBack(command.player, command.seat), _)
    return (ev.HandedOver(command.seat, command.player),)


def skip(state: TableState, command: cmd.SkipTurn, context: Context) -> tuple[ev.Event, ...]:
    need_absent(state, command.player, command.seat, context.present)
    _need_digital(state)
    if state.on_turn != command.seat:
        raise WrongPhase("table.not-on-turn", who=state.who(command.seat))
    return () if state.house_plays(command.seat) else (ev.StoodIn(command.seat, rest=False),)


def dismiss(state: TableState, command: cmd.Dismiss, context: Context) -> tuple[ev.Event, ...]:
    need_absent(state, command.player, command.seat, context.present)
    _need_digital(state)
    if state.seats[command.seat].stand_in:
        return ()
    return (ev.StoodIn(command.seat, rest=True), *completed_by_leaving(state, command.seat))


def _need_digital(state: TableState) -> None:
    if state.real_dice:
        raise NotAllowed("table.stand-in-real-dice")
