"""May the coach be asked, by whom, and when: the same for pages, programs and the terminal."""

from __future__ import annotations

from fivedice.dice import Roll
from fivedice.game import Position
from fivedice.table.decide.rights import my_turn
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.state import TableState


def to_judge(state: TableState, player: str) -> tuple[Position, Roll]:
    """Where this person has to choose, if they may be told what is best."""
    _need_coach(state)
    game, seat = my_turn(state, player)
    if state.house_plays(seat):
        raise NotAllowed("coach.bot-plays")
    if game.position.roll is None:
        raise WrongPhase("coach.roll-first")
    return game.position, game.position.roll


def to_expect(state: TableState) -> Position:
    """Where everyone stands: anybody may ask what to expect of a running game, where there is a coach."""
    _need_coach(state)
    if state.game is None or state.game.is_over:
        raise WrongPhase("coach.no-game")
    return state.game.position


def trains(state: TableState, limit: int) -> bool:
    """Whether moves are held against the training limit: a pad writes down what people have decided before."""
    return limit > 0 and state.coach and not state.real_dice


def plays_alone(state: TableState, player: str) -> bool:
    """Only somebody who plays alone has a score to beat."""
    return len(state.seats) == 1 and state.seats[0].player == player


def _need_coach(state: TableState) -> None:
    if not state.coach:
        raise NotAllowed("coach.off")
