"""What events do to the games of a table: dice, scores, what is taken back, and what is written anew."""

from __future__ import annotations

from fivedice.dice import Keep, Roll, outside
from fivedice.game import Entry, Game, Hold, Mark, RollOff, Throw
from fivedice.table import events as ev
from fivedice.table.commands import Change
from fivedice.table.decide.rewrite import entry_of, rewritten
from fivedice.table.fold.seat_effects import forget_house_turn, note_help
from fivedice.table.refusals import DamagedLog
from fivedice.table.state import PlayedGame, TableState


def started(state: TableState, event: ev.Started) -> None:
    roll_off = None
    if event.roll_off:
        throws = tuple(Roll.parse(text) for text in event.roll_off)
        roll_off = RollOff(state.book, len(state.seats), throws)
    names = [seat.name for seat in state.seats]
    state.game = Game.new(state.book, names, dice=outside(), first=event.first, roll_off=roll_off)


def rolled(state: TableState, event: ev.Rolled) -> None:
    note_help(state, event.seat)
    _throw(state, event)


def _throw(state: TableState, roll: ev.Rolled) -> None:
    game = _running(state)
    if state.rolls:
        game.play(Hold(Keep(tuple(state.slots[slot] for slot in roll.held))))
    game.play(Throw(Roll(roll.dice), roll.last))
    state.rolls += (roll,)


def withdrawn(state: TableState, _: ev.Withdrawn) -> None:
    """The dice lie as they lay before the last roll was entered."""
    _running(state).undo(2 if len(state.rolls) > 1 else 1)  # with the hold before it
    state.rolls = state.rolls[:-1]


def scored(state: TableState, event: ev.Scored) -> None:
    note_help(state, event.seat)
    _check_score(state, event, entry_of(_running(state).play(Mark(event.box))))
    state.lain.append(state.rolls)
    state.rolls = ()
    _forget_undo(state)
    forget_house_turn(state, event.seat)
    _put_back(state)


def _check_score(state: TableState, event: ev.Scored, entry: Entry) -> None:
    """What was stored is what the rules gave then, and give today."""
    stored = (event.points, event.bonus, event.joker)
    given = (entry.points, entry.bonus, entry.joker)
    if any(one not in (None, other) for one, other in zip(stored, given, strict=True)):
        box, told = state.book.box(event.box), sum(filter(None, stored[:2]))
        points = entry.points + entry.bonus
        raise DamagedLog(
            "table.score-differs", table=state.id, event=state.version, box=box, stored=told, points=points
        )


def _put_back(state: TableState) -> None:
    """After a score was taken back and written anew, the next player's dice lie as they lay."""
    rolls, state.put_by, state.taken_back = state.put_by, (), False
    for roll in rolls:
        _throw(state, roll)


def corrected(state: TableState, event: ev.Corrected) -> None:
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


def next_started(state: TableState, event: ev.NextStarted) -> None:
    before = _running(state)
    state.played.append(PlayedGame(before, tuple(state.lain)))
    state.game = Game.new(state.book, before.players, dice=outside(), first=event.first)
    state.lain, state.rolls, state.taken_back = [], (), False
    _forget_undo(state)


def undo_asked(state: TableState, event: ev.UndoAsked) -> None:
    state.undo_asked, state.undo_version, state.undo_agreed = event.seat, state.version, frozenset()


def undo_answered(state: TableState, event: ev.UndoAnswered) -> None:
    if event.agreed:
        state.undo_agreed |= {event.player}
    else:
        _forget_undo(state)
        state.undo_refused = True


def undone(state: TableState, _: ev.Undone) -> None:
    """Back to the moment before the last score, with the dice lying as they lay; later rolls are put by."""
    game = _running(state)
    moves = game.moves
    last = max(number for number, move in enumerate(moves) if isinstance(move, Mark))
    game.undo(len(moves) - last)
    state.put_by, state.rolls, state.taken_back = state.rolls, state.lain.pop(), True
    _forget_undo(state)


def given_up(state: TableState, _: ev.GivenUp) -> None:
    state.given_up = True
    _forget_undo(state)


def _forget_undo(state: TableState) -> None:
    state.undo_asked, state.undo_agreed, state.undo_refused = None, frozenset(), False


def _running(state: TableState) -> Game:
    if state.game is None:
        raise AssertionError("the log plays before the game has started")
    return state.game
