"""What a command leads to: events, or a refusal. Nothing is changed here and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fivedice.dice import DiceSource, Keep
from fivedice.errors import IllegalError
from fivedice.game import Game, Hold
from fivedice.game.opening import settle_start
from fivedice.table import commands as ask, events as log
from fivedice.table.names import COLORS, TOKENS, clean_name, pick
from fivedice.table.refusals import AgainstTheRules, BadRequest, NotAllowed, NotYourTurn, TableFull, WrongPhase
from fivedice.table.state import Phase, Seat, TableState

MOST_SEATS = 12
HOUSE = "house"  # the player id under which the server itself plays bots and stand-ins


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision may depend on beside the table itself."""

    dice: DiceSource
    present: frozenset[str] = frozenset()  # people whose screens have been heard of lately


def decide(state: TableState, command: ask.Command, context: Context) -> tuple[log.Event, ...]:
    """The events that a command causes at this table."""
    return _DECISIONS[type(command)](state, command, context)


def _sit(state: TableState, command: ask.SitDown, _: Context) -> tuple[log.Event, ...]:
    _need_free_seat(state)
    return (_seat(state, clean_name(command.name), command.color, command.token, player=command.player),)


def _bot(state: TableState, command: ask.SeatBot, _: Context) -> tuple[log.Event, ...]:
    from fivedice import bots  # the solver behind the bots is only needed where one sits down

    _need_host(state, command.player)
    _need_free_seat(state)
    if command.level not in bots.LEVELS:
        raise BadRequest(f"there is no bot {command.level!r}; levels are {', '.join(bots.LEVELS)}")
    return (_seat(state, _bot_name(state, command.level), None, None, bot=command.level),)


def _bot_name(state: TableState, level: str) -> str:
    names = {seat.name for seat in state.seats}
    plain = f"{level.capitalize()} bot"
    numbered = (f"{plain} {number}" for number in range(2, MOST_SEATS + 2))
    return plain if plain not in names else next(name for name in numbered if name not in names)


def _seat(state: TableState, name: str, color: str | None, token: str | None, **who: str) -> log.Sat:
    number = len(state.seats)
    colors, tokens = {seat.color for seat in state.seats}, {seat.token for seat in state.seats}
    return log.Sat(name, pick(color, COLORS, colors, number), pick(token, TOKENS, tokens, number), **who)


def _stand(state: TableState, command: ask.StandUp, _: Context) -> tuple[log.Event, ...]:
    _need(state, Phase.SEATING)
    seat = _existing(state, command.seat)
    if command.player not in (seat.player, state.host):
        raise NotAllowed("Only the person at a seat or the host can clear it.")
    return (log.Stood(command.seat),)


def _start(state: TableState, command: ask.StartGame, context: Context) -> tuple[log.Event, ...]:
    _need(state, Phase.SEATING)
    _need_host(state, command.player)
    if not state.seats:
        raise WrongPhase("Nobody sits at the table yet: take a seat first.")
    if state.planned_first is not None and state.planned_first < len(state.seats):
        return (log.Started(state.planned_first),)
    first, roll_off = settle_start(state.book, len(state.seats), context.dice)
    throws = () if roll_off is None else tuple(str(roll) for roll in roll_off.throws)
    return (log.Started(first, throws),)


def _roll(state: TableState, command: ask.RollDice, context: Context) -> tuple[log.Event, ...]:
    game, seat = _my_turn(state, command.player)
    held = tuple(sorted(set(command.hold)))
    if state.slots:
        _check_hold(state, game, held)
    elif held:
        raise AgainstTheRules("The first roll of a turn is all dice: none can be held.")
    thrown = iter(context.dice.throw(game.next_place, state.book.dice - len(held), state.book.faces))
    slots = tuple(state.slots[slot] if slot in held else next(thrown) for slot in range(state.book.dice))
    return (log.Rolled(seat, slots, held),)


def _check_hold(state: TableState, game: Game, held: tuple[int, ...]) -> None:
    unknown = [slot for slot in held if not 0 <= slot < len(state.slots)]
    if unknown:
        raise BadRequest(f"There is no die {unknown[0] + 1}; the dice are numbered from 1 to {len(state.slots)}.")
    try:
        game.position.check(Hold(Keep(tuple(state.slots[slot] for slot in held))))
    except IllegalError as error:
        raise AgainstTheRules(_sentence(error)) from None


def _fill(state: TableState, command: ask.FillBox, _: Context) -> tuple[log.Event, ...]:
    game, seat = _my_turn(state, command.player)
    try:
        box = state.book.box(command.box)
        entry = game.position.ruling().check(box.key)
    except IllegalError as error:
        raise AgainstTheRules(_sentence(error)) from None
    return (log.Scored(seat, box.key, entry.points, entry.bonus, entry.joker),)


def _take_back(state: TableState, command: ask.TakeBack, _: Context) -> tuple[log.Event, ...]:
    """Freely until the next player has rolled; after that the others must agree."""
    scorer = state.last_scorer
    if scorer is None:
        raise WrongPhase("There is no score to take back.")
    if scorer not in state.seats_of(command.player):
        raise NotAllowed(f"The last score is {state.seats[scorer].name}'s; only they can take it back.")
    if not state.next_has_rolled or state.people() <= {command.player}:
        return (log.Undone(scorer),)
    if state.undo_asked is not None:
        raise WrongPhase("The others have been asked already: wait for their answer.")
    return (log.UndoAsked(scorer),)


