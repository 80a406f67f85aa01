"""Decisions of the score pad: whole turns, corrections, the games of a sheet, and who holds the pencil."""

from __future__ import annotations

from fivedice.dice import Roll
from fivedice.errors import IllegalError, quote
from fivedice.game import judge
from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide.corrections import checked_changes, consequences, effective, written_down
from fivedice.table.decide.playing import check_dice
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


def withdraw(state: TableState, command: cmd.Withdraw, _: Context) -> tuple[ev.Event, ...]:
    need_real_dice(state)
    seat = my_turn(state, command.player)[1]
    if not state.rolls:
        raise WrongPhase("table.nothing-entered")
    return (*back_again(state, command.player, seat), ev.Withdrawn(seat))


def write_turn(state: TableState, command: cmd.WriteTurn, _: Context) -> tuple[ev.Event, ...]:
    """Judged by the number of the turn instead of a version: a phone may send it long after it was written there."""
    need_real_dice(state)
    seat = _turn_to_write(state, command)
    if not plays(state, command.player, seat):
        raise NotYourTurn("table.not-your-turn", who=state.who(seat))
    check_dice(state, command.dice, state.book.dice)
    scored = _judged(state, seat, command)
    withdrawn = (ev.Withdrawn(seat),) * len(state.rolls)
    rolled = ev.Rolled(seat, command.dice, last=True)
    return (*back_again(state, command.player, seat), *withdrawn, rolled, scored)


def _turn_to_write(state: TableState, command: cmd.WriteTurn) -> int:
    """The seat whose turn it is, if this turn is the next one to be written."""
    if state.game is None:
        raise WrongPhase("table.not-playing")
    if not 0 <= command.game < state.games or command.turn < 0:
        raise BadRequest("table.no-turn", turn=quote(command.turn), game=quote(command.game), games=state.games)
    stands = written_down(state, command.game, command.turn)
    if stands is not None:
        raise AlreadyWritten(stands, version=state.version)
    need(state, Phase.PLAYING)
    if command.game > state.game_number:
        raise WrongPhase("table.game-not-begun", game=command.game + 1)
    if command.game < state.game_number or state.on_turn is None:
        raise WrongPhase("table.game-full", game=command.game + 1)
    if command.turn > state.turn:
        raise TurnMissing(
            "table.turn-missing",
            version=state.version,
            who=state.who(state.on_turn),
            round=1 + state.turn // len(state.seats),
        )
    return state.on_turn


def _judged(state: TableState, seat: int, command: cmd.WriteTurn) -> ev.Scored:
    if state.game is None:
        raise AssertionError("somebody is on turn, so there is a game")
    try:
        box = state.book.box(command.box)
        entry = judge(state.game.position.cards[seat], Roll(command.dice)).check(box.key)
    except IllegalError as error:
        raise AgainstTheRules(error.message) from None
    return ev.Scored(seat, box.key, entry.points, entry.bonus, entry.joker)


def correct(state: TableState, command: cmd.Correct, _: Context) -> tuple[ev.Event, ...]:
    """Everything or nothing: if one entry could not stand any more, the reason is told and all stays as it is."""
    need_pencil(state, command.player)
    if state.rematch is not None:
        raise WrongPhase("table.rematch-exists")
    changes = effective(state, checked_changes(state, command.changes))
    if not changes:
        return ()
    problems = consequences(state, changes).problems
    if problems:
        raise AgainstTheRules(problems[0].told)
    return (ev.Corrected(tuple((one.game, one.turn, one.dice, one.box) for one in changes)),)


def next_game(state: TableState, command: cmd.NextGame, _: Context) -> tuple[ev.Event, ...]:
    need_pencil(state, command.player)
    need(state, Phase.PLAYING)
    if 0 <= command.game <= state.game_number:
        raise AlreadyWritten("table.game-begun", game=command.game + 1, version=state.version)
    if command.game != state.game_number + 1 or command.game >= state.games:
        after = state.game_number + 2
        raise WrongPhase("table.game-not-next", game=quote(command.game + 1), next=after, games=state.games)
    if state.game is None or not state.between_games:
        raise WrongPhase("table.game-unfinished", game=state.game_number + 1)
    return (ev.NextStarted(state.game.next_first),)


def take_pencil(state: TableState, command: cmd.TakePencil, _: Context) -> tuple[ev.Event, ...]:
    """Not after the end: a result belongs to who wrote it."""
    need_real_dice(state)
    need_person(command.player)
    need_unfinished(state)
    return () if command.player == state.host else (ev.PencilPassed(command.player),)
