"""What each event does to a table. Live tables and stored logs go the same way, so they cannot differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from fivedice.dice import Keep, Roll, outside
from fivedice.errors import quote
from fivedice.game import Game, Hold, Mark, RollOff, Throw
from fivedice.rules import RuleBook, shipped
from fivedice.table import events as log
from fivedice.table.commands import Change
from fivedice.table.own_rules import house_book
from fivedice.table.refusals import OtherBook
from fivedice.table.rewrite import rewritten
from fivedice.table.state import PlayedGame, Seat, TableState


def folded(state: TableState, events: Iterable[log.Event]) -> TableState:
    """A new state: those that are already looked at never change."""
    after = state.copy()
    for event in events:
        fold(after, event)
    return after


def fold(state: TableState, event: log.Event) -> None:
    """Let one event take effect."""
    state.version += 1
    _EFFECTS[type(event)](state, event)
    if isinstance(event, _GAME_EVENTS):
        state.game_version = state.version
    if not isinstance(event, log.Told):  # it comes with what ended the game, and that is what people hear of
        state.last = event


_GAME_EVENTS = (
    log.Stood,
    log.Started,
    log.Rolled,
    log.Withdrawn,
    log.Scored,
    log.Corrected,
    log.NextStarted,
    log.Undone,
    log.GivenUp,
)


def _opened(state: TableState, event: log.Opened) -> None:
    state.book = shipped(event.book) if event.rules is None else house_book(event.rules)
    _check_book(state.book, event)
    state.host, state.coach = event.host, event.coach
    state.rules, state.real_dice, state.promise = event.rules, event.real_dice, event.promise
    state.planned_first, state.games, state.match_total = event.first, event.games, event.match_total


def _check_book(book: RuleBook, event: log.Opened) -> None:
    """A game is never scored anew by rules that it was not played by."""
    if event.fingerprint not in (None, book.fingerprint):
        was = f"its fingerprint is {quote(event.fingerprint)}, and this version has {book.fingerprint}"
        raise OtherBook(
            f"This table was played by another {quote(book.key)}: {was}. Open it with the version it was played with."
        )


def _sat(state: TableState, event: log.Sat) -> None:
    state.seats.append(Seat(event.name, event.color, event.token, event.player, event.bot, text=event.text))


def _stood(state: TableState, event: log.Stood) -> None:
    del state.seats[event.seat]
    if state.planned_first is not None and state.planned_first > event.seat:
        state.planned_first -= 1  # the one who was to start has moved up


def _started(state: TableState, event: log.Started) -> None:
    roll_off = None
    if event.roll_off:
        throws = tuple(Roll.parse(text) for text in event.roll_off)
        roll_off = RollOff(state.book, len(state.seats), throws)
    names = [seat.name for seat in state.seats]
    state.game = Game.new(state.book, names, dice=outside(), first=event.first, roll_off=roll_off)


def _rolled(state: TableState, event: log.Rolled) -> None:
    _note_help(state, event.seat)
    _throw(state, event)


def _throw(state: TableState, roll: log.Rolled) -> None:
    game = _running(state)
    if state.rolls:
        game.play(Hold(Keep(tuple(state.slots[slot] for slot in roll.held))))
    game.play(Throw(Roll(roll.dice), roll.last))
    state.rolls += (roll,)


def _withdrawn(state: TableState, _: log.Withdrawn) -> None:
    """The dice lie as they lay before the last roll was entered."""
    _running(state).undo(2 if len(state.rolls) > 1 else 1)  # with the hold before it
    state.rolls = state.rolls[:-1]


def _corrected(state: TableState, event: log.Corrected) -> None:
    """Write the changed games anew, turn by turn; the dice on the table stay where they lie."""
    changes = [Change(*change) for change in event.changes]
    for number in {change.game for change in changes}:
        after = rewritten(state, number, changes)
        if number < state.game_number:
            state.played[number] = after
        else:
            state.game, state.lain, rolls, state.rolls = after.game, list(after.lain), state.rolls, ()
            for roll in rolls:
                _throw(state, roll)
    _forget_undo(state)


def _next_started(state: TableState, event: log.NextStarted) -> None:
    before = _running(state)
    state.played.append(PlayedGame(before, tuple(state.lain)))
    state.game = Game.new(state.book, before.players, dice=outside(), first=event.first)
    state.lain, state.rolls, state.taken_back = [], (), False
    _forget_undo(state)


def _pencil_passed(state: TableState, event: log.PencilPassed) -> None:
    for seat in state.seats_of(state.host):
        _change(state, seat, player=event.player, away=False, stand_in=False)
    state.host = event.player


def _scored(state: TableState, event: log.Scored) -> None:
    _note_help(state, event.seat)
    _running(state).play(Mark(event.box))
    state.lain.append(state.rolls)
    state.rolls = ()
    _forget_undo(state)
    _forget_house_turn(state, event.seat)
    _put_back(state)


def _put_back(state: TableState) -> None:
    """After a score was taken back and written anew, the next player's dice lie as they lay."""
    rolls, state.put_by, state.taken_back = state.put_by, (), False
    for roll in rolls:
        _throw(state, roll)