def _answer(state: TableState, command: ask.AnswerUndo, _: Context) -> tuple[log.Event, ...]:
    if state.undo_asked is None:
        raise WrongPhase("Nobody has asked to take a score back.")
    asker = state.seats[state.undo_asked].player
    if command.player not in state.people() or command.player == asker:
        raise NotAllowed("Only the other players at the table can answer that.")
    answer = log.UndoAnswered(command.player, command.agree)
    waiting = state.people() - state.undo_agreed - {asker, command.player}
    if command.agree and not waiting:
        return answer, log.Undone(state.undo_asked)
    return (answer,)


def _leave(state: TableState, command: ask.Leave, _: Context) -> tuple[log.Event, ...]:
    _need(state, Phase.PLAYING)
    _need_own_seat(state, command.player, command.seat)
    if state.seats[command.seat].away:
        return ()
    return (log.Left(command.seat),)


def _come_back(state: TableState, command: ask.ComeBack, _: Context) -> tuple[log.Event, ...]:
    _need_own_seat(state, command.player, command.seat)
    if not state.seats[command.seat].away:
        return ()
    return (log.Returned(command.seat),)


def _take_over(state: TableState, command: ask.TakeOver, _: Context) -> tuple[log.Event, ...]:
    if _existing(state, command.seat).bot is not None:
        raise NotAllowed("The house plays that seat.")
    return (log.HandedOver(command.seat, command.player),)


def _skip(state: TableState, command: ask.SkipTurn, context: Context) -> tuple[log.Event, ...]:
    _need_absent(state, command.player, command.seat, context.present)
    if state.on_turn != command.seat:
        raise WrongPhase(f"{state.seats[command.seat].name} is not on turn.")
    return (log.StoodIn(command.seat, rest=False),)


def _dismiss(state: TableState, command: ask.Dismiss, context: Context) -> tuple[log.Event, ...]:
    _need_absent(state, command.player, command.seat, context.present)
    return (log.StoodIn(command.seat, rest=True),)


def _my_turn(state: TableState, player: str) -> tuple[Game, int]:
    _need(state, Phase.PLAYING)
    game, seat = state.game, state.on_turn
    if game is None or seat is None:
        raise WrongPhase("No game is running at this table.")
    if seat not in state.seats_of(player) and not (player == HOUSE and house_plays(state, seat)):
        raise NotYourTurn(f"It is {state.seats[seat].name}'s turn.")
    return game, seat


def house_plays(state: TableState, seat: int) -> bool:
    """Whether the server itself makes the next move of this seat."""
    sitting = state.seats[seat]
    return sitting.bot is not None or sitting.stand_in or (state.house_turn and state.on_turn == seat)


def _need(state: TableState, phase: Phase) -> None:
    if state.phase is not phase:
        raise WrongPhase(_WRONG_PHASE[phase])


_WRONG_PHASE = {
    Phase.SEATING: "The game has begun: the seats are locked.",
    Phase.PLAYING: "No game is running at this table.",
}


def _need_host(state: TableState, player: str) -> None:
    if player != state.host:
        raise NotAllowed("Only the host of the table can do that.")


def _need_free_seat(state: TableState) -> None:
    _need(state, Phase.SEATING)
    if len(state.seats) >= MOST_SEATS:
        raise TableFull(f"The table is full: it has {MOST_SEATS} seats. You can still watch.")


def _need_own_seat(state: TableState, player: str, seat: int) -> None:
    _existing(state, seat)
    if seat not in state.seats_of(player):
        raise NotAllowed("That is not your seat.")


def _need_absent(state: TableState, player: str, seat: int, present: frozenset[str]) -> None:
    _need(state, Phase.PLAYING)
    if not state.seats_of(player):
        raise NotAllowed("Only players at the table can do that.")
    if not is_absent(_existing(state, seat), present):
        raise NotAllowed(f"{state.seats[seat].name} is still at the table.")


def is_absent(seat: Seat, present: frozenset[str]) -> bool:
    """A person who left, or whose screens have all gone silent."""
    return seat.bot is None and (seat.away or seat.player not in present)


def _existing(state: TableState, seat: int) -> Seat:
    if not 0 <= seat < len(state.seats):
        raise BadRequest(f"There is no seat {seat}; the table has {len(state.seats)}.")
    return state.seats[seat]


def _sentence(error: IllegalError) -> str:
    text = str(error)
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


_DECISIONS: dict[type[Any], Callable[[TableState, Any, Context], tuple[log.Event, ...]]] = {
    ask.SitDown: _sit,
    ask.SeatBot: _bot,
    ask.StandUp: _stand,
    ask.StartGame: _start,
    ask.RollDice: _roll,
    ask.FillBox: _fill,
    ask.TakeBack: _take_back,
    ask.AnswerUndo: _answer,
    ask.Leave: _leave,
    ask.ComeBack: _come_back,
    ask.TakeOver: _take_over,
    ask.SkipTurn: _skip,
    ask.Dismiss: _dismiss,
}
