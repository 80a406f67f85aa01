"""The end of a game: ending it early, revealing its secret, and playing again with the same people.

Everyone says yes or no, and the next game begins when all have said yes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fivedice.message import Message, message
from fivedice.table.action import Command, Context, Event
from fivedice.table.actions.pad import end_events
from fivedice.table.actions.rights import is_absent, require_host, require_open_result, require_phase
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.state import Phase, TableState


@dataclass(frozen=True, slots=True)
class PlayAgain(Command):
    """Say whether you want another game; `now` starts it without people who said no or are away."""

    wire = "again"
    examples = (("again", {"key": "my-90"}), ("no-thanks", {"agree": False}), ("start-without-them", {"now": True}))

    agree: bool | None = None  # None means yes
    now: bool = False

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        seats = state.seats_of(self.player)
        if not seats:
            raise NotAllowed("table.rematch-players-only")
        if state.phase is not Phase.FINISHED:
            raise WrongPhase("table.not-finished")
        if state.rematch is not None:
            return ()
        agreed = self.agree is not False
        if agreed and self.now:
            waiting = unanswered_people(state, context.present) - {self.player}
            if waiting:
                raise NotAllowed("table.again-waiting", players=tuple(map(state.who, first_seats(state, waiting))))
        known = self.player in (state.again_yes if agreed else state.again_no)
        return () if known else (AgainSaid(seats[0], agreed),)

    def begins(self, after: TableState, present: frozenset[str] | None) -> bool:
        """Return whether the next game begins with this answer; `after` already includes it."""
        if after.rematch is not None or self.agree is False:
            return False
        return people_of(after) <= set(after.again_yes) or (self.now and not unanswered_people(after, present))


@dataclass(frozen=True, slots=True)
class AgainSaid(Event):
    """The player of this seat wants another game, or does not."""

    said = "table.again-said"

    seat: int
    agreed: bool

    def fold(self, state: TableState) -> None:
        player = state.seats[self.seat].player or ""
        yes = tuple(each for each in state.again_yes if each != player)
        state.again_yes = (*yes, player) if self.agreed else yes
        state.again_no = state.again_no - {player} if self.agreed else state.again_no | {player}


def people_of(state: TableState) -> frozenset[str]:
    """Return everyone with a seat, present or not. Bots always play again."""
    return frozenset(seat.player for seat in state.seats if seat.player is not None)


def unanswered_people(state: TableState, present: frozenset[str] | None) -> frozenset[str]:
    """Return the people who are here and have not answered yet."""
    return people_of(state) - set(state.again_yes) - state.again_no - _away(state, present)


def left_out(state: TableState, present: frozenset[str] | None) -> frozenset[str]:
    """Return the people who said no, or are away without an answer: the others may begin without them."""
    return people_of(state) - set(state.again_yes) - unanswered_people(state, present)


def first_seats(state: TableState, players: Iterable[str]) -> tuple[int, ...]:
    """Return the first seat of each of these people, in the order of the table."""
    return tuple(sorted(state.seats_of(player)[0] for player in players))


def _away(state: TableState, present: frozenset[str] | None) -> frozenset[str]:
    here = {seat.player for seat in state.seats if not is_absent(seat, present)}
    return frozenset(player for player in people_of(state) if player not in here)


@dataclass(frozen=True, slots=True)
class GiveUp(Command):
    """End a game that will not be finished, as the host, once the others have left. Then its dice can be checked."""

    wire = "give-up"
    plays_on = True
    examples = (("give-up", {}),)

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        require_open_result(state)
        require_host(state, self.player)
        if state.real_dice:
            return end_events(state, self.player)
        hindered = why_not_ended(state, context.present)
        if hindered is not None:
            raise NotAllowed(hindered)
        return (GivenUp(self.player),)


def why_not_ended(state: TableState, present: frozenset[str] | None) -> Message | None:
    """Return why the host cannot end the game now, or None: others are here and play on.

    Before the first score they lose nothing by it, and people who left do not prevent it.
    """
    others = people_of(state) - {state.host} - _away(state, present)
    if not others or not state.lain:
        return None
    seats = first_seats(state, others)
    return message("table.others-play", players=tuple(map(state.who, seats)), count=len(seats))


@dataclass(frozen=True, slots=True)
class GivenUp(Event):
    """The game was ended early."""

    changes_game = True
    said = "table.given-up"

    player: str

    def fold(self, state: TableState) -> None:
        state.given_up = True
        state.ended = state.real_dice
        state.forget_undo()


@dataclass(frozen=True, slots=True)
class SecretRevealed(Event):
    """The game is over, so the secret of its dice was revealed to everyone."""

    kind = "Told"
    heard = False  # announced by the event that ended the game

    secret: str

    def fold(self, state: TableState) -> None:
        state.secret = self.secret


@dataclass(frozen=True, slots=True)
class Rematched(Event):
    """The next game is at another table."""

    said = "table.rematched"

    table: str

    def fold(self, state: TableState) -> None:
        state.rematch = self.table
