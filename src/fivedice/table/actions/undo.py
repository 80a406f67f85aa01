"""Taking a score back: freely until the next player has rolled, then only if the others agree. Rolls stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fivedice.core.game import Mark
from fivedice.message import Message, message
from fivedice.players.bots.levels import WATCHERS
from fivedice.table.action import Command, Context, Event
from fivedice.table.actions.pad import Erase, last_written, take_back
from fivedice.table.actions.playing import return_events, sync_players
from fivedice.table.actions.rights import is_scorekeeper
from fivedice.table.refusals import NotAllowed, Refusal, WrongPhase
from fivedice.table.state import TableState

Hindrance: TypeAlias = tuple[type[Refusal], Message]


@dataclass(frozen=True, slots=True)
class TakeBack(Command):
    """Take the last score back, or ask the others to agree."""

    wire = "undo"
    versioned = True
    examples = (("undo", {"version": 7}),)

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        scorer, hindered = state.last_scorer or 0, _find_hindrance(state, self.player)
        if hindered is not None:
            refusal, reason = hindered
            raise refusal(reason)
        last = last_written(state)
        if last is not None and is_scorekeeper(state, self.player) and (state.taken_back or not state.lain):
            return Erase(self.player, *last).decide(state, context)
        asks = undo_way(state, self.player) == "ask"
        return (*return_events(state, self.player, scorer), UndoAsked(scorer) if asks else Undone(scorer))


@dataclass(frozen=True, slots=True)
class AnswerUndo(Command):
    """Agree that a score is taken back, or refuse."""

    wire = "answer"
    versioned = True
    examples = (("answer", {"agree": True, "version": 8}),)

    agree: bool

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        if state.undo_asked is None:
            raise WrongPhase("table.undo-not-asked")
        voters = _voters(state, state.undo_asked)
        if self.player not in voters:
            raise NotAllowed("table.undo-not-yours")
        answered = UndoAnswered(self.player, self.agree)
        if self.agree and voters <= state.undo_agreed | {self.player}:
            return answered, Undone(state.undo_asked)
        return (answered,)

    def oldest(self, state: TableState) -> int:
        """Return the version of the question: it may be answered however the dice have changed since."""
        return state.undo_version


@dataclass(frozen=True, slots=True)
class UndoAsked(Event):
    """A player asked to take the last score of this seat back; others have to agree."""

    said = "table.undo-asked"

    seat: int

    def fold(self, state: TableState) -> None:
        state.undo_asked, state.undo_version, state.undo_agreed = self.seat, state.version, frozenset()


@dataclass(frozen=True, slots=True)
class UndoAnswered(Event):
    """One of the others agreed or refused."""

    said = "table.undo-agreed"

    player: str
    agreed: bool

    def fold(self, state: TableState) -> None:
        if self.agreed:
            state.undo_agreed |= {self.player}
        else:
            state.forget_undo()
            state.undo_refused = True


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last score of this seat was taken back, with everything after it."""

    changes_game = True
    said = "table.undone"

    seat: int

    def fold(self, state: TableState) -> None:
        """Restore the dice before the last score, and put later rolls aside until it is written again."""
        if not state.lain[-1][-1].told or state.seats[self.seat].out:
            take_back(state)
        else:
            moves = state.running.moves
            last = max(number for number, move in enumerate(moves) if isinstance(move, Mark))
            state.running.undo(len(moves) - last)
            state.put_by, state.rolls, state.taken_back = state.rolls, state.lain.pop(), True
            sync_players(state)
        state.forget_undo()
        state.forget_again()


def undo_way(state: TableState, player: str) -> Literal["free", "ask"] | None:
    """Return how this person can take the last score back: freely, by asking the others, or not at all."""
    if _find_hindrance(state, player) is not None:
        return None
    if not state.next_has_rolled or is_scorekeeper(state, player):
        return "free"
    return "ask" if state.people() - {player} else "free"  # people on one device agree in person; bots do not vote


def _find_hindrance(state: TableState, player: str) -> Hindrance | None:
    """Return why this person cannot take it back, or None. A value, because every view of a table asks."""
    scorer, pencil = state.last_scorer, is_scorekeeper(state, player)
    if scorer is None and not (pencil and last_written(state)):
        return WrongPhase, message("table.nothing-to-undo")
    if state.given_up or state.ended:
        return WrongPhase, message("table.ended")
    # The last box was the only choice left: an undo could only unsettle the result.
    if state.secret is not None or (state.deal is not None and state.phase.is_over):
        return WrongPhase, message("table.settled")
    if state.rematch is not None:
        return WrongPhase, message("table.rematch-exists")
    if pencil:  # without limit, and also back into the game before
        return None
    if state.taken_back:
        return WrongPhase, message("table.undone-already")
    if scorer is None or scorer not in state.seats_of(player):
        return NotAllowed, message("table.undo-others", player=state.who(scorer or 0))
    return _find_hindrance_after_roll(state, player, scorer) if state.next_has_rolled else None


def _find_hindrance_after_roll(state: TableState, player: str, scorer: int) -> Hindrance | None:
    if state.on_turn == scorer:  # alone: a box may not be chosen knowing the next roll
        return NotAllowed, message("table.undo-rolled")
    if state.on_turn is not None and state.seats[state.on_turn].bot in WATCHERS:  # its move may depend on this score
        return NotAllowed, message("table.undo-watched", player=state.who(state.on_turn))
    if state.undo_refused:
        return NotAllowed, message("table.undo-declined")
    if state.undo_asked is not None:
        return WrongPhase, message("table.undo-waiting")
    unasked = any(seat.player not in (None, player) and not seat.stand_in for seat in state.seats)
    if unasked and not state.people() - {player}:
        return NotAllowed, message("table.undo-nobody")
    return None


def complete_undo_on_leave(state: TableState, leaving: int) -> tuple[Event, ...]:
    """Return the undo that only waited for the answer of the person who leaves."""
    if state.undo_asked is None:
        return ()
    voters = _voters(state, state.undo_asked, leaving)
    return (Undone(state.undo_asked),) if voters and voters <= state.undo_agreed else ()


def _voters(state: TableState, asker: int, leaving: int | None = None) -> frozenset[str]:
    """Return everyone at the table who has to agree."""
    here = {seat.player for number, seat in enumerate(state.seats) if seat.is_here and number != leaving}
    return frozenset(player for player in here if player and player != state.seats[asker].player)
