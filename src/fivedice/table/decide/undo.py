"""Taking a score back: freely until the next player has rolled, by consent after that. Rolls stay rolled."""

from __future__ import annotations

from typing import Literal

from fivedice.table import commands as cmd, events as ev
from fivedice.table.decide.rights import Context, back_again, has_pencil
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.state import TableState


def undo_way(state: TableState, player: str) -> Literal["free", "ask"]:
    """How this person can take the last score back; a refusal says why not."""
    scorer = _own_last_score(state, player)
    if not state.next_has_rolled or has_pencil(state, player):
        return "free"
    if state.on_turn == scorer:  # alone at the table: the roll that was seen is the scorer's own
        raise NotAllowed("table.undo-rolled")
    if state.undo_refused:
        raise NotAllowed("table.undo-declined")
    if state.undo_asked is not None:
        raise WrongPhase("table.undo-waiting")
    if state.people() - {player}:
        return "ask"
    if any(seat.player not in (None, player) and not seat.stand_in for seat in state.seats):
        raise NotAllowed("table.undo-nobody")
    return "free"  # people at one device agree aloud, and the house does not mind


def _own_last_score(state: TableState, player: str) -> int:
    scorer = state.last_scorer
    if scorer is None:
        raise WrongPhase("table.nothing-to-undo")
    if state.given_up:
        raise WrongPhase("table.ended")
    if state.rematch is not None:
        raise WrongPhase("table.rematch-exists")
    if state.taken_back:
        raise WrongPhase("table.undone-already-pad" if state.real_dice else "table.undone-already")
    if scorer not in state.seats_of(player) and not has_pencil(state, player):
        raise NotAllowed("table.undo-others", who=state.who(scorer))
    return scorer


def take_back(state: TableState, command: cmd.TakeBack, _: Context) -> tuple[ev.Event, ...]:
    scorer = _own_last_score(state, command.player)
    free = undo_way(state, command.player) == "free"
    event = ev.Undone(scorer) if free else ev.UndoAsked(scorer)
    return (*back_again(state, command.player, scorer), event)


def answer(state: TableState, command: cmd.AnswerUndo, _: Context) -> tuple[ev.Event, ...]:
    if state.undo_asked is None:
        raise WrongPhase("table.undo-not-asked")
    voters = _voters(state, state.undo_asked)
    if command.player not in voters:
        raise NotAllowed("table.undo-not-yours")
    answered = ev.UndoAnswered(command.player, command.agree)
    if command.agree and voters <= state.undo_agreed | {command.player}:
        return answered, ev.Undone(state.undo_asked)
    return (answered,)


def completed_by_leaving(state: TableState, leaving: int) -> tuple[ev.Event, ...]:
    """The undo that had only been waiting for the answer of the person who goes."""
    if state.undo_asked is None:
        return ()
    voters = _voters(state, state.undo_asked, leaving)
    return (ev.Undone(state.undo_asked),) if voters and voters <= state.undo_agreed else ()


def _voters(state: TableState, asker: int, leaving: int | None = None) -> frozenset[str]:
    """Everyone at the table who must agree with the asker."""
    here = {seat.player for number, seat in enumerate(state.seats) if seat.is_here and number != leaving}
    return frozenset(player for player in here if player and player != state.seats[asker].player)
