"""Decisions of the score pad: whole turns, corrections, the games of a sheet, and who holds the pencil."""

from __future__ import annotations

from fivedice.dice import Roll
from fivedice.errors import IllegalError, quote
from fivedice.game import judge
from fivedice.table import commands as ask, events as log
from fivedice.table.decide.corrections import checked_changes, consequences, effective, written_down
from fivedice.table.decide.playing import as_sentence, check_dice
from fivedice.table.decide.rights import (
    Context,
    back_again,
    my_turn,
    need,
    need_pencil,
    need_person,
    need_real_dice,
    need_unfinished,
    plays,
)
from fivedice.table.refusals import AgainstTheRules, AlreadyWritten, BadRequest, NotYourTurn, TurnMissing, WrongPhase
from fivedice.table.state import Phase, TableState


def withdraw(state: TableState, command: ask.Withdraw, _: Context) -> tuple[log.Event, ...]:
    need_real_dice(state)
    seat = my_turn(state, command.player)[1]
    if not state.rolls:
        raise WrongPhase("No dice have been entered in this turn: undo takes back the last score.")
    return (*back_again(state, command.player, seat), log.Withdrawn(seat))


def write_turn(state: TableState, command: ask.WriteTurn, _: Context) -> tuple[log.Event, ...]:
    """Judged by the number of the turn instead of a version: a phone may send it long after it was written there."""
    need_real_dice(state)
    seat = _turn_to_write(state, command)
    if not plays(state, command.player, seat):
        raise NotYourTurn(f"It is {state.seats[seat].name}'s turn.")
    check_dice(state, command.dice, state.book.dice)
    scored = _judged(state, seat, command)
    withdrawn = (log.Withdrawn(seat),) * len(state.rolls)
    rolled = log.Rolled(seat, command.dice, last=True)
    return (*back_again(state, command.player, seat), *withdrawn, rolled, scored)


def _turn_to_write(state: TableState, command: ask.WriteTurn) -> int:
    """The seat whose turn it is, if this turn is the next one to be written."""
    if state.game is None:
        raise WrongPhase("No game is running at this table.")
    if not 0 <= command.game < state.games or command.turn < 0:
        place = f"turn {quote(command.turn)} of game {quote(command.game)}"
        raise BadRequest(f"There is no {place}: both count from 0, and the sheet has {state.games} games.")
    stands = written_down(state, command.game, command.turn)
    if stands is not None:
        raise AlreadyWritten(f"{stands} is written there already.", version=state.version)
    need(state, Phase.PLAYING)
    if command.game > state.game_number:
        raise WrongPhase(f"Game {command.game + 1} has not begun yet: begin it first.")
    if command.game < state.game_number or state.on_turn is None:
        raise WrongPhase(f"Game {command.game + 1} is over: every box is filled.")
    if command.turn > state.turn:
        raise TurnMissing(_what_is_missing(state, state.on_turn), version=state.version)
    return state.on_turn


def _what_is_missing(state: TableState, seat: int) -> str:
    turn = f"{state.seats[seat].name}'s turn in round {1 + state.turn // len(state.seats)}"
    return f"{turn} has not been written yet: write that one first."


def _judged(state: TableState, seat: int, command: ask.WriteTurn) -> log.Scored:
    if state.game is None:
        raise AssertionError("somebody is on turn, so there is a game")
    try:
        box = state.book.box(command.box)
        entry = judge(state.game.position.cards[seat], Roll(command.dice)).check(box.key)
    except IllegalError as error:
        raise AgainstTheRules(as_sentence(error)) from None
    return log.Scored(seat, box.key, entry.points, entry.bonus, entry.joker)


def correct(state: TableState, command: ask.Correct, _: Context) -> tuple[log.Event, ...]:
    """Everything or nothing: if one entry could not stand any more, the reason is told and all stays as it is."""
    need_pencil(state, command.player)
    if state.rematch is not None:
        raise WrongPhase("The next game has been set up: this one stays as it is.")
    changes = effective(state, checked_changes(state, command.changes))
    if not changes:
        return ()
    problems = consequences(state, changes).problems
    if problems:
        raise AgainstTheRules(problems[0].told)
    return (log.Corrected(tuple((one.game, one.turn, one.dice, one.box) for one in changes)),)


def next_game(state: TableState, command: ask.NextGame, _: Context) -> tuple[log.Event, ...]:
    need_pencil(state, command.player)
    need(state, Phase.PLAYING)
    if 0 <= command.game <= state.game_number:
        raise AlreadyWritten(f"Game {command.game + 1} has begun already.", version=state.version)
    if command.game != state.game_number + 1 or command.game >= state.games:
        wanted = f"game {state.game_number + 2} is the next of {state.games}"
        raise WrongPhase(f"Game {quote(command.game + 1)} cannot begin: {wanted}.")
    if state.game is None or not state.between_games:
        raise WrongPhase(f"Game {state.game_number + 1} is not finished yet.")
    return (log.NextStarted(state.game.next_first),)


def take_pencil(state: TableState, command: ask.TakePencil, _: Context) -> tuple[log.Event, ...]:
    """Not after the end: a result belongs to who wrote it."""
    need_real_dice(state)
    need_person(command.player)
    need_unfinished(state)
    return () if command.player == state.host else (log.PencilPassed(command.player),)
