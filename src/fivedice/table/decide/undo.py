"""Taking a score back: freely until the next player has rolled, by consent after that. Rolls stay rolled."""

from __future__ import annotations

from typing import Literal

from fivedice.table import commands as ask, events as log
from fivedice.table.decide.rights import Context, back_again, has_pencil
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.state import TableState

_TAKEN_BACK = {
    False: "A score has just been taken back: fill a box first.",
    True: "A score has just been taken back: fill a box first, or correct an earlier entry on the sheet.",
}


def undo_way(state: TableState, player: str) -> Literal["free", "ask"]:
    """How this person can take the last score back; a refusal says why not."""
    scorer = _own_last_score(state, player)
    if not state.next_has_rolled or has_pencil(state, player):
        return "free"
    if state.on_turn == scorer:  # alone at the table: the roll that was seen is the scorer's own
        raise NotAllowed("You have rolled since, so the score stays: nobody may choose a box knowing the next roll.")
    if state.undo_refused:
        raise NotAllowed("The others did not agree to take that score back.")
    if state.undo_asked is not None:
        raise WrongPhase("The others have been asked already: wait for their answer.")
    if state.people() - {player}:
        return "ask"
    if any(seat.player not in (None, player) and not seat.stand_in for seat in state.seats):
        raise NotAllowed("The next player has rolled, and nobody is at the table who could agree.")
    return "free"  # people at one device agree aloud, and the house does not mind


def _own_last_score(state: TableState, player: str) -> int:
    scorer = state.last_scorer
    if scorer is None:
        raise WrongPhase("There is no score to take back.")
    if state.given_up:
        raise WrongPhase("The game was given up: it stays as it is.")
    if state.rematch is not None:
        raise WrongPhase("The next game has been set up: this one stays as it is.")
    if state.taken_back:
        raise WrongPhase(_TAKEN_BACK[state.real_dice])
    if scorer not in state.seats_of(player) and not has_pencil(state, player):
        raise NotAllowed(f"The last score is {state.seats[scorer].name}'s; only they can take it back.")
    return scorer


def take_back(state: TableState, command: ask.TakeBack, _: Context) -> tuple[log.Event, ...]:
    scorer = _own_last_score(state, command.player)
    free = undo_way(state, command.player) == "free"
    event = log.Undone(scorer) if free else log.UndoAsked(scorer)
    return (*back_again(state, command.player, scorer), event)


def answer(state: TableState, command: ask.AnswerUndo, _: Context) -> tuple[log.Event, ...]:
    if state.undo_asked is None:
        raise WrongPhase("Nobody has asked to take a score back.")
    voters = _voters(state, state.undo_asked)
    if command.player not in voters:
        raise NotAllowed("Only the other players at the table can answer that.")
    answered = log.UndoAnswered(command.player, command.agree)
    if command.agree and voters <= state.undo_agreed | {command.player}:
        return answered, log.Undone(state.undo_asked)
    return (answered,)


def completed_by_leaving(state: TableState, leaving: int) -> tuple[log.Event, ...]:
    """The undo that had only been waiting for the answer of the person who goes."""
    if state.undo_asked is None:
        return ()
    voters = _voters(state, state.undo_asked, leaving)
    return (log.Undone(state.undo_asked),) if voters and voters <= state.undo_agreed else ()


def _voters(state: TableState, asker: int, leaving: int | None = None) -> frozenset[str]:
    """Everyone at the table who must agree with the asker."""
    here = {seat.player for number, seat in enumerate(state.seats) if seat.is_here and number != leaving}
    return frozenset(player for player in here if player and player != state.seats[asker].player)