def _note_help(state: TableState, seat: int) -> None:
    if state.seats[seat].bot is None and state.house_plays(seat):
        _change(state, seat, helped=True)


def _undo_asked(state: TableState, event: log.UndoAsked) -> None:
    state.undo_asked, state.undo_version, state.undo_agreed = event.seat, state.version, frozenset()


def _undo_answered(state: TableState, event: log.UndoAnswered) -> None:
    if event.agreed:
        state.undo_agreed |= {event.player}
    else:
        _forget_undo(state)
        state.undo_refused = True


def _undone(state: TableState, _: log.Undone) -> None:
    """Back to the moment before the last score, with the dice lying as they lay; later rolls are put by."""
    game = _running(state)
    moves = game.moves
    last = max(number for number, move in enumerate(moves) if isinstance(move, Mark))
    game.undo(len(moves) - last)
    state.put_by, state.rolls, state.taken_back = state.rolls, state.lain.pop(), True
    _forget_undo(state)


def _left(state: TableState, event: log.Left) -> None:
    _change(state, event.seat, away=True)


def _returned(state: TableState, event: log.Returned) -> None:
    _change(state, event.seat, away=False, stand_in=False)
    _forget_house_turn(state, event.seat)


def _handed_over(state: TableState, event: log.HandedOver) -> None:
    _change(state, event.seat, player=event.player, away=False, stand_in=False)
    _forget_house_turn(state, event.seat)


def _stood_in(state: TableState, event: log.StoodIn) -> None:
    if event.rest:
        _change(state, event.seat, away=True, stand_in=True)
    else:
        state.house_turn = event.seat


def _given_up(state: TableState, _: log.GivenUp) -> None:
    state.given_up = True
    _forget_undo(state)


def _told(state: TableState, event: log.Told) -> None:
    state.secret = event.secret


def _rematched(state: TableState, event: log.Rematched) -> None:
    state.rematch = event.table


def _change(state: TableState, seat: int, **changes: object) -> None:
    state.seats[seat] = replace(state.seats[seat], **changes)  # type: ignore[arg-type]


def _forget_undo(state: TableState) -> None:
    state.undo_asked, state.undo_agreed, state.undo_refused = None, frozenset(), False


def _forget_house_turn(state: TableState, seat: int) -> None:
    if state.house_turn == seat:
        state.house_turn = None


def _running(state: TableState) -> Game:
    if state.game is None:
        raise AssertionError("the log plays before the game has started")
    return state.game


_EFFECTS: dict[type[log.Event], Callable[[TableState, Any], None]] = {
    log.Opened: _opened,
    log.Sat: _sat,
    log.Stood: _stood,
    log.Started: _started,
    log.Rolled: _rolled,
    log.Withdrawn: _withdrawn,
    log.Scored: _scored,
    log.Corrected: _corrected,
    log.NextStarted: _next_started,
    log.PencilPassed: _pencil_passed,
    log.UndoAsked: _undo_asked,
    log.UndoAnswered: _undo_answered,
    log.Undone: _undone,
    log.Left: _left,
    log.Returned: _returned,
    log.HandedOver: _handed_over,
    log.StoodIn: _stood_in,
    log.GivenUp: _given_up,
    log.Told: _told,
    log.Rematched: _rematched,
}
